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

// Allows something ten times within an hour, which begins with the first time. (client-go:
// `exec.sometimes`) Thread-safe.
class TenTimesAnHour {
 public:
  // Returns whether it may happen now, and counts it.
  bool Take();

 private:
  base::Mutex mutex_;
  std::optional<base::MonotonicTime> window_ ABSL_GUARDED_BY(mutex_);
  int count_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Runs the exec plug-in of a configuration. It keeps no credentials. Thread-safe.
class ExecPlugin {
 public:
  // Requires `config.exec`. Returns INVALID_ARGUMENT as MakeAuthenticator does. The program need
  // not exist yet.
  static absl::StatusOr<std::unique_ptr<ExecPlugin>> Make(const Config& config);

  // Runs the plug-in once, on the real clock, and blocks until it has ended. Errors begin with
  // `exec plug-in "NAME": `. Returns ctx.status(); DEADLINE_EXCEEDED after the plug-in's own
  // timeout; FAILED_PRECONDITION if the program is not allowed or not found, or if it needs a
  // terminal and there is none; UNAVAILABLE if it fails; INVALID_ARGUMENT if its output is not a
  // credential.
  absl::StatusOr<Credentials> Run(const Context& ctx);

  // Use Make.
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
