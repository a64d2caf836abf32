#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_SOURCE_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_SOURCE_H_

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "clientset/rest/internal/credentials/credential_cache.h"
#include "clientset/rest/internal/credentials/credential_source.h"

namespace kube::rest::internal {

// Gets credentials from a plug-in once, and keeps them until they expire or a server rejects them.
// (client-go: `exec.Authenticator`)
//
// Only one run of the plug-in is in progress at a time, on a thread of the real clock, for all
// callers that need credentials; when the last of them has left, the run is stopped. See
// CredentialCache.
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

  // The destructor stops a run that is in progress and waits for its end.
  ExecSource(Runner runner, Metrics metrics);

  absl::StatusOr<std::shared_ptr<const Credentials>> Get(const Context& ctx) override;
  // As Get, because the certificate of a new connection may come from the plug-in. If it fails, and
  // `ctx` is not done, returns the last credentials, if there are any: an open connection does not
  // need others.
  absl::StatusOr<std::shared_ptr<const Credentials>> GetWithoutAuthorization(
      const Context& ctx) override;
  absl::StatusOr<bool> Rejected(const Context& ctx, const Credentials& used) override;

  // Returns how many callers wait for the current run.
  int waiting() const { return cache_.waiting(); }

 private:
  absl::StatusOr<Credentials> Run(const Context& ctx);

  const Runner runner_;
  const Metrics metrics_;
  CredentialCache cache_;  // the last member: its thread uses the others
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_SOURCE_H_
