// Two threads, as in client-go. The renewer waits for the certificate's deadline and renews it. The
// watcher exists if the names to request may change: every second it compares them with the
// certificate and with the last request. If both are outdated, it ends the renewer's wait, be it
// for the deadline or for a certificate that nobody wants any more.

#include "clientset/certificate/certificate_manager.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/context_fields.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/metric_members.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/certificate/internal/rotation.h"
#include "clientset/certificate/key_pair.h"
#include "clientset/certificate/signing_request.h"
#include "clientset/rest/client.h"
#include "net/certificates/certificate_request.h"

namespace kube::certificate {

namespace {

constexpr absl::Duration kLoopInterval = absl::Seconds(1);
constexpr absl::Duration kRetryInterval = absl::Seconds(32);
// The time for one request to be answered, and then to be approved and signed.
constexpr absl::Duration kWaitTimeout = absl::Minutes(15);
// The time of day may jump, and the monotonic clock stands still while a machine is suspended.
constexpr absl::Duration kLongestSleep = absl::Minutes(1);

base::Backoff FirstRetries() {
  return {.duration = absl::Seconds(2), .factor = 2, .jitter = 0.1, .steps = 5};
}

// Those of the kubelet: a minute, an hour, four hours, a day, a week, and so on up to four years.
std::vector<double> AgeBuckets() {
  return {60, 3600, 14400, 86400, 604800, 2592000, 7776000, 15552000, 31104000, 124416000};
}

absl::Status Validate(const CertificateManagerOptions& options) {
  if (options.store == nullptr) return absl::InvalidArgumentError("store must not be null");
  if (options.signer_name.empty()) {
    return absl::InvalidArgumentError("signer_name must not be empty");
  }
  if (options.metrics == nullptr) return absl::InvalidArgumentError("metrics must not be null");
  if (options.usages == nullptr) return absl::InvalidArgumentError("usages must not be null");
  if (options.generate_key == nullptr) {
    return absl::InvalidArgumentError("generate_key must not be null");
  }
  return absl::OkStatus();
}

bool HasExpired(const KeyPair& pair) { return base::WallNow() > pair.details.not_after; }

struct Initial {
  std::shared_ptr<const KeyPair> pair = {};
  bool force_rotation = true;
};

// (client-go: `getCurrentCertificateOrBootstrap`)
absl::StatusOr<Initial> FindInitial(const CertificateManagerOptions& options) {
  absl::StatusOr<std::shared_ptr<const KeyPair>> current = options.store->Current();
  if (current.ok() && !HasExpired(**current)) {
    return Initial{.pair = *std::move(current), .force_rotation = false};
  }
  if (!current.ok() && !absl::IsNotFound(current.status())) return current.status();
  if (options.bootstrap_certificate.empty() || options.bootstrap_key.empty()) return Initial();
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const KeyPair> bootstrap,
                        MakeKeyPair(options.bootstrap_certificate, options.bootstrap_key),
                        "use bootstrap certificate");
  const absl::Status stored =
      options.store->Update(options.bootstrap_certificate, options.bootstrap_key).status();
  if (!stored.ok()) {
    log::Error(stored, "unable to set the cert/key pair to the bootstrap certificate");
  }
  return Initial{.pair = std::move(bootstrap)};
}

}  // namespace

absl::StatusOr<std::shared_ptr<CertificateManager>> CertificateManager::Make(
    CertificateManagerOptions options) {
  KUBE_RETURN_IF_ERROR(Validate(options), "make certificate manager");
  if (options.name.empty()) options.name = options.signer_name;
  KUBE_ASSIGN_OR_RETURN(Initial initial, FindInitial(options), "make certificate manager \"",
                        options.name, "\"");
  return std::make_shared<CertificateManager>(Key(), std::move(options), std::move(initial.pair),
                                              initial.force_rotation);
}

CertificateManager::CertificateManager(Key /*key*/, CertificateManagerOptions options,
                                       std::shared_ptr<const KeyPair> initial, bool force_rotation)
    : options_(std::move(options)),
      metrics_(MakeMetrics(options_)),
      force_rotation_(force_rotation),
      current_(std::move(initial)),
      is_bootstrap_(force_rotation) {
  base::MutexLock lock(mutex_);
  if (current_ != nullptr) {
    metrics_.expiration.Set(absl::ToDoubleSeconds(current_->details.not_after - absl::UnixEpoch()));
  }
}

