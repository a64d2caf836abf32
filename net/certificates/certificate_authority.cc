#include "net/certificates/certificate_authority.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <array>
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
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"

namespace kube::certificates {

namespace {

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(BIGNUM* number) const { BN_free(number); }
};
using UniqueKey = std::unique_ptr<EVP_PKEY, Free>;
using UniqueCertificate = std::unique_ptr<X509, Free>;
using UniqueExtension = std::unique_ptr<X509_EXTENSION, Free>;
using UniqueBio = std::unique_ptr<BIO, Free>;
using UniqueNumber = std::unique_ptr<BIGNUM, Free>;

// RFC 5280's upper bound of a common name.
constexpr size_t kMaxCommonName = 64;

// Returns OpenSSL's last error, and clears its error queue.
absl::Status OpenSslError(absl::string_view what) {
  std::array<char, 256> text;
  ERR_error_string_n(ERR_peek_last_error(), text.data(), text.size());
  ERR_clear_error();
  return absl::ResourceExhaustedError(absl::StrCat(what, ": ", text.data()));
}

std::string TakeText(BIO* bio) {
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bio, &data);
  return std::string(data, static_cast<size_t>(size));
}

std::string ToPem(X509* certificate) {
  const UniqueBio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(bio.get(), certificate);
  return TakeText(bio.get());
}

base::Secret ToPem(EVP_PKEY* key) {
  // Secure memory is wiped when it is freed.
  const UniqueBio bio(BIO_new(BIO_s_secmem()));
  PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  return base::Secret(TakeText(bio.get()));
}

// Adds nothing if the text is empty, which OpenSSL refuses.
absl::Status AddName(X509_NAME* name, const char* field, absl::string_view text) {
  if (text.empty()) return absl::OkStatus();
  if (X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8,
                                 reinterpret_cast<const unsigned char*>(text.data()),
                                 static_cast<int>(text.size()), -1, 0) == 1) {
    return absl::OkStatus();
  }
  ERR_clear_error();
  return absl::InvalidArgumentError(
      absl::StrCat("invalid name \"", field, "=", text, "\" of a certificate"));
}

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
  const UniqueExtension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  if (extension == nullptr || X509_add_ext(certificate, extension.get(), -1) != 1) {
    ERR_clear_error();
    return absl::InvalidArgumentError(
        absl::StrCat("invalid certificate extension \"", value, "\""));
  }
  return absl::OkStatus();
}

absl::Status Sign(X509* certificate, X509* issuer, EVP_PKEY* key) {
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  if (X509_sign(certificate, key, EVP_sha256()) == 0) return OpenSslError("sign certificate");
  return absl::OkStatus();
}

// Returns "DNS:localhost,IP:127.0.0.1". A comma in a name would begin another entry.
absl::StatusOr<std::string> AlternativeNames(const CertificateOptions& options) {
  std::vector<std::string> names;
  for (const std::string& name : options.dns_names) names.push_back("DNS:" + name);
  for (const std::string& address : options.ip_addresses) names.push_back("IP:" + address);
  for (const std::string& name : names) {
    if (name.find_first_of(",\n\r") == std::string::npos) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("invalid subject alternative name \"", name, "\""));
  }
  return absl::StrJoin(names, ",");
}

}  // namespace

struct CertificateAuthority::State {
  UniqueKey key;
  UniqueCertificate certificate;
  std::string pem;
};

absl::StatusOr<CertificateAuthority> CertificateAuthority::Make(absl::string_view common_name) {
  auto state = std::make_unique<State>();
  state->key.reset(EVP_EC_gen("P-256"));
  if (state->key == nullptr) return OpenSslError("generate key");
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
  const UniqueKey key(EVP_EC_gen("P-256"));
  if (key == nullptr) return OpenSslError("generate key");
  KUBE_ASSIGN_OR_RETURN(const UniqueCertificate certificate, Begin(options, key.get()),
                        "issue certificate");
  X509* const x509 = certificate.get();
  X509* const issuer = state_->certificate.get();
  std::vector<std::string> usages;
  if (options.server) usages.emplace_back("serverAuth");
  if (options.client) usages.emplace_back("clientAuth");
  KUBE_ASSIGN_OR_RETURN(const std::string names, AlternativeNames(options), "issue certificate");
  for (const auto& [nid, value] :
       {std::pair(NID_basic_constraints, std::string("critical,CA:FALSE")),
        std::pair(NID_key_usage, std::string("critical,digitalSignature,keyEncipherment")),
        std::pair(NID_ext_key_usage, absl::StrJoin(usages, ",")),
        std::pair(NID_authority_key_identifier, std::string("keyid")),
        std::pair(NID_subject_alt_name, names)}) {
    if (value.empty()) continue;
    KUBE_RETURN_IF_ERROR(AddExtension(x509, issuer, nid, value), "issue certificate");
  }
  KUBE_RETURN_IF_ERROR(Sign(x509, issuer, state_->key.get()));
  return Certificate{.certificate = ToPem(x509), .key = ToPem(key.get())};
}

}  // namespace kube::certificates
