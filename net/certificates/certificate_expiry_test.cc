#include "net/certificates/certificate_expiry.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::certificates {
namespace {

using base::IsOk;
using base::StatusIs;

TEST(NotAfterTest, IsTheEndOfTheFirstCertificate) {
  const absl::StatusOr<CertificateAuthority> authority = CertificateAuthority::Make("ca");
  ASSERT_THAT(authority.status(), IsOk());
  const absl::StatusOr<Certificate> issued =
      authority->Issue({.common_name = "a", .valid_until = absl::Hours(5)});
  ASSERT_THAT(issued, IsOk());
  const absl::StatusOr<absl::Time> end = NotAfter(issued->certificate + authority->certificate());
  ASSERT_THAT(end, IsOk());
  EXPECT_GT(*end, base::WallNow() + absl::Hours(4));
  EXPECT_LT(*end, base::WallNow() + absl::Hours(6));
}

TEST(NotAfterTest, NoCertificate_IsInvalidArgument) {
  for (const char* text :
       {"", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"}) {
    EXPECT_THAT(NotAfter(text), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
}

}  // namespace
}  // namespace kube::certificates