CertificateManager::Metrics CertificateManager::MakeMetrics(
    const CertificateManagerOptions& options) {
  const absl::string_view name = options.name;
  const base::GaugeVec expiration = base::NewGaugeVec(
      *options.metrics, {.name = "certificate_manager_expiration_timestamp_seconds",
                         .help = "Time at which the current certificate expires.",
                         .label_names = {"manager"}});
  const base::HistogramVec rotation = base::NewHistogramVec(
      *options.metrics,
      {.name = "certificate_manager_rotation_seconds",
       .help = "Number of seconds the previous certificate lived before being rotated.",
       .label_names = {"manager"},
       .buckets = AgeBuckets()});
  const base::CounterVec errors =
      base::NewCounterVec(*options.metrics, {.name = "certificate_manager_renew_errors_total",
                                             .help = "Counter of certificate renewal errors.",
                                             .label_names = {"manager"}});
  return {.expiration = expiration.WithLabelValues({name}),
          .rotation = rotation.WithLabelValues({name}),
          .errors = errors.WithLabelValues({name})};
}

absl::Status CertificateManager::Start(const Context& ctx) {
  const Context logged = WithLogFields(ctx, {{"manager", options_.name}});
  if (options_.client == nullptr) {
    KUBE_VLOG_CTX(logged, 2, "certificate rotation is not enabled, there is no client");
    return absl::OkStatus();
  }
  KUBE_VLOG_CTX(logged, 2, "certificate rotation is enabled");
  KUBE_RETURN_IF_ERROR(renewer_.Start(logged, "certificate-renewer", [this](const Context& body) {
    base::Until(body, kLoopInterval, [this](const Context& run) { RotateWhenDue(run); });
  }));
  if (options_.get_request == nullptr) return absl::OkStatus();
  const absl::Status watched =
      watcher_.Start(logged, "certificate-request-watcher", [this](const Context& body) {
        base::Until(body, kLoopInterval,
                    [this](const Context& run) { LookForAnotherRequest(run); });
      });
  if (!watched.ok()) renewer_.RequestStop();
  return watched;
}

void CertificateManager::Stop() {
  watcher_.RequestStop();
  renewer_.RequestStop();
}

std::shared_ptr<const KeyPair> CertificateManager::Current() const {
  const absl::Time now = base::WallNow();
  base::MutexLock lock(mutex_);
  if (current_ == nullptr || now > current_->details.not_after) return nullptr;
  return current_;
}

absl::Status CertificateManager::WaitForCurrent(const Context& ctx) const {
  absl::Status waited;
  absl::Status last;
  {
    base::MutexLock lock(mutex_);
    if (options_.client == nullptr && !HasSigned()) {
      return absl::FailedPreconditionError(
          "wait for certificate: the store has none, or it has expired, and there is no client to "
          "request one");
    }
    waited = changed_.Wait(ctx, mutex_,
                           [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return HasSigned(); });
    last = last_error_;
  }
  if (waited.ok() || last.ok()) return waited;
  return base::Annotate(waited, last.message());
}

bool CertificateManager::HasSigned() const {
  return current_ != nullptr && !is_bootstrap_ && !HasExpired(*current_);
}

bool CertificateManager::ServerHealthy() const {
  base::MutexLock lock(mutex_);
  return server_healthy_;
}

CertificateManager::Request CertificateManager::WantedRequest() const {
  return options_.get_request == nullptr ? Request(options_.request) : options_.get_request();
}

bool CertificateManager::SatisfiesRequest(const Context& ctx, const Request& wanted) const {
  std::shared_ptr<const KeyPair> current;
  {
    base::MutexLock lock(mutex_);
    current = current_;
  }
  if (current == nullptr) return false;
  if (!wanted.has_value()) return true;
  const absl::Status satisfies = internal::CheckSatisfies(current->details, *wanted);
  if (!satisfies.ok()) {
    KUBE_VLOG_CTX(ctx, 2, "certificate lacks what is requested", {"cause", satisfies.message()});
  }
  return satisfies.ok();
}

absl::Time CertificateManager::NextDeadline(const Context& ctx) {
  if (std::exchange(force_rotation_, false)) return base::WallNow();
  if (!SatisfiesRequest(ctx, WantedRequest())) return base::WallNow();
  std::shared_ptr<const KeyPair> current;
  {
    base::MutexLock lock(mutex_);
    current = current_;
  }
  const absl::Time deadline = internal::RotationDeadline(current->details);
  KUBE_VLOG_CTX(ctx, 2, "certificate rotation deadline determined",
                {"expiration", current->details.not_after}, {"deadline", deadline});
  return deadline;
}

bool CertificateManager::WaitUntilDue(const Context& ctx) {
  const absl::Time deadline = NextDeadline(ctx);
  while (!ctx.done()) {
    const absl::Duration left = deadline - base::WallNow();
    if (left <= absl::ZeroDuration()) return true;
    Request last;
    {
      base::MutexLock lock(mutex_);
      const bool changed = changed_.WaitUntil(
          ctx, mutex_, base::Now() + std::min(left, kLongestSleep),
          [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return request_changed_; });
      if (!changed) continue;
      request_changed_ = false;
      last = last_request_;
    }
    // Requested meanwhile: the deadline is another one.
    if (last == WantedRequest()) return false;
    KUBE_VLOG_CTX(ctx, 2, "certificate template changed, rotating");
    return true;
  }
  return false;
}

