#ifndef CONTROLLER_LEADERELECTION_HEALTHZ_ADAPTOR_H_
#define CONTROLLER_LEADERELECTION_HEALTHZ_ADAPTOR_H_

#include <functional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/mutex.h"

namespace kube::leaderelection {

// A health check that can be there before the candidate is: OK as long as there is none, and then
// what LeaderElector::Check says. (leaderelection.HealthzAdaptor)
//
//   auto watch_dog = std::make_shared<HealthzAdaptor>(absl::Seconds(20));
//   health::HealthServerOptions options;
//   options.livez = {{"leaderElection",
//                     [watch_dog](const Context&) { return watch_dog->Check(); }}};
//   … LeaderElector::Make(lock, callbacks, {.watch_dog = watch_dog}) …
//
// Thread-safe.
class HealthzAdaptor {
 public:
  // What the check is called in Kubernetes' components.
  static constexpr absl::string_view kName = "leaderElection";

  // How long a lease may have run out before its leader counts as stuck. Core components: 20 s.
  explicit HealthzAdaptor(absl::Duration timeout) : timeout_(timeout) {}

  absl::Status Check() const ABSL_LOCKS_EXCLUDED(mutex_);

  // For LeaderElector: its Check, and null before it goes. When this returns, nobody is in the old
  // one any more.
  void SetLeaderElection(std::function<absl::Status(absl::Duration)> check)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const absl::Duration timeout_;
  mutable base::Mutex mutex_;
  std::function<absl::Status(absl::Duration)> check_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_HEALTHZ_ADAPTOR_H_
