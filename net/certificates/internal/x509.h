#ifndef NET_CERTIFICATES_INTERNAL_X509_H_
#define NET_CERTIFICATES_INTERNAL_X509_H_

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/secret.h"

// OpenSSL's objects with owners, to and from PEM. No message contains a part of a key. The
// functions leave OpenSSL's queue of errors empty. Thread-safe, as far as their arguments are.
namespace kube::certificates::internal {

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
  void operator()(X509_REQ* request) const { X509_REQ_free(request); }
};
using UniqueBio = std::unique_ptr<BIO, Free>;
using UniqueKey = std::unique_ptr<EVP_PKEY, Free>;
using UniqueCertificate = std::unique_ptr<X509, Free>;
using UniqueExtension = std::unique_ptr<X509_EXTENSION, Free>;
using UniqueRequest = std::unique_ptr<X509_REQ, Free>;

// Returns RESOURCE_EXHAUSTED with OpenSSL's last error: it lacks memory or randomness.
absl::Status OpenSslError(absl::string_view what);

// Makes a key for ECDSA with the curve P-256. Returns RESOURCE_EXHAUSTED as above.
absl::StatusOr<UniqueKey> MakeKey();

std::string ToPem(X509* certificate);
std::string ToPem(X509_REQ* request);
// As PKCS #8.
base::Secret ToPem(EVP_PKEY* key);

// Read the first block of their kind, after any others. Return INVALID_ARGUMENT if the text has no
// such block, or one that cannot be parsed, as an encrypted key.
absl::StatusOr<UniqueKey> ReadKey(const base::Secret& pem);
absl::StatusOr<UniqueRequest> ReadRequest(absl::string_view pem);
absl::StatusOr<UniqueCertificate> ReadCertificate(absl::string_view pem);
// Reads all certificates in their order, at least one.
absl::StatusOr<std::vector<UniqueCertificate>> ReadCertificates(absl::string_view pem);

// Adds an attribute to a subject, but nothing if the text is empty, which OpenSSL refuses. Returns
// INVALID_ARGUMENT if the attribute cannot have such a text.
absl::Status AddName(X509_NAME* name, const char* field, absl::string_view text);

// Returns the attributes of a subject in their order: the short name of the type, or its number,
// and the value in UTF-8. Returns INVALID_ARGUMENT if a value is no text.
absl::StatusOr<std::vector<std::pair<std::string, std::string>>> NamesOf(const X509_NAME* name);

// Returns the values of one type, such as "O".
std::vector<std::string> ValuesOf(const std::vector<std::pair<std::string, std::string>>& names,
                                  absl::string_view type);

// Returns "DNS:localhost,IP:127.0.0.1", the value of a subjectAltName in the syntax of OpenSSL's
// configuration files; empty without names. Returns INVALID_ARGUMENT if a name has a character that
// would end the entry.
absl::StatusOr<std::string> AlternativeNames(const std::vector<std::string>& dns_names,
                                             const std::vector<std::string>& ip_addresses);

// Makes an extension; `value` has the syntax of OpenSSL's configuration files. Returns
// INVALID_ARGUMENT if it is malformed.
absl::StatusOr<UniqueExtension> MakeExtension(X509V3_CTX& context, int nid,
                                              const std::string& value);

// The names of a subjectAltName. Other kinds of names are left out.
struct AlternativeNameLists {
  std::vector<std::string> dns_names = {};
  // As NormalizedAddress (certificate_details.h) writes them.
  std::vector<std::string> ip_addresses = {};
};
// `names` may be null.
AlternativeNameLists ListsOf(const GENERAL_NAMES* names);

// Returns the text of an address of 4 or 16 bytes; an IPv4 address in IPv6 is written as IPv4.
// Empty for any other length. (Go: `net.IP.String`)
std::string AddressText(absl::string_view bytes);

// Returns absl::InfinitePast() if the time is malformed.
absl::Time ToTime(const ASN1_TIME* time);

}  // namespace kube::certificates::internal

#endif  // NET_CERTIFICATES_INTERNAL_X509_H_
