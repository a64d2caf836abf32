#include "net/certificates/certificate_details.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"
#include "net/certificates/internal/x509.h"

namespace kube::certificates {

namespace {

struct FreeNames {
  void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
};

absl::StatusOr<CertificateDetails> DetailsOfOne(const X509* certificate) {
  KUBE_ASSIGN_OR_RETURN(const auto subject, internal::NamesOf(X509_get_subject_name(certificate)));
  const std::unique_ptr<GENERAL_NAMES, FreeNames> names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  ERR_clear_error();
  internal::AlternativeNameLists lists = internal::ListsOf(names.get());
  const std::vector<std::string> common_names = internal::ValuesOf(subject, "CN");
  return CertificateDetails{.common_name = common_names.empty() ? "" : common_names.back(),
                            .organizations = internal::ValuesOf(subject, "O"),
                            .dns_names = std::move(lists.dns_names),
                            .ip_addresses = std::move(lists.ip_addresses),
                            .not_before = internal::ToTime(X509_get0_notBefore(certificate)),
                            .not_after = internal::ToTime(X509_get0_notAfter(certificate))};
}

}  // namespace

absl::StatusOr<std::vector<CertificateDetails>> DetailsOf(absl::string_view pem) {
  KUBE_ASSIGN_OR_RETURN(const std::vector<internal::UniqueCertificate> certificates,
                        internal::ReadCertificates(pem));
  std::vector<CertificateDetails> all;
  for (const internal::UniqueCertificate& certificate : certificates) {
    KUBE_ASSIGN_OR_RETURN(CertificateDetails details, DetailsOfOne(certificate.get()));
    all.push_back(std::move(details));
  }
  return all;
}

std::string NormalizedAddress(const std::string& address) {
  std::array<char, sizeof(in6_addr)> bytes = {};
  if (::inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) {
    return internal::AddressText(absl::string_view(bytes.data(), sizeof(in_addr)));
  }
  if (::inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1) {
    return internal::AddressText(absl::string_view(bytes.data(), bytes.size()));
  }
  return address;
}

}  // namespace kube::certificates
