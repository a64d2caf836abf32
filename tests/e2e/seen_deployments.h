#ifndef TESTS_E2E_SEEN_DEPLOYMENTS_H_
#define TESTS_E2E_SEEN_DEPLOYMENTS_H_

#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "apimachinery/base/mutex.h"
#include "clientset/kubernetes/clientset.h"
#include "informers/kubernetes/shared_informer_factory.h"

namespace kube::e2e {

// Collects the UIDs of all Deployments that a namespace ever had, with a watch that continues after
// the server was down. A Deployment that was created and deleted in between is missed. Thread-safe.
class SeenDeployments {
 public:
  SeenDeployments(const kubernetes::Clientset& client, const std::string& namespace_name);

  // Returns when it has seen the existing Deployments. Must be called only once.
  absl::Status Start();

  std::set<std::string> Uids() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable base::Mutex mutex_;
  std::set<std::string> uids_ ABSL_GUARDED_BY(mutex_);
  kubernetes::SharedInformerFactory factory_;  // declared last, because its handlers use the others
};

}  // namespace kube::e2e

#endif  // TESTS_E2E_SEEN_DEPLOYMENTS_H_
