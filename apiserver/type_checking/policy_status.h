#ifndef APISERVER_TYPE_CHECKING_POLICY_STATUS_H_
#define APISERVER_TYPE_CHECKING_POLICY_STATUS_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// Writes the status of ValidatingAdmissionPolicies: the warnings of CheckTypes, and the generation
// that they are about (kube-controller-manager: `pkg/controller/validatingadmissionpolicystatus`).
// As there, a generation is checked once, with the kinds that the server has at that moment. Unlike
// there, managedFields do not say that a controller owns the status.
//
// Like the Collector it has no thread and no delay: after each request, Settle does the work on the
// writing thread. Thread-safe.
class PolicyStatus {
 public:
  // Both must outlive this.
  PolicyStatus(Registry& registry, const ResourceTable& resources)
      : registry_(registry), resources_(resources), seen_(registry.storage().revision()) {}

  // Works until nothing is left to do. Returns whether there was something. If another thread is
  // settling, that one does the work, and this returns false. Must be called without locks.
  bool Settle();

 private:
  // Called by the thread that settles. Processes what has changed; returns whether anything has.
  bool ProcessChanges();
  void Process(absl::string_view key);
  void Write(const StoredObject& policy);

  Registry& registry_;
  const ResourceTable& resources_;
  base::Mutex mutex_;
  bool settling_ ABSL_GUARDED_BY(mutex_) = false;
  bool again_ ABSL_GUARDED_BY(mutex_) = false;
  // Used by the thread that settles: up to which revision it has looked.
  int64_t seen_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TYPE_CHECKING_POLICY_STATUS_H_
