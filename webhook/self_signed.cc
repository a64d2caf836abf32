// An authority signs until a certificate that is made one renewal later could outlast it. Then the
// next authority is made and announced by ca_certificate(), and signs from the first renewal on
// that is a renewal period later, so that API servers have had that time to learn it. Until then
// certificates end with the old authority at the latest. Only an authority that is about to expire,
// because the process did not run for months, is replaced at once.

#include "webhook/self_signed.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "net/certificates/certificate_authority.h"
#include "net/certificates/certificate_source.h"

namespace kube::webhook {
namespace {

constexpr absl::Duration kMinValidity = absl::Minutes(1);
constexpr absl::Duration kMaxValidity = absl::Hours(24 * 180);
// CertificateAuthority's, rounded down.
constexpr absl::Duration kAuthorityValidity = absl::Hours(24 * 365);
// The beginning of the validity, before now: clocks of API servers may be slow.
constexpr absl::Duration kClockSkew = absl::Hours(1);
// The wait after a renewal that has failed.
constexpr absl::Duration kRetry = absl::Seconds(10);
// The time of day may jump, and the monotonic clock stands still while a machine is suspended.
constexpr absl::Duration kLongestSleep = absl::Minutes(1);

// Returns the time from the issue of a certificate to its renewal.
absl::Duration PeriodOf(absl::Duration validity) { return validity * 2 / 3; }

absl::Status Validate(const SelfSignedOptions& options) {
  if (options.dns_names.empty() && options.ip_addresses.empty()) {
    return absl::InvalidArgumentError("it needs a DNS name or an IP address");
  }
  if (options.validity < kMinValidity || options.validity > kMaxValidity) {
    return absl::InvalidArgumentError(absl::StrCat("validity must be between ",
                                                   absl::FormatDuration(kMinValidity), " and ",
                                                   absl::FormatDuration(kMaxValidity)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<SelfSignedCertificates>> SelfSignedCertificates::Make(
    SelfSignedOptions options) {
  KUBE_RETURN_IF_ERROR(Validate(options), "make self-signed certificates");
  auto made = std::make_shared<SelfSignedCertificates>(Key(), std::move(options));
  KUBE_RETURN_IF_ERROR(made->Renew());
  return made;
}

SelfSignedCertificates::SelfSignedCertificates(Key /*key*/, SelfSignedOptions options)
    : options_(std::move(options)) {}

absl::StatusOr<SelfSignedCertificates::Shared> SelfSignedCertificates::MakeAuthority() {
  const absl::Time end = base::WallNow() + kAuthorityValidity;
  // Authorities of replicas and of restarts stand in one bundle; with names of their own a verifier
  // need not try them all.
  KUBE_ASSIGN_OR_RETURN(
      certificates::CertificateAuthority authority,
      certificates::CertificateAuthority::Make(absl::StrCat("webhook-ca-", base::RandomString(8))));
  return std::make_shared<const Authority>(
      Authority{.authority = std::move(authority), .end = end});
}

absl::Status SelfSignedCertificates::Advance(Authorities& authorities, absl::Time now) const {
  const bool ends = authorities.signs != nullptr && authorities.signs->end < now + kMinValidity;
  if (authorities.next != nullptr &&
      (ends || now - authorities.announced >= PeriodOf(options_.validity))) {
    authorities.signs = std::exchange(authorities.next, nullptr);
  } else if (authorities.signs == nullptr || ends) {
    KUBE_ASSIGN_OR_RETURN(authorities.signs, MakeAuthority());
  }
  if (authorities.next == nullptr && authorities.signs->end < now + 2 * options_.validity) {
    KUBE_ASSIGN_OR_RETURN(authorities.next, MakeAuthority());
    authorities.announced = now;
  }
  return absl::OkStatus();
}

absl::Status SelfSignedCertificates::Start(const Context& ctx) {
  return thread_.Start(ctx, "webhook-certificates",
                       [this](const Context& body) { KeepRenewed(body); });
}

void SelfSignedCertificates::KeepRenewed(const Context& ctx) {
  while (!ctx.done()) {
    const absl::Duration left = TimeToRenewal();
    if (left > absl::ZeroDuration()) {
      base::SleepFor(ctx, std::min(left, kLongestSleep)).IgnoreError();
      continue;
    }
    const absl::Status renewed = Renew();
    if (renewed.ok()) continue;
    log::Error(renewed, "failed to renew certificate");
    base::SleepFor(ctx, std::min(kRetry, options_.validity / 10)).IgnoreError();
  }
}

absl::Duration SelfSignedCertificates::TimeToRenewal() const {
  const absl::Time now = base::WallNow();
  base::MutexLock lock(mutex_);
  // The clock was set back, and the certificate is not valid yet.
  if (now < issued_ - kClockSkew) return absl::ZeroDuration();
  return issued_ + PeriodOf(not_after_ - issued_) - now;
}

absl::Status SelfSignedCertificates::Renew() {
  base::MutexLock one_at_a_time(renewing_);
  Authorities authorities;
  {
    base::MutexLock lock(mutex_);
    authorities = authorities_;
  }
  const absl::Time now = base::WallNow();
  KUBE_RETURN_IF_ERROR(Advance(authorities, now), "make self-signed certificates");
  const absl::Duration validity = std::min(options_.validity, authorities.signs->end - now);
  KUBE_ASSIGN_OR_RETURN(
      certificates::Certificate issued,
      authorities.signs->authority.Issue({.common_name = options_.dns_names.empty()
                                                             ? options_.ip_addresses.front()
                                                             : options_.dns_names.front(),
                                          .dns_names = options_.dns_names,
                                          .ip_addresses = options_.ip_addresses,
                                          .client = false,
                                          .valid_from = -kClockSkew,
                                          .valid_until = validity}),
      "make self-signed certificates");
  auto made = std::make_shared<const certificates::ServerCertificates>(
      certificates::ServerCertificates{.certificate_chain = std::move(issued.certificate),
                                       .private_key = std::move(issued.key)});
  base::MutexLock lock(mutex_);
  authorities_ = std::move(authorities);
  current_ = std::move(made);
  issued_ = now;
  not_after_ = now + validity;
  return absl::OkStatus();
}

std::string SelfSignedCertificates::ca_certificate() const {
  base::MutexLock lock(mutex_);
  std::string bundle = authorities_.signs->authority.certificate();
  if (authorities_.next != nullptr) {
    absl::StrAppend(&bundle, authorities_.next->authority.certificate());
  }
  return bundle;
}

std::shared_ptr<const certificates::ServerCertificates> SelfSignedCertificates::Current() const {
  base::MutexLock lock(mutex_);
  return current_;
}

}  // namespace kube::webhook
