// Requests and certificates that strangers have written: no crash, and each error is an
// INVALID_ARGUMENT.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "net/certificates/certificate_details.h"
#include "net/certificates/certificate_request.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kube::certificates::CertificateDetails;
  using kube::certificates::RequestTemplate;
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<RequestTemplate> names = kube::certificates::ParseRequest(text);
  KUBE_CHECK(names.ok() || absl::IsInvalidArgument(names.status())) << names.status().ToString();
  const absl::StatusOr<std::vector<CertificateDetails>> details =
      kube::certificates::DetailsOf(text);
  if (details.ok()) {
    KUBE_CHECK(!details->empty()) << "no certificate, and no error";
  } else {
    KUBE_CHECK(absl::IsInvalidArgument(details.status())) << details.status().ToString();
  }
  return 0;
}
