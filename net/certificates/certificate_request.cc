#include "net/certificates/certificate_request.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "net/certificates/internal/x509.h"

namespace kube::certificates {

namespace {

using internal::UniqueExtension;
using internal::UniqueKey;
using internal::UniqueRequest;
using Names = std::vector<std::pair<std::string, std::string>>;

constexpr int kMinRsaBits = 2048;
constexpr int kMinCurveBits = 256;

struct FreeParts {
  void operator()(STACK_OF(X509_EXTENSION) * extensions) const {
    sk_X509_EXTENSION_pop_free(extensions, X509_EXTENSION_free);
  }
  void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
};
using UniqueExtensions = std::unique_ptr<STACK_OF(X509_EXTENSION), FreeParts>;
using UniqueNames = std::unique_ptr<GENERAL_NAMES, FreeParts>;

absl::Status AddAlternativeNames(const RequestTemplate& names, X509_REQ* request) {
  KUBE_ASSIGN_OR_RETURN(const std::string value,
                        internal::AlternativeNames(names.dns_names, names.ip_addresses));
  if (value.empty()) return absl::OkStatus();
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, nullptr, nullptr, request, nullptr, 0);
  KUBE_ASSIGN_OR_RETURN(UniqueExtension extension,
                        internal::MakeExtension(context, NID_subject_alt_name, value));
  const UniqueExtensions extensions(sk_X509_EXTENSION_new_null());
  if (extensions == nullptr || sk_X509_EXTENSION_push(extensions.get(), extension.get()) == 0) {
    return internal::OpenSslError("make certificate request");
  }
  // The list owns it now.
  (void)extension.release();
  if (X509_REQ_add_extensions(request, extensions.get()) != 1) {
    return internal::OpenSslError("make certificate request");
  }
  return absl::OkStatus();
}

absl::Status CheckSignature(X509_REQ* request, EVP_PKEY* key) {
  const bool is_valid = key != nullptr && X509_REQ_verify(request, key) == 1;
  ERR_clear_error();
  if (is_valid) return absl::OkStatus();
  return absl::InvalidArgumentError("the request is not signed with the key");
}

// Returns "CN=alice,O=dev".
std::string TextOf(const Names& names) {
  return absl::StrJoin(names, ",", [](std::string* text, const Names::value_type& name) {
    absl::StrAppend(text, name.first, "=", name.second);
  });
}

absl::StatusOr<Names> SubjectOf(X509_REQ* request) {
  return internal::NamesOf(X509_REQ_get_subject_name(request));
}

}  // namespace

absl::StatusOr<base::Secret> MakePrivateKey() {
  KUBE_ASSIGN_OR_RETURN(const UniqueKey key, internal::MakeKey());
  return internal::ToPem(key.get());
}

absl::StatusOr<base::Secret> PrivateKeyOf(const base::Secret& pem) {
  KUBE_ASSIGN_OR_RETURN(const UniqueKey key, internal::ReadKey(pem));
  return internal::ToPem(key.get());
}

absl::Status CheckKeyStrength(const base::Secret& key) {
  KUBE_ASSIGN_OR_RETURN(const UniqueKey parsed, internal::ReadKey(key));
  const int bits = EVP_PKEY_get_bits(parsed.get());
  const int type = EVP_PKEY_get_base_id(parsed.get());
  if (type == EVP_PKEY_RSA && bits < kMinRsaBits) {
    return absl::InvalidArgumentError(
        absl::StrCat("RSA key size ", bits, " bits is below the minimum of ", kMinRsaBits));
  }
  if (type == EVP_PKEY_EC && bits < kMinCurveBits) {
    return absl::InvalidArgumentError(
        absl::StrCat("ECDSA key curve of ", bits, " bits is below the minimum of ", kMinCurveBits));
  }
  return absl::OkStatus();
}

bool IsRsaKey(const base::Secret& key) {
  const absl::StatusOr<UniqueKey> parsed = internal::ReadKey(key);
  return parsed.ok() && EVP_PKEY_get_base_id(parsed->get()) == EVP_PKEY_RSA;
}

absl::StatusOr<std::string> MakeRequest(const RequestTemplate& names, const base::Secret& key) {
  KUBE_ASSIGN_OR_RETURN(const UniqueKey parsed, internal::ReadKey(key), "make certificate request");
  const UniqueRequest request(X509_REQ_new());
  if (request == nullptr) return internal::OpenSslError("make certificate request");
  X509_REQ_set_version(request.get(), X509_REQ_VERSION_1);
  X509_NAME* const subject = X509_REQ_get_subject_name(request.get());
  for (const std::string& organization : names.organizations) {
    KUBE_RETURN_IF_ERROR(internal::AddName(subject, "O", organization), "make certificate request");
  }
  KUBE_RETURN_IF_ERROR(internal::AddName(subject, "CN", names.common_name),
                       "make certificate request");
  KUBE_RETURN_IF_ERROR(AddAlternativeNames(names, request.get()), "make certificate request");
  if (X509_REQ_set_pubkey(request.get(), parsed.get()) != 1 ||
      X509_REQ_sign(request.get(), parsed.get(), EVP_sha256()) == 0) {
    return internal::OpenSslError("sign certificate request");
  }
  return internal::ToPem(request.get());
}

absl::StatusOr<RequestTemplate> ParseRequest(absl::string_view request) {
  KUBE_ASSIGN_OR_RETURN(const UniqueRequest parsed, internal::ReadRequest(request),
                        "parse certificate request");
  KUBE_RETURN_IF_ERROR(CheckSignature(parsed.get(), X509_REQ_get0_pubkey(parsed.get())),
                       "parse certificate request");
  KUBE_ASSIGN_OR_RETURN(const Names subject, SubjectOf(parsed.get()), "parse certificate request");
  const UniqueExtensions extensions(X509_REQ_get_extensions(parsed.get()));
  const UniqueNames names(static_cast<GENERAL_NAMES*>(
      X509V3_get_d2i(extensions.get(), NID_subject_alt_name, nullptr, nullptr)));
  ERR_clear_error();
  internal::AlternativeNameLists lists = internal::ListsOf(names.get());
  const std::vector<std::string> common_names = internal::ValuesOf(subject, "CN");
  return RequestTemplate{.common_name = common_names.empty() ? "" : common_names.back(),
                         .organizations = internal::ValuesOf(subject, "O"),
                         .dns_names = std::move(lists.dns_names),
                         .ip_addresses = std::move(lists.ip_addresses)};
}

absl::Status CheckSameRequest(absl::string_view existing, absl::string_view wanted,
                              const base::Secret& key) {
  KUBE_ASSIGN_OR_RETURN(const UniqueRequest ours, internal::ReadRequest(existing),
                        "parse existing request");
  KUBE_ASSIGN_OR_RETURN(const UniqueRequest other, internal::ReadRequest(wanted),
                        "parse wanted request");
  KUBE_ASSIGN_OR_RETURN(const Names subject, SubjectOf(ours.get()));
  KUBE_ASSIGN_OR_RETURN(const Names other_subject, SubjectOf(other.get()));
  if (subject != other_subject) {
    return absl::InvalidArgumentError(absl::StrCat(
        "csr subjects differ: existing: ", TextOf(subject), ", wanted: ", TextOf(other_subject)));
  }
  KUBE_ASSIGN_OR_RETURN(const UniqueKey parsed, internal::ReadKey(key));
  return CheckSignature(ours.get(), parsed.get());
}

}  // namespace kube::certificates
