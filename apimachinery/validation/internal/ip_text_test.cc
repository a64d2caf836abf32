#include "apimachinery/validation/internal/ip_text.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace kube::validation::internal {
namespace {

TEST(IpText, RoundTrip) {
  for (const char* text :
       {"0.0.0.0", "1.2.3.4", "255.255.255.255", "::", "::1", "1::", "2001:db8::1", "1:0:0:2::3",
        "1:2:3:4:5:6:7:8", "0:1::", "::ffff:0:0:0", "1:2:3:4:5:6:7:0"}) {
    const std::optional<IpAddress> ip = ParseIp(text);
    ASSERT_TRUE(ip.has_value()) << text;
    EXPECT_EQ(ip->ToString(), text);
    EXPECT_FALSE(ip->leading_zeros) << text;
  }
}

TEST(IpText, Sloppy) {
  EXPECT_EQ(ParseIp("001.002.003.004")->ToString(), "1.2.3.4");
  EXPECT_TRUE(ParseIp("001.002.003.004")->leading_zeros);
  EXPECT_EQ(ParseIp("00001::")->ToString(), "1::");
  EXPECT_EQ(ParseIp("::ffff:1.2.3.4")->ToString(), "1.2.3.4");
  EXPECT_FALSE(ParseIp("::ffff:1.2.3.4")->v4_text);
}

TEST(IpText, Refused) {
  for (const char* text : {"", "1", "1.2.3", "1.2.3.256", "1.2.3.4.", ":", ":::", "1:2", "1::2::3",
                           "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "10000::", "::1.2.3",
                           "1.2.3.4::", "1:2:3:4:5:6:7:1.2.3.4"}) {
    EXPECT_FALSE(ParseIp(text).has_value()) << text;
  }
  for (const char* text : {"1.2.3.4", "1.2.3.4/", "1.2.3.4/33", "::/129", "::/1x", "/1"}) {
    EXPECT_FALSE(ParseCidr(text).has_value()) << text;
  }
}

TEST(IpText, Networks) {
  EXPECT_EQ(ParseCidr("1.2.3.4/0")->ToString(), "0.0.0.0/0");
  EXPECT_EQ(ParseCidr("1.2.3.4/31")->ToString(), "1.2.3.4/31");
  EXPECT_EQ(ParseCidr("1.2.3.255/25")->ToString(), "1.2.3.128/25");
  EXPECT_EQ(ParseCidr("2001:db8:ffff::/33")->ToString(), "2001:db8:8000::/33");
  EXPECT_EQ(ParseCidr("::ffff:1.2.3.4/120")->ToString(), "1.2.3.0/24");
  EXPECT_EQ(ParseCidr("::ffff:1.2.3.4/88")->ToString(), "::ff00:0:0/88");
}

}  // namespace
}  // namespace kube::validation::internal
