#ifndef CLIENTSET_CERTIFICATE_CERTIFICATE_MANAGER_H_
#define CLIENTSET_CERTIFICATE_CERTIFICATE_MANAGER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/thread.h"
#include "clientset/certificate/key_pair.h"
#include "clientset/certificate/signing_request.h"
#include "clientset/certificate/store.h"
#include "clientset/rest/client.h"
#include "net/certificates/certificate_request.h"

namespace kube::certificate {

// Options of CertificateManager. The functions are called on the manager's threads, one at a time
// each; they may block, but must not destroy the manager. (client-go: `certificate.Config`)
struct CertificateManagerOptions {
  // Returns the client that requests certificates; it is given the present certificate, or null if
  // it does not exist or has expired. A node agent returns a client with its bootstrap credentials
  // then, and one with its certificate otherwise. Default: null, the certificate of the store is
  // used and never renewed. (client-go: `ClientsetFn`)
  std::function<absl::StatusOr<rest::Client>(const std::shared_ptr<const KeyPair>& current)>
      client = {};

  // The names to request. (client-go: `Template`)
  certificates::RequestTemplate request = {};
  // Returns the names to request in place of `request`, and is asked every second: a certificate
  // that lacks one of them is replaced at once. Nothing is requested as long as it returns nullopt.
  // Use it if addresses change while the program runs. Default: null. (client-go: `GetTemplate`)
  std::function<std::optional<certificates::RequestTemplate>()> get_request = {};

  // As in SigningRequestOptions. `signer_name` must not be empty.
  std::string signer_name = {};
  absl::Duration lifetime = absl::ZeroDuration();
  // Returns what the certificate is for; ServingUsages for a server. (client-go: `GetUsages`)
  std::function<std::vector<std::string>(const base::Secret& key)> usages = ClientUsages;

  // Where certificate and key are kept. Must not be null, and must not be used by others.
  std::shared_ptr<Store> store = {};
  // A certificate and a key in PEM that are used if the store has none, or one that has expired,
  // and replaced as soon as possible. Default: none. (client-go: `BootstrapCertificatePEM`,
  // `BootstrapKeyPEM`)
  std::string bootstrap_certificate = {};
  base::Secret bootstrap_key = {};

  // Makes the key of each request, in PEM: RSA with at least 2048 bits or an elliptic curve with at
  // least 256. Default: a new P-256 key. (client-go: `GenerateKey`)
  std::function<absl::StatusOr<base::Secret>()> generate_key = certificates::MakePrivateKey;

  // For log lines, and the label "manager" of the metrics. Default: `signer_name`.
  std::string name = {};
  // Receives certificate_manager_expiration_timestamp_seconds, the time at which the certificate
  // expires; certificate_manager_rotation_seconds, the age of a certificate when it is replaced;
  // and certificate_manager_renew_errors_total. Default: nowhere. (client-go:
  // `CertificateRotation`, `CertificateRenewFailure`)
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
};

// Keeps a certificate that the cluster signs, and renews it before it expires, as the kubelet does.
// (client-go: `certificate.Manager`)
//
//   KUBE_ASSIGN_OR_RETURN(const auto manager,
//                         certificate::CertificateManager::Make(
//                             {.client = [client](const auto&) { return client; },
//                              .request = {.common_name = "agent", .organizations = {"agents"}},
//                              .signer_name = "kubernetes.io/kube-apiserver-client",
//                              .store = std::make_shared<certificate::MemoryStore>()}));
//   KUBE_RETURN_IF_ERROR(manager->Start(ctx));
//   KUBE_RETURN_IF_ERROR(manager->WaitForCurrent(WithTimeout(ctx, absl::Minutes(15))));
//   certificate::UseCertificateOf(manager, config);
//
// A certificate is renewed at a random moment between 70 and 90 percent of its lifetime, by the
// time of day; at once if it does not exist yet, is the bootstrap certificate, or lacks a name of
// the request. A renewal makes a key, creates a CertificateSigningRequest, for which the server has
// 15 minutes, and waits up to 15 minutes for its certificate; the previous one stays in use
// meanwhile. A renewal that fails is logged, and repeated after 2, 4, 8 and 16 seconds, and then
// every 32 seconds. Each attempt is a new request. Keys are never logged.
//
// Thread-safe, except that Start must be called only once, and Stop only after Start has returned.
// It uses the clock of the Runtime of the thread that calls Start.
class CertificateManager final {
 private:
  // Restricts the constructor to Make.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Reads the current pair of the store, or stores the bootstrap pair. Sends nothing. Returns
  // INVALID_ARGUMENT if an option is missing or the bootstrap pair cannot be used, and the errors
  // of the store other than NOT_FOUND. (client-go: `NewManager`)
  static absl::StatusOr<std::shared_ptr<CertificateManager>> Make(
      CertificateManagerOptions options);

