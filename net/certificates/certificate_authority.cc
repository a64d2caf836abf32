#include "net/certificates/certificate_authority.h"

#include <openssl/asn1.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "net/certificates/certificate_request.h"
#include "net/certificates/internal/x509.h"

namespace kube::certificates {

namespace {

using internal::AddName;
using internal::MakeExtension;
using internal::MakeKey;
using internal::OpenSslError;
using internal::ToPem;
using internal::UniqueCertificate;
using internal::UniqueExtension;
using internal::UniqueKey;

struct FreeNumber {
  void operator()(BIGNUM* number) const { BN_free(number); }
};
using UniqueNumber = std::unique_ptr<BIGNUM, FreeNumber>;

// RFC 5280's upper bound of a common name.
constexpr size_t kMaxCommonName = 64;

// Makes a certificate without issuer and extensions.
absl::StatusOr<UniqueCertificate> Begin(const CertificateOptions& options, EVP_PKEY* key) {
  UniqueCertificate certificate(X509_new());
  X509* const x509 = certificate.get();
  X509_set_version(x509, X509_VERSION_3);
  const UniqueNumber serial(BN_new());
  BN_rand(serial.get(), 127, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY);
  BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(x509));
  const absl::Time now = base::WallNow();
  ASN1_TIME_set(X509_getm_notBefore(x509), absl::ToTimeT(now + options.valid_from));
  ASN1_TIME_set(X509_getm_notAfter(x509), absl::ToTimeT(now + options.valid_until));
  X509_set_pubkey(x509, key);
  X509_NAME* const name = X509_get_subject_name(x509);
  for (const std::string& organization : options.organizations) {
    KUBE_RETURN_IF_ERROR(AddName(name, "O", organization));
  }
  // A host may be longer, and stands among the alternative names, which alone are verified.
  if (options.common_name.size() <= kMaxCommonName) {
    KUBE_RETURN_IF_ERROR(AddName(name, "CN", options.common_name));
  } else if (!options.server) {
    return absl::InvalidArgumentError(
        absl::StrCat("a user's name may have ", kMaxCommonName, " bytes"));
  }
  return certificate;
}

// Adds an extension. `value` has the syntax of OpenSSL's configuration files.
absl::Status AddExtension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  KUBE_ASSIGN_OR_RETURN(const UniqueExtension extension, MakeExtension(context, nid, value));
  if (X509_add_ext(certificate, extension.get(), -1) != 1) return OpenSslError("add extension");
  return absl::OkStatus();
}

absl::Status Sign(X509* certificate, X509* issuer, EVP_PKEY* key) {
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  if (X509_sign(certificate, key, EVP_sha256()) == 0) return OpenSslError("sign certificate");
  return absl::OkStatus();
}

// Returns a certificate in PEM for `key`, which may be a public key only.
absl::StatusOr<std::string> IssueFor(const CertificateOptions& options, X509* issuer,
                                     EVP_PKEY* issuer_key, EVP_PKEY* key) {
  KUBE_ASSIGN_OR_RETURN(const UniqueCertificate certificate, Begin(options, key),
                        "issue certificate");
  X509* const x509 = certificate.get();
  std::vector<std::string> usages;
  if (options.server) usages.emplace_back("serverAuth");
  if (options.client) usages.emplace_back("clientAuth");
  KUBE_ASSIGN_OR_RETURN(const std::string names,
                        internal::AlternativeNames(options.dns_names, options.ip_addresses),
                        "issue certificate");
  for (const auto& [nid, value] :
       {std::pair(NID_basic_constraints, std::string("critical,CA:FALSE")),
        std::pair(NID_key_usage, std::string("critical,digitalSignature,keyEncipherment")),
        std::pair(NID_ext_key_usage, absl::StrJoin(usages, ",")),
        std::pair(NID_authority_key_identifier, std::string("keyid")),
        std::pair(NID_subject_alt_name, names)}) {
    if (value.empty()) continue;
    KUBE_RETURN_IF_ERROR(AddExtension(x509, issuer, nid, value), "issue certificate");
  }
  KUBE_RETURN_IF_ERROR(Sign(x509, issuer, issuer_key));
  return ToPem(x509);
}

}  // namespace

struct CertificateAuthority::State {
  UniqueKey key;
  UniqueCertificate certificate;
  std::string pem;
};

absl::StatusOr<CertificateAuthority> CertificateAuthority::Make(absl::string_view common_name) {
  auto state = std::make_unique<State>();
  KUBE_ASSIGN_OR_RETURN(state->key, MakeKey());
  KUBE_ASSIGN_OR_RETURN(state->certificate,
                        Begin({.common_name = std::string(common_name)}, state->key.get()),
                        "make certificate authority");
  X509* const certificate = state->certificate.get();
  for (const auto& [nid, value] :
       {std::pair(NID_basic_constraints, "critical,CA:TRUE"),
        std::pair(NID_key_usage, "critical,keyCertSign,cRLSign,digitalSignature"),
        std::pair(NID_subject_key_identifier, "hash")}) {
    KUBE_RETURN_IF_ERROR(AddExtension(certificate, certificate, nid, value));
  }
  KUBE_RETURN_IF_ERROR(Sign(certificate, certificate, state->key.get()));
  state->pem = ToPem(certificate);
  return CertificateAuthority(std::move(state));
}

CertificateAuthority::CertificateAuthority(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
CertificateAuthority::CertificateAuthority(CertificateAuthority&&) noexcept = default;
CertificateAuthority& CertificateAuthority::operator=(CertificateAuthority&&) noexcept = default;
CertificateAuthority::~CertificateAuthority() = default;

const std::string& CertificateAuthority::certificate() const { return state_->pem; }

absl::StatusOr<Certificate> CertificateAuthority::Issue(const CertificateOptions& options) const {
  KUBE_ASSIGN_OR_RETURN(const UniqueKey key, MakeKey());
  KUBE_ASSIGN_OR_RETURN(std::string certificate,
                        IssueFor(options, state_->certificate.get(), state_->key.get(), key.get()));
  return Certificate{.certificate = std::move(certificate), .key = ToPem(key.get())};
}

absl::StatusOr<std::string> CertificateAuthority::SignRequest(absl::string_view request,
                                                              CertificateOptions options) const {
  KUBE_ASSIGN_OR_RETURN(RequestTemplate names, ParseRequest(request));
  KUBE_ASSIGN_OR_RETURN(const internal::UniqueRequest parsed, internal::ReadRequest(request));
  options.common_name = std::move(names.common_name);
  options.organizations = std::move(names.organizations);
  options.dns_names = std::move(names.dns_names);
  options.ip_addresses = std::move(names.ip_addresses);
  return IssueFor(options, state_->certificate.get(), state_->key.get(),
                  X509_REQ_get0_pubkey(parsed.get()));
}

}  // namespace kube::certificates
