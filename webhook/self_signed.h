#ifndef WEBHOOK_SELF_SIGNED_H_
#define WEBHOOK_SELF_SIGNED_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "net/certificates/certificate_authority.h"
#include "net/certificates/certificate_source.h"

namespace kube::webhook {

// Options of SelfSignedCertificates.
struct SelfSignedOptions {
  // The names and addresses by which API servers call the webhooks: "hooks.prod.svc" for the
  // service "hooks" in the namespace "prod", and the host of a URL. Default: localhost and
  // 127.0.0.1.
  std::vector<std::string> dns_names = {"localhost"};
  std::vector<std::string> ip_addresses = {"127.0.0.1"};

  // How long a certificate is valid. It is renewed after two thirds of that. Default: ninety days.
  // At least a minute, and at most 180 days, because the authority is valid for a year.
  absl::Duration validity = absl::Hours(24 * 90);

  // The configurations in the API server that are told the authority, by Manager alone: see
  // ca_bundle.h. They need not exist yet. Default: none; the program tells them itself. RunOperator
  // fills in what is empty, or the default: the names in the manifests that it prints, and as DNS
  // names those of their Services.
  std::vector<std::string> mutating_configurations = {};
  std::vector<std::string> validating_configurations = {};
  // Names of CustomResourceDefinitions, such as "websites.sites.example.com". If any of these three
  // lists has a name, Manager adds the definitions of the kinds that its webhooks convert.
  std::vector<std::string> definitions = {};
};

// Certificates that the process makes for itself, with an authority of its own. No files and no
// cert-manager are needed; instead the API server has to be told the authority: see AddCaBundle.
// Each replica of a program has another authority. (controller-runtime has none: its users take
// cert-manager or open-policy-agent/cert-controller)
//
// The authority changes some months before it expires: ca_certificate() has the next one for as
// long as from one renewal to another before the first certificate of it is shown. A program that
// runs for months therefore calls AddCaBundle now and then, as Manager does.
//
//   KUBE_ASSIGN_OR_RETURN(const auto certificates,
//                         SelfSignedCertificates::Make({.dns_names = {"hooks.prod.svc"}}));
//   KUBE_RETURN_IF_ERROR(certificates->Start(ctx));
//
// Uses the clock of the Runtime of the thread that calls Start. Thread-safe, except that Start must
// be called only once.
class SelfSignedCertificates final : public certificates::CertificateSource {
 private:
  // Restricts the constructor to Make.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Makes the authority and the first certificate, which takes about a millisecond. Returns
  // INVALID_ARGUMENT if the certificate would have no name and no address, if one of them cannot be
  // in a certificate, or if `validity` is too short, and RESOURCE_EXHAUSTED if OpenSSL lacks memory
  // or randomness.
  static absl::StatusOr<std::shared_ptr<SelfSignedCertificates>> Make(SelfSignedOptions options);

  SelfSignedCertificates(Key, SelfSignedOptions options);

  // Starts the thread that renews the certificate, by the time of day: it looks every minute, so a
  // clock that jumps, or a machine that was suspended, delays a renewal by no more than that. It
  // ends with `ctx` or with this object. Returns RESOURCE_EXHAUSTED if the system has no threads
  // left.
  absl::Status Start(const Context& ctx);

  // Makes a new certificate now, which new connections get. Returns the errors of Make; the present
  // certificate and the authorities then stay.
  absl::Status Renew() ABSL_LOCKS_EXCLUDED(renewing_, mutex_);

  std::shared_ptr<const certificates::ServerCertificates> Current() const override
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the certificate of the authority, in PEM, and that of the next one if it has been made:
  // what `caBundle` of a configuration must have, in base64.
  std::string ca_certificate() const ABSL_LOCKS_EXCLUDED(mutex_);

  const SelfSignedOptions& options() const { return options_; }

 private:
  struct Authority {
    certificates::CertificateAuthority authority;
    absl::Time end;  // when it expires
  };
  using Shared = std::shared_ptr<const Authority>;
  // The authority that signs, and the one that will sign after it.
  struct Authorities {
    Shared signs = nullptr;
    Shared next = nullptr;  // null: not needed yet
    absl::Time announced = absl::InfinitePast();
  };

  static absl::StatusOr<Shared> MakeAuthority();
  // Changes the authorities to those of a renewal at `now`.
  absl::Status Advance(Authorities& authorities, absl::Time now) const;
  // Returns the time until the certificate is to be renewed, which is not positive if it is due.
  absl::Duration TimeToRenewal() const ABSL_LOCKS_EXCLUDED(mutex_);
  void KeepRenewed(const Context& ctx);

  const SelfSignedOptions options_;
  // Held during a renewal, so that two at a time announce no authority that is lost. Locked before
  // mutex_, which is never held for long: Current is called on an I/O thread.
  base::Mutex renewing_;
  mutable base::Mutex mutex_;
  Authorities authorities_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const certificates::ServerCertificates> current_ ABSL_GUARDED_BY(mutex_);
  absl::Time issued_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  absl::Time not_after_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  // Declared last: it uses all of the above.
  base::Thread thread_;
};

}  // namespace kube::webhook

#endif  // WEBHOOK_SELF_SIGNED_H_
