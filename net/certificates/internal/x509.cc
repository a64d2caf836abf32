#include "net/certificates/internal/x509.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"

namespace kube::certificates::internal {

namespace {

// The first twelve bytes of an IPv6 address that holds an IPv4 address.
constexpr absl::string_view kIpv4InIpv6("\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);

std::string TakeText(BIO* bio) {
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bio, &data);
  return std::string(data, static_cast<size_t>(size));
}

UniqueBio Open(absl::string_view pem) {
  // OpenSSL does not accept a null pointer, even with the length zero.
  return UniqueBio(BIO_new_mem_buf(pem.empty() ? "" : pem.data(), static_cast<int>(pem.size())));
}

// Without it OpenSSL asks for a password on the terminal.
int RefusePassword(char* /*buffer*/, int /*size*/, int /*writes*/, void* /*data*/) { return -1; }

absl::string_view View(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<size_t>(ASN1_STRING_length(text))};
}

std::string TypeOf(const ASN1_OBJECT* type) {
  const int nid = OBJ_obj2nid(type);
  if (nid != NID_undef) return OBJ_nid2sn(nid);
  std::array<char, 128> number = {};
  OBJ_obj2txt(number.data(), static_cast<int>(number.size()), type, 1);
  return number.data();
}

}  // namespace

absl::Status OpenSslError(absl::string_view what) {
  std::array<char, 256> text = {};
  ERR_error_string_n(ERR_peek_last_error(), text.data(), text.size());
  ERR_clear_error();
  return absl::ResourceExhaustedError(absl::StrCat(what, ": ", text.data()));
}

absl::StatusOr<UniqueKey> MakeKey() {
  UniqueKey key(EVP_EC_gen("P-256"));
  if (key == nullptr) return OpenSslError("generate key");
  return key;
}

std::string ToPem(X509* certificate) {
  const UniqueBio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(bio.get(), certificate);
  return TakeText(bio.get());
}

std::string ToPem(X509_REQ* request) {
  const UniqueBio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509_REQ(bio.get(), request);
  return TakeText(bio.get());
}

base::Secret ToPem(EVP_PKEY* key) {
  // Secure memory is wiped when it is freed.
  const UniqueBio bio(BIO_new(BIO_s_secmem()));
  PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  return base::Secret(TakeText(bio.get()));
}

absl::StatusOr<UniqueKey> ReadKey(const base::Secret& pem) {
  const UniqueBio bio = Open(pem.Reveal());
  unsigned char* data = nullptr;
  long size = 0;  // NOLINT(google-runtime-int): OpenSSL's type
  UniqueKey key;
  // Skips blocks that are no keys.
  if (PEM_bytes_read_bio_secmem(&data, &size, nullptr, PEM_STRING_EVP_PKEY, bio.get(),
                                RefusePassword, nullptr) == 1) {
    const unsigned char* at = data;
    key.reset(d2i_AutoPrivateKey(nullptr, &at, size));
    OPENSSL_secure_clear_free(data, static_cast<size_t>(size));
  }
  ERR_clear_error();
  if (key == nullptr) return absl::InvalidArgumentError("failed to parse private key");
  return key;
}

absl::StatusOr<UniqueRequest> ReadRequest(absl::string_view pem) {
  const UniqueBio bio = Open(pem);
  UniqueRequest request(PEM_read_bio_X509_REQ(bio.get(), nullptr, RefusePassword, nullptr));
  ERR_clear_error();
  if (request == nullptr) {
    return absl::InvalidArgumentError("PEM block type must be CERTIFICATE REQUEST");
  }
  return request;
}

absl::StatusOr<UniqueCertificate> ReadCertificate(absl::string_view pem) {
  const UniqueBio bio = Open(pem);
  UniqueCertificate certificate(PEM_read_bio_X509(bio.get(), nullptr, RefusePassword, nullptr));
  ERR_clear_error();
  if (certificate == nullptr) return absl::InvalidArgumentError("failed to parse certificate");
  return certificate;
}

