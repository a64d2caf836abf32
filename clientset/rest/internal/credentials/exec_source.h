#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_SOURCE_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_SOURCE_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "clientset/rest/internal/credentials/credential_source.h"

namespace kube::rest::internal {

// Gets credentials from a plug-in once, and keeps them until they expire or a server rejects them.
// (client-go: `exec.Authenticator`)
//
// Only one run of the plug-in is in progress at a time, on a thread of the real clock. All callers
// that need credentials wait for it, each as long as its own context allows; when the last of them
// has left, the run is stopped. A caller that comes while a run is being stopped waits for its end
// and then starts another one. An error is returned to the callers that waited; the next call tries
// again.
//
// Not for SimRuntime, whose threads cannot be woken from outside. Thread-safe.
class ExecSource final : public CredentialSource {
 public:
  // Runs the plug-in. Blocks, and returns soon after its context is done.
  using Runner = std::function<absl::StatusOr<Credentials>(const Context& ctx)>;

  struct Metrics {
    base::Gauge ttl_seconds = {};       // until the certificate expires, at its last use
    base::Histogram rotation_age = {};  // age in seconds of replaced certificates
  };
  static absl::StatusOr<Metrics> MakeMetrics(base::MetricsProvider& provider);

  ExecSource(Runner runner, Metrics metrics);
  // Stops a run that is in progress and waits for its end.
  ~ExecSource() override;

  absl::StatusOr<std::shared_ptr<const Credentials>> Get(const Context& ctx) override;
  // As Get, because the certificate of a new connection may come from the plug-in. If it fails, and
  // `ctx` is not done, returns the last credentials, if there are any: an open connection does not
  // need others.
  absl::StatusOr<std::shared_ptr<const Credentials>> GetWithoutAuthorization(
      const Context& ctx) override;
  absl::StatusOr<bool> Rejected(const Context& ctx, const Credentials& used) override;

  // Returns how many callers wait for the current run.
  int waiting();

 private:
  using Result = absl::StatusOr<std::shared_ptr<const Credentials>>;

  struct Run {
    int waiting = 0;
    bool abandoned = false;  // all callers have left; the run is being stopped
    bool ended = false;
    Result result = absl::UnknownError("");
    base::Thread thread;
  };

  Result Refresh(const Context& ctx) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Start() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Result Join(const Context& ctx) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Finish(absl::StatusOr<Credentials> credentials);
  Result Accept(absl::StatusOr<Credentials> credentials) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Runner runner_;
  const Metrics metrics_;
  base::Mutex mutex_;
  base::CondVar changed_;
  std::shared_ptr<const Credentials> cached_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<Run> run_ ABSL_GUARDED_BY(mutex_);
  // The previous run. Its thread may still have to be joined, which it cannot do itself.
  std::shared_ptr<Run> last_run_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_SOURCE_H_
