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

// Gets credentials once and keeps them until they expire or a server rejects them.
// (exec.Authenticator)
//
// One run at a time, on a thread of the real clock, for all who wait; each waits as long as its own
// context allows. The last to leave ends the run. Who comes while that run is still ending waits
// for its end, and begins another. An error is for those who waited; the next call tries again.
// Not for SimRuntime, whose threads cannot be woken from outside. Thread-safe.
class ExecSource final : public CredentialSource {
 public:
  // Blocks, and gives up soon after its context is done.
  using Runner = std::function<absl::StatusOr<Credentials>(const Context& ctx)>;

  struct Metrics {
    base::Gauge ttl_seconds = {};       // of the certificate, when it was used last
    base::Histogram rotation_age = {};  // seconds that the certificate before was good
  };
  static absl::StatusOr<Metrics> MakeMetrics(base::MetricsProvider& provider);

  ExecSource(Runner runner, Metrics metrics);
  // Ends what runs, and waits for that.
  ~ExecSource() override;

  absl::StatusOr<std::shared_ptr<const Credentials>> Get(const Context& ctx) override;
  absl::StatusOr<bool> Rejected(const Context& ctx, const Credentials& used) override;

  // How many callers wait for the run that there is now.
  int waiting();

 private:
  using Result = absl::StatusOr<std::shared_ptr<const Credentials>>;

  struct Run {
    int waiting = 0;
    bool abandoned = false;  // nobody waits any more: it is ending
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
  // The one before, whose thread may still have to be joined: it cannot join itself.
  std::shared_ptr<Run> last_run_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_SOURCE_H_
