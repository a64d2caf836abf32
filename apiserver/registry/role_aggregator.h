#ifndef APISERVER_REGISTRY_ROLE_AGGREGATOR_H_
#define APISERVER_REGISTRY_ROLE_AGGREGATOR_H_

#include <atomic>

#include "absl/base/thread_annotations.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/types/list.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {

class Registry;

// Gives each ClusterRole with an aggregationRule the rules of the roles that it selects, as
// kube-controller-manager does (`pkg/controller/clusterroleaggregation`). The rules that a client
// writes to such a role are replaced. Unlike there, managedFields do not say that a controller owns
// the rules.
//
// Like the Collector it has no thread and no delay: after each request, Settle does the work on the
// writing thread.
//
// Thread-safe.
class RoleAggregator {
 public:
  // All must outlive this.
  RoleAggregator(Registry& registry, Storage& storage, const ResourceTable& resources)
      : registry_(registry), storage_(storage), resources_(resources) {}

  // Turns the controller on or off. Call it before the first request. Default: on.
  void set_enabled(bool enabled) { enabled_ = enabled; }

  // Must be called after each write.
  void Observe(const Resource& resource);

  // Works until nothing is left to do. If another thread is settling, that one does the work, and
  // this returns at once. Must be called without locks.
  void Settle();

 private:
  void AggregateAll();
  // Returns the role with these rules as stored, or null if it could not be written.
  ObjectPtr Write(const api::rbac::v1::ClusterRole& role,
                  const List<api::rbac::v1::PolicyRule>& rules);

  Registry& registry_;
  Storage& storage_;
  const ResourceTable& resources_;
  bool enabled_ = true;
  // Whether a ClusterRole was written since the last AggregateAll began.
  std::atomic<bool> changed_ = false;

  base::Mutex mutex_;
  bool settling_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_ROLE_AGGREGATOR_H_
