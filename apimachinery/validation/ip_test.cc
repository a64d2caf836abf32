#include "apimachinery/validation/ip.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::validation {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const field::Path kPath("ip");

std::string Detail(const field::ErrorList& errors) {
  return errors.empty() ? "" : errors.front().detail;
}

TEST(Ip, Strict) {
  const struct {
    const char* text;
    const char* detail;
  } kCases[] = {
      {"10.9.8.7", ""},
      {"2001:db8::ffff", ""},
      {"::", ""},
      {"010.0.0.1", "must not have leading 0s"},
      {"::ffff:1.2.3.4", "must not be an IPv4-mapped IPv6 address"},
      {"2001:DB8::1", "must be in canonical form (\"2001:db8::1\")"},
      {"1:0:0:2:0:0:0:3", "must be in canonical form (\"1:0:0:2::3\")"},
      {"fe80::1%eth0", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"},
      {"1.2.3", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"},
  };
  for (const auto& c : kCases) EXPECT_EQ(Detail(IsValidIp(kPath, c.text)), c.detail) << c.text;
  EXPECT_EQ(IsValidIp(kPath, "x").front().origin, "format=ip-strict");
}

TEST(Ip, Legacy) {
  EXPECT_THAT(IsValidIpForLegacyField(kPath, "2001:DB8::1"), IsEmpty());
  EXPECT_EQ(Detail(IsValidIpForLegacyField(kPath, "010.0.0.1")), "must not have leading 0s");
  EXPECT_THAT(IsValidIpForLegacyField(kPath, "010.0.0.1", {.strict = false}), IsEmpty());
  const std::vector<std::string> old = {"nonsense"};
  EXPECT_THAT(IsValidIpForLegacyField(kPath, "nonsense", {.valid_old = old}), IsEmpty());
  EXPECT_THAT(IsValidCidrForLegacyField(kPath, "nonsense", {.valid_old = old}), IsEmpty());
}

TEST(Ip, Networks) {
  EXPECT_THAT(IsValidCidr(kPath, "10.9.8.0/24"), IsEmpty());
  EXPECT_THAT(IsValidCidr(kPath, "::/0"), IsEmpty());
  EXPECT_EQ(Detail(IsValidCidr(kPath, "10.9.8.7/24")),
            "must not have bits set beyond the prefix length");
  EXPECT_EQ(Detail(IsValidCidr(kPath, "10.0.0.0/08")),
            "must not have leading 0s in IP or prefix length");
  EXPECT_THAT(IsValidInterfaceAddress(kPath, "10.9.8.7/24"), IsEmpty());
  EXPECT_EQ(Detail(IsValidInterfaceAddress(kPath, "::ffff:192.168.0.1/120")),
            "must be in canonical form (\"192.168.0.1/24\")");
}

TEST(Ip, Warnings) {
  EXPECT_THAT(GetWarningsForIp(kPath, "10.0.0.1"), IsEmpty());
  EXPECT_THAT(GetWarningsForIp(kPath, "nonsense"), IsEmpty());
  EXPECT_THAT(GetWarningsForIp(kPath, "010.0.0.1"),
              ElementsAre("ip: non-standard IP address \"010.0.0.1\" is invalid: use "
                          "\"10.0.0.1\""));
  EXPECT_THAT(GetWarningsForCidr(kPath, "1.2.3.4/8"),
              ElementsAre("ip: CIDR value \"1.2.3.4/8\" is ambiguous in this context (should be "
                          "\"1.0.0.0/8\" or \"1.2.3.4/32\"?)"));
  EXPECT_THAT(GetWarningsForCidr(kPath, "A::/16"),
              ElementsAre("ip: IPv6 CIDR value \"A::/16\" should be in RFC 5952 canonical format "
                          "(\"a::/16\")"));
}

}  // namespace
}  // namespace kube::validation
