#ifndef CONTROLLER_LEADERELECTION_HEALTHZ_ADAPTOR_H_
#define CONTROLLER_LEADERELECTION_HEALTHZ_ADAPTOR_H_

#include <functional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/mutex.h"

namespace kube::leaderelection {

// A health check that may be created before the LeaderElector. It is OK while no elector is set,
// and the result of LeaderElector::Check afterwards. (client-go: `leaderelection.HealthzAdaptor`)
//
//   const auto watch_dog = std::make_shared<HealthzAdaptor>(absl::Seconds(20));
//   const health::HealthCheck leads = {
//       .name = "leaderElection",
//       .check = [watch_dog](const Context&) { return watch_dog->Check(); }};
//   ...
//   KUBE_ASSIGN_OR_RETURN(const auto elector,
//                         LeaderElector::Make(lock, callbacks, {.watch_dog = watch_dog}));
//
// Thread-safe.
class HealthzAdaptor {
 public:
  // The name of the check in Kubernetes components.
  static constexpr absl::string_view kName = "leaderElection";

  // `timeout`: how long a lease may be expired before its leader counts as stuck. Kubernetes
  // components use 20 seconds.
  explicit HealthzAdaptor(absl::Duration timeout) : timeout_(timeout) {}

  absl::Status Check() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Called by LeaderElector with its Check, and with null before it is destroyed. When this
  // returns, no thread is in the previous function.
  void SetLeaderElection(std::function<absl::Status(absl::Duration)> check)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const absl::Duration timeout_;
  mutable base::Mutex mutex_;
  std::function<absl::Status(absl::Duration)> check_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_HEALTHZ_ADAPTOR_H_