void CertificateManager::RotateWhenDue(const Context& ctx) {
  if (!WaitUntilDue(ctx)) return;
  // Nothing is wanted yet. That is no failure, which would lead to a long pause.
  if (!WantedRequest().has_value()) return;
  const auto rotate = [this](const Context& run) -> absl::StatusOr<bool> { return Rotate(run); };
  const absl::Status rotated = base::ExponentialBackoff(ctx, FirstRetries(), rotate);
  if (rotated.ok() || ctx.done()) return;
  log::Error(ctx, rotated, "reached backoff limit, still unable to rotate certs");
  base::PollUntil(ctx, kRetryInterval, base::FirstPoll::kAfterInterval, rotate).IgnoreError();
}

void CertificateManager::LookForAnotherRequest(const Context& ctx) {
  const Request wanted = WantedRequest();
  if (SatisfiesRequest(ctx, wanted)) return;
  std::shared_ptr<CancelScope> outdated;
  {
    base::MutexLock lock(mutex_);
    if (last_request_ == wanted) return;
    outdated = last_wait_;
    request_changed_ = true;
  }
  if (outdated != nullptr) outdated->Cancel();
  changed_.NotifyAll();
}

bool CertificateManager::Rotate(const Context& ctx) {
  KUBE_VLOG_CTX(ctx, 2, "rotating certificates");
  const absl::Status renewed = Renew(ctx);
  if (!renewed.ok() && !ctx.done()) {
    metrics_.errors.Increment();
    log::Error(ctx, renewed, "unable to renew certificate");
  }
  base::MutexLock lock(mutex_);
  last_error_ = renewed;
  return renewed.ok();
}

absl::Status CertificateManager::Renew(const Context& ctx) {
  const Request wanted = WantedRequest();
  if (!wanted.has_value()) {
    return absl::FailedPreconditionError("unable to create a csr, no template available");
  }
  KUBE_ASSIGN_OR_RETURN(const base::Secret key, options_.generate_key(),
                        "unable to generate a new private key");
  KUBE_RETURN_IF_ERROR(certificates::CheckKeyStrength(key), "the new key is insecure");
  KUBE_ASSIGN_OR_RETURN(const std::string request, certificates::MakeRequest(*wanted, key));
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, options_.client(Current()),
                        "unable to load a client to request certificates");
  const absl::StatusOr<SigningRequestId> id =
      RequestCertificate(WithTimeout(ctx, kWaitTimeout), client, request, key,
                         {.signer_name = options_.signer_name,
                          .usages = options_.usages(key),
                          .lifetime = options_.lifetime});
  if (!id.ok()) {
    NoteServerError(id.status());
    return id.status();
  }
  const auto scope = std::make_shared<CancelScope>(WithCancel(ctx));
  {
    base::MutexLock lock(mutex_);
    last_request_ = wanted;
    last_wait_ = scope;
  }
  KUBE_ASSIGN_OR_RETURN(
      const std::string certificate,
      WaitForCertificate(WithTimeout(scope->context(), kWaitTimeout), client, *id));
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const KeyPair> renewed,
                        options_.store->Update(certificate, key),
                        "unable to store the new cert/key pair");
  Replace(std::move(renewed));
  return absl::OkStatus();
}

// (client-go: `updateServerError`)
void CertificateManager::NoteServerError(const absl::Status& error) {
  // A proxy that ends TLS may say 401 in place of the server. An answer that is not a Status of
  // Kubernetes comes from a proxy or a load balancer that does not reach the server.
  const bool healthy =
      errors::IsUnauthorized(error) || (!errors::IsUnexpectedServerError(error) &&
                                        (errors::IsNotFound(error) || errors::IsForbidden(error)));
  base::MutexLock lock(mutex_);
  server_healthy_ = healthy;
}

void CertificateManager::Replace(std::shared_ptr<const KeyPair> renewed) {
  metrics_.expiration.Set(absl::ToDoubleSeconds(renewed->details.not_after - absl::UnixEpoch()));
  std::shared_ptr<const KeyPair> old;
  {
    base::MutexLock lock(mutex_);
    server_healthy_ = true;
    is_bootstrap_ = false;
    old = std::exchange(current_, std::move(renewed));
  }
  changed_.NotifyAll();
  if (old == nullptr) return;
  metrics_.rotation.Observe(absl::ToDoubleSeconds(base::WallNow() - old->details.not_before));
}

}  // namespace kube::certificate
