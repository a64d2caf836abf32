#include "net/certificates/certificate_details.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::certificates {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CertificateDetailsTest, DetailsOf_ReturnsNamesAndValidityOfEachCertificate) {
  base::FakeClock clock;
  base::RuntimeScope scope(clock);
  const CertificateAuthority authority = *CertificateAuthority::Make("test-ca");
  const Certificate issued = *authority.Issue({.common_name = "alice",
                                               .organizations = {"dev", "ops"},
                                               .dns_names = {"localhost"},
                                               .ip_addresses = {"127.0.0.1", "::1"},
                                               .valid_from = -absl::Hours(1),
                                               .valid_until = absl::Hours(5)});
  const absl::StatusOr<std::vector<CertificateDetails>> all =
      DetailsOf(issued.certificate + std::string(issued.key.Reveal()) + authority.certificate());
  ASSERT_THAT(all, IsOk());
  ASSERT_EQ(all->size(), 2U);
  const CertificateDetails& leaf = all->front();
  EXPECT_EQ(leaf.common_name, "alice");
  EXPECT_THAT(leaf.organizations, ElementsAre("dev", "ops"));
  EXPECT_THAT(leaf.dns_names, ElementsAre("localhost"));
  EXPECT_THAT(leaf.ip_addresses, ElementsAre("127.0.0.1", "::1"));
  EXPECT_EQ(leaf.not_before, clock.WallNow() - absl::Hours(1));
  EXPECT_EQ(leaf.not_after, clock.WallNow() + absl::Hours(5));
  EXPECT_EQ(all->back().common_name, "test-ca");
  EXPECT_THAT(all->back().dns_names, IsEmpty());
}

TEST(CertificateDetailsTest, DetailsOf_ATextWithAMalformedOrNoCertificate_IsInvalid) {
  const std::string authority = CertificateAuthority::Make("test-ca")->certificate();
  const std::string malformed = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  for (const std::string& text :
       {std::string(), std::string("x"), malformed, authority + malformed}) {
    EXPECT_THAT(DetailsOf(text), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
}

TEST(CertificateDetailsTest, NormalizedAddress_WritesEqualAddressesAlike) {
  EXPECT_EQ(NormalizedAddress("10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(NormalizedAddress("::ffff:10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(NormalizedAddress("FE80:0:0:0:0:0:0:1"), "fe80::1");
  EXPECT_EQ(NormalizedAddress("none"), "none");
}

}  // namespace
}  // namespace kube::certificates
