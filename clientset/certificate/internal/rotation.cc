#include "clientset/certificate/internal/rotation.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "net/certificates/certificate_details.h"
#include "net/certificates/certificate_request.h"

namespace kube::certificate::internal {

namespace {

absl::Status CheckHasAll(absl::string_view what, const std::vector<std::string>& current,
                         const std::vector<std::string>& wanted) {
  std::vector<std::string> missing;
  for (const std::string& each : wanted) {
    if (std::find(current.begin(), current.end(), each) == current.end()) missing.push_back(each);
  }
  if (missing.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat("current certificate is missing requested ",
                                                    what, ": ", absl::StrJoin(missing, ", ")));
}

std::vector<std::string> Normalized(const std::vector<std::string>& addresses) {
  std::vector<std::string> all;
  for (const std::string& each : addresses) all.push_back(certificates::NormalizedAddress(each));
  return all;
}

}  // namespace

absl::Time RotationDeadline(const certificates::CertificateDetails& certificate) {
  const absl::Duration lifetime = certificate.not_after - certificate.not_before;
  return certificate.not_before + base::Jitter(lifetime, 0.2) - lifetime * 0.3;
}

absl::Status CheckSatisfies(const certificates::CertificateDetails& certificate,
                            const certificates::RequestTemplate& wanted) {
  if (certificate.common_name != wanted.common_name) {
    return absl::FailedPreconditionError(
        absl::StrCat("current certificate CN \"", certificate.common_name,
                     "\" does not match requested CN \"", wanted.common_name, "\""));
  }
  KUBE_RETURN_IF_ERROR(CheckHasAll("DNS names", certificate.dns_names, wanted.dns_names));
  KUBE_RETURN_IF_ERROR(
      CheckHasAll("IP addresses", certificate.ip_addresses, Normalized(wanted.ip_addresses)));
  return CheckHasAll("orgs", certificate.organizations, wanted.organizations);
}

}  // namespace kube::certificate::internal