absl::StatusOr<std::vector<UniqueCertificate>> ReadCertificates(absl::string_view pem) {
  const UniqueBio bio = Open(pem);
  std::vector<UniqueCertificate> certificates;
  while (true) {
    UniqueCertificate next(PEM_read_bio_X509(bio.get(), nullptr, RefusePassword, nullptr));
    if (next == nullptr) break;
    certificates.push_back(std::move(next));
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  if (!at_end) return absl::InvalidArgumentError("failed to parse certificate");
  if (certificates.empty()) {
    return absl::InvalidArgumentError("data does not contain any valid RSA or ECDSA certificates");
  }
  return certificates;
}

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

absl::StatusOr<std::vector<std::pair<std::string, std::string>>> NamesOf(const X509_NAME* name) {
  std::vector<std::pair<std::string, std::string>> names;
  for (int i = 0; i < X509_NAME_entry_count(name); ++i) {
    const X509_NAME_ENTRY* const entry = X509_NAME_get_entry(name, i);
    unsigned char* text = nullptr;
    const int size = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry));
    if (size < 0) {
      ERR_clear_error();
      return absl::InvalidArgumentError("an attribute of the subject is no text");
    }
    names.emplace_back(TypeOf(X509_NAME_ENTRY_get_object(entry)),
                       std::string(reinterpret_cast<char*>(text), static_cast<size_t>(size)));
    OPENSSL_free(text);
  }
  return names;
}

std::vector<std::string> ValuesOf(const std::vector<std::pair<std::string, std::string>>& names,
                                  absl::string_view type) {
  std::vector<std::string> values;
  for (const auto& [each, value] : names) {
    if (each == type) values.push_back(value);
  }
  return values;
}

absl::StatusOr<std::string> AlternativeNames(const std::vector<std::string>& dns_names,
                                             const std::vector<std::string>& ip_addresses) {
  std::vector<std::string> names;
  for (const std::string& name : dns_names) names.push_back("DNS:" + name);
  for (const std::string& address : ip_addresses) names.push_back("IP:" + address);
  // OpenSSL would take a name up to its zero byte for the whole value, and leave out what follows.
  constexpr absl::string_view kEnds(",\n\r\0", 4);
  for (const std::string& name : names) {
    if (name.find_first_of(kEnds.data(), 0, kEnds.size()) == std::string::npos) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("invalid subject alternative name \"", name, "\""));
  }
  return absl::StrJoin(names, ",");
}

absl::StatusOr<UniqueExtension> MakeExtension(X509V3_CTX& context, int nid,
                                              const std::string& value) {
  UniqueExtension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  if (extension != nullptr) return extension;
  ERR_clear_error();
  return absl::InvalidArgumentError(absl::StrCat("invalid certificate extension \"", value, "\""));
}

AlternativeNameLists ListsOf(const GENERAL_NAMES* names) {
  AlternativeNameLists lists;
  const int count = names == nullptr ? 0 : sk_GENERAL_NAME_num(names);
  for (int i = 0; i < count; ++i) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names, i);
    if (name->type == GEN_DNS) {
      lists.dns_names.emplace_back(View(name->d.dNSName));
    } else if (name->type == GEN_IPADD) {
      lists.ip_addresses.push_back(AddressText(View(name->d.iPAddress)));
    }
  }
  return lists;
}

std::string AddressText(absl::string_view bytes) {
  if (bytes.size() == 16 && absl::ConsumePrefix(&bytes, kIpv4InIpv6)) return AddressText(bytes);
  if (bytes.size() != 4 && bytes.size() != 16) return "";
  std::array<char, INET6_ADDRSTRLEN> text = {};
  const int family = bytes.size() == 4 ? AF_INET : AF_INET6;
  ::inet_ntop(family, bytes.data(), text.data(), text.size());
  return text.data();
}

absl::Time ToTime(const ASN1_TIME* time) {
  std::tm parts = {};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return absl::InfinitePast();
  return absl::FromTM(parts, absl::UTCTimeZone());
}

}  // namespace kube::certificates::internal
