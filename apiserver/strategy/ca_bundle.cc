#include "apiserver/strategy/ca_bundle.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "net/io/pem.h"

namespace kube::apiserver::internal {
namespace {

// Returns why a bundle without a good certificate is refused (client-go:
// `createErrorParsingCAData`, which reads block by block until one is wrong or nothing is left).
absl::string_view Reason(absl::string_view bundle) {
  constexpr absl::string_view kNoBlock = "unable to parse bytes as PEM block";
  const size_t end = bundle.rfind("-----END ");
  if (end == absl::string_view::npos) return kNoBlock;
  if (absl::StrContains(bundle, "-----BEGIN CERTIFICATE-----")) {
    return "failed to parse certificate: x509: malformed certificate";
  }
  const size_t line = bundle.find('\n', end);
  const bool at_end = line == absl::string_view::npos || line + 1 == bundle.size();
  return at_end ? "no valid certificate authority data seen" : kNoBlock;
}

}  // namespace

absl::Status CheckCaBundle(absl::string_view bundle) {
  if (bundle.empty() || io::CertificatesOf(bundle).ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("unable to load root certificates: ", Reason(bundle)));
}

absl::string_view ConversionBundle(
    const api::apiextensions::v1::CustomResourceDefinition& definition) {
  const auto& conversion = definition.spec.conversion;
  if (!conversion || !conversion->webhook || !conversion->webhook->client_config) return "";
  return conversion->webhook->client_config->ca_bundle.view();
}

}  // namespace kube::apiserver::internal
