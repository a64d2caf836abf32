#include "apiserver/strategy/ca_bundle.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/bytes.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::StatusIs;

TEST(CaBundle, OneCertificateSuffices) {
  const absl::StatusOr<certificates::CertificateAuthority> authority =
      certificates::CertificateAuthority::Make("ca");
  ASSERT_THAT(authority, IsOk());
  EXPECT_THAT(CheckCaBundle(""), IsOk());
  EXPECT_THAT(CheckCaBundle(authority->certificate()), IsOk());
  EXPECT_THAT(CheckCaBundle(absl::StrCat("a comment\n", authority->certificate(), "more")), IsOk());
}

TEST(CaBundle, SaysWhatIsWrong) {
  const struct {
    const char* name;
    const char* bundle;
    const char* reason;
  } kRows[] = {
      {"white space", "\n", "unable to parse bytes as PEM block"},
      {"no PEM", "certificates", "unable to parse bytes as PEM block"},
      {"another block", "-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n",
       "no valid certificate authority data seen"},
      {"another block and a rest", "-----BEGIN KEY-----\nAAAA\n-----END KEY-----\nrest",
       "unable to parse bytes as PEM block"},
      {"a malformed certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
       "failed to parse certificate: x509: malformed certificate"},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(CheckCaBundle(row.bundle),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         absl::StrCat("unable to load root certificates: ", row.reason)))
        << row.name;
  }
}

TEST(CaBundle, IsThatOfTheConversionWebhook) {
  api::apiextensions::v1::CustomResourceDefinition crd;
  EXPECT_EQ(ConversionBundle(crd), "");
  auto& webhook = crd.spec.conversion.emplace().webhook.emplace();
  EXPECT_EQ(ConversionBundle(crd), "");
  webhook.client_config.emplace().ca_bundle = Bytes("pem");
  EXPECT_EQ(ConversionBundle(crd), "pem");
}

}  // namespace
}  // namespace kube::apiserver::internal
