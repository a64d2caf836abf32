#include "apimachinery/crd_schema/internal/ip_formats.h"

#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

TEST(IpFormatsTest, Addresses) {
  EXPECT_TRUE(IsSloppyIpv4("010.0.0.1"));
  EXPECT_FALSE(IsStrictIp("010.0.0.1"));
  EXPECT_TRUE(IsStrictIpv6("::ffff:1.2.3.4"));
  EXPECT_FALSE(IsStrictIpv6("1.2.3.4"));
  EXPECT_TRUE(IsSloppyCidr("10.0.0.0/8"));
  EXPECT_FALSE(IsSloppyCidr("10.0.0.0"));
}

TEST(IpFormatsTest, Macs) {
  EXPECT_TRUE(IsMac("01:23:45:67:89:ab"));
  EXPECT_TRUE(IsMac("0123456789ab"));
  EXPECT_FALSE(IsMac("01:23:45:67:89-ab"));
}

}  // namespace
}  // namespace kube::crd_schema::internal
