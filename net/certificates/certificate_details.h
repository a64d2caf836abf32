#ifndef NET_CERTIFICATES_CERTIFICATE_DETAILS_H_
#define NET_CERTIFICATES_CERTIFICATE_DETAILS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::certificates {

// The names in a certificate, and when it is valid. (Go: fields of `x509.Certificate`)
struct CertificateDetails {
  std::string common_name = {};
  std::vector<std::string> organizations = {};
  std::vector<std::string> dns_names = {};
  // As NormalizedAddress writes them.
  std::vector<std::string> ip_addresses = {};
  absl::Time not_before = absl::InfinitePast();
  absl::Time not_after = absl::InfinitePast();
};

// Returns the details of all certificates of a text in PEM, in their order: a chain begins with
// that of its owner. Other blocks are skipped. Returns INVALID_ARGUMENT if the text has no
// certificate, or one that cannot be parsed. Pure, thread-safe. (client-go: `cert.ParseCertsPEM`)
absl::StatusOr<std::vector<CertificateDetails>> DetailsOf(absl::string_view pem);

// Returns the usual text of an IP address, so that equal addresses have equal texts, or `address`
// itself if it is another text. Pure, thread-safe. (Go: `net.IP.String`)
std::string NormalizedAddress(const std::string& address);

}  // namespace kube::certificates

#endif  // NET_CERTIFICATES_CERTIFICATE_DETAILS_H_
