#include "clientset/certificate/internal/rotation.h"

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_details.h"
#include "net/certificates/certificate_request.h"

namespace kube::certificate::internal {
namespace {

using certificates::CertificateDetails;
using certificates::RequestTemplate;
using ::kube::base::IsOk;
using ::kube::base::StatusIs;

// behaviour.md: CERT-1
TEST(RotationTest, RotationDeadline_IsBetween70And90PercentOfTheLifetime) {
  const absl::Time begin = absl::FromUnixSeconds(1'000'000);
  const CertificateDetails certificate = {.not_before = begin,
                                          .not_after = begin + absl::Hours(1000)};
  absl::Time first = absl::InfiniteFuture();
  absl::Time last = absl::InfinitePast();
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    base::FakeClock clock(begin, seed);
    base::RuntimeScope scope(clock);
    const absl::Time deadline = RotationDeadline(certificate);
    first = std::min(first, deadline);
    last = std::max(last, deadline);
  }
  EXPECT_GE(first, begin + absl::Hours(700));
  EXPECT_LE(last, begin + absl::Hours(900));
  // They are spread over that time.
  EXPECT_LT(first, begin + absl::Hours(720));
  EXPECT_GT(last, begin + absl::Hours(880));
}

CertificateDetails Current() {
  return {.common_name = "alice",
          .organizations = {"dev", "ops"},
          .dns_names = {"a", "b"},
          .ip_addresses = {"10.0.0.1", "fe80::1"}};
}

// behaviour.md: CERT-4
TEST(RotationTest, CheckSatisfies_ACertificateThatHasMoreThanWanted_IsGoodEnough) {
  EXPECT_THAT(CheckSatisfies(Current(), {.common_name = "alice"}), IsOk());
  const RequestTemplate wanted = {.common_name = "alice",
                                  .organizations = {"ops"},
                                  .dns_names = {"b"},
                                  .ip_addresses = {"::ffff:10.0.0.1", "fe80:0::1"}};
  EXPECT_THAT(CheckSatisfies(Current(), wanted), IsOk());
}

// behaviour.md: CERT-4
TEST(RotationTest, CheckSatisfies_WhatIsMissing_IsNamed) {
  const struct {
    RequestTemplate wanted;
    const char* error;
  } kCases[] = {
      {{.common_name = "bob"},
       "current certificate CN \"alice\" does not match requested CN \"bob\""},
      {{.common_name = "alice", .organizations = {"dev", "root", "all"}},
       "current certificate is missing requested orgs: root, all"},
      {{.common_name = "alice", .dns_names = {"c"}},
       "current certificate is missing requested DNS names: c"},
      {{.common_name = "alice", .ip_addresses = {"10.0.0.2"}},
       "current certificate is missing requested IP addresses: 10.0.0.2"},
  };
  for (const auto& each : kCases) {
    EXPECT_THAT(CheckSatisfies(Current(), each.wanted),
                StatusIs(absl::StatusCode::kFailedPrecondition, each.error));
  }
}

}  // namespace
}  // namespace kube::certificate::internal
