#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_PLUGIN_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_PLUGIN_H_

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/internal/credentials/exec_credential.h"
#include "clientset/rest/subprocess.h"

namespace kube::rest::internal {

// Lets something happen ten times an hour, counted from the first. (exec.sometimes)
// Thread-safe.
class TenTimesAnHour {
 public:
  // Whether it may happen now.
  bool Take();

 private:
  base::Mutex mutex_;
  std::optional<base::MonotonicTime> window_ ABSL_GUARDED_BY(mutex_);
  int count_ ABSL_GUARDED_BY(mutex_) = 0;
};

// A plug-in of a configuration, to be run whenever its credentials are wanted. It remembers none of
// them. Thread-safe.
class ExecPlugin {
 public:
  // INVALID_ARGUMENT: see MakeAuthenticator. The program need not be there yet. `config.exec` is.
  static absl::StatusOr<std::unique_ptr<ExecPlugin>> Make(const Config& config);

  // Runs it once, on the real clock. Errors begin with "exec plug-in NAME: ": ctx.status();
  // DEADLINE_EXCEEDED after its own timeout; FAILED_PRECONDITION where running it is not allowed,
  // it is not there, or there is no terminal; UNAVAILABLE where it failed; INVALID_ARGUMENT where
  // it printed something else than credentials.
  absl::StatusOr<Credentials> Run(const Context& ctx);

  // For Make.
  ExecPlugin(const Config& config, std::optional<ExecCluster> cluster, base::CounterVec calls,
             base::CounterVec policy_calls);

 private:
  absl::StatusOr<Credentials> RunUnnamed(const Context& ctx);
  absl::StatusOr<bool> IsInteractive() const;
  absl::StatusOr<SubprocessOptions> Prepare();
  absl::Status CheckResult(const absl::StatusOr<SubprocessResult>& result) const;
  void HelpToInstall(const absl::Status& not_found);
  void NoteExpiration(const Credentials& credentials);

  const ExecConfig config_;
  const ExecPolicy policy_;
  const std::optional<ExecCluster> cluster_;
  const base::CounterVec calls_;
  const base::CounterVec policy_calls_;
  TenTimesAnHour help_;
  std::atomic<bool> noted_expiration_{false};
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_PLUGIN_H_
