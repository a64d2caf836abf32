#include "net/httpclient/internal/certificate_names.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/asn1.h>
#include <openssl/objects.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace kube::httpclient::internal {
namespace {

// If a certificate has at least this many names, the error does not list them.
constexpr size_t kMaxNames = 100;

struct FreeNames {
  void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
};

bool IsAddress(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> address;
  return ::inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

absl::string_view View(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<size_t>(ASN1_STRING_length(text))};
}

std::string AddressText(absl::string_view bytes) {
  std::array<char, INET6_ADDRSTRLEN> text = {};
  const int family = bytes.size() == 4 ? AF_INET : AF_INET6;
  if (bytes.size() != 4 && bytes.size() != 16) return "?";
  ::inet_ntop(family, bytes.data(), text.data(), text.size());
  return text.data();
}

std::string CommonName(X509* certificate) {
  X509_NAME* const subject = X509_get_subject_name(certificate);
  const int place = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (place < 0) return "";
  return std::string(View(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, place))));
}

// Returns whether `name` matches `host`; a first label "*" matches any one label.
bool Matches(absl::string_view name, absl::string_view host) {
  host = absl::StripSuffix(host, ".");
  if (absl::ConsumePrefix(&name, "*.")) {
    const size_t dot = host.find('.');
    host = dot == absl::string_view::npos ? absl::string_view() : host.substr(dot + 1);
  }
  return !name.empty() && absl::EqualsIgnoreCase(name, host);
}

}  // namespace

bool RequireName(X509_VERIFY_PARAM* parameters, absl::string_view host) {
  X509_VERIFY_PARAM_set_hostflags(
      parameters, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  const std::string name(absl::StripSuffix(host, "."));
  if (IsAddress(name)) return X509_VERIFY_PARAM_set1_ip_asc(parameters, name.c_str()) == 1;
  return X509_VERIFY_PARAM_set1_host(parameters, name.data(), name.size()) == 1;
}

bool IsNameMistake(int verify_error) {
  return verify_error == X509_V_ERR_HOSTNAME_MISMATCH ||
         verify_error == X509_V_ERR_IP_ADDRESS_MISMATCH;
}

std::string DescribeNameMistake(X509* certificate, absl::string_view host) {
  const std::unique_ptr<GENERAL_NAMES, FreeNames> names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  if (names == nullptr && Matches(CommonName(certificate), host)) {
    return "certificate relies on legacy Common Name field, use SANs instead";
  }
  const bool address = IsAddress(std::string(host));
  std::vector<std::string> valid;
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names.get(), i);
    if (address && name->type == GEN_IPADD) {
      valid.push_back(AddressText(View(name->d.iPAddress)));
    } else if (!address && name->type == GEN_DNS) {
      valid.push_back(absl::CHexEscape(View(name->d.dNSName)));
    }
  }
  if (address && valid.empty()) {
    return absl::StrCat("cannot validate certificate for ", host,
                        " because it doesn't contain any IP SANs");
  }
  if (valid.empty()) {
    return absl::StrCat("certificate is not valid for any names, but wanted to match ", host);
  }
  if (valid.size() >= kMaxNames) {
    return absl::StrCat("certificate is valid for ", valid.size(), address ? " IP SANs" : " names",
                        ", but none matched ", host);
  }
  return absl::StrCat("certificate is valid for ", absl::StrJoin(valid, ", "), ", not ", host);
}

}  // namespace kube::httpclient::internal