  // Use Make.
  CertificateManager(Key, CertificateManagerOptions options, std::shared_ptr<const KeyPair> initial,
                     bool force_rotation);

  // Starts the threads that renew the certificate; they end with `ctx`, after Stop, or with this
  // object, whose destructor waits for them. Without options.client it does nothing. Returns
  // RESOURCE_EXHAUSTED if the system has no threads left.
  absl::Status Start(const Context& ctx);

  // Ends the renewals. Does not wait for one that has begun, which then fails soon. Current() stays
  // as it is.
  void Stop();

  // Returns the certificate with its key, the same object until it is renewed. Null until the
  // first one is known, and after it has expired.
  std::shared_ptr<const KeyPair> Current() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Blocks until Current() returns a certificate that was signed by the cluster or came from the
  // store. Returns the status of `ctx` if that is done first, with the error of the last renewal.
  // Without options.client it returns FAILED_PRECONDITION instead of waiting. (client-go has none)
  absl::Status WaitForCurrent(const Context& ctx) const ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns whether the last answer of the API server shows that it works: true after a renewal,
  // and also if it answered the request with 401, 403 or 404. False at first. (client-go:
  // `ServerHealthy`)
  bool ServerHealthy() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Request = std::optional<certificates::RequestTemplate>;

  struct Metrics {
    base::Gauge expiration;
    base::Histogram rotation;
    base::Counter errors;
  };
  static Metrics MakeMetrics(const CertificateManagerOptions& options);

  // Returns whether `current_` is what WaitForCurrent waits for.
  bool HasSigned() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Request WantedRequest() const;
  // Returns whether the present certificate has what is wanted. Logs at level 2 what it lacks.
  bool SatisfiesRequest(const Context& ctx, const Request& wanted) const
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Time NextDeadline(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  // Waits for the deadline, or for another request, and renews, until that has succeeded.
  void RotateWhenDue(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether a renewal is due; false if `ctx` is done or it need not be renewed any more.
  bool WaitUntilDue(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends a wait for a certificate that is not wanted any more, and wakes WaitUntilDue.
  void LookForAnotherRequest(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  // One renewal, and what is logged and counted of it. Returns whether it succeeded.
  bool Rotate(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Renew(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  void NoteServerError(const absl::Status& error) ABSL_LOCKS_EXCLUDED(mutex_);
  void Replace(std::shared_ptr<const KeyPair> renewed) ABSL_LOCKS_EXCLUDED(mutex_);

  const CertificateManagerOptions options_;
  const Metrics metrics_;
  // Used by the renewing thread alone.
  bool force_rotation_;

  mutable base::Mutex mutex_;
  mutable base::CondVar changed_;
  std::shared_ptr<const KeyPair> current_ ABSL_GUARDED_BY(mutex_);
  // Whether `current_` is the bootstrap certificate.
  bool is_bootstrap_ ABSL_GUARDED_BY(mutex_);
  bool server_healthy_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status last_error_ ABSL_GUARDED_BY(mutex_);
  // What the last CertificateSigningRequest was made for, and what ends the wait for it.
  Request last_request_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<CancelScope> last_wait_ ABSL_GUARDED_BY(mutex_);
  bool request_changed_ ABSL_GUARDED_BY(mutex_) = false;

  // Declared last: they use all of the above.
  base::Thread watcher_;
  base::Thread renewer_;
};

}  // namespace kube::certificate

#endif  // CLIENTSET_CERTIFICATE_CERTIFICATE_MANAGER_H_
