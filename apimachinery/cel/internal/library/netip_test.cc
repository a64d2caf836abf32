#include "apimachinery/cel/internal/library/netip.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

using base::StatusIs;

TEST(NetipTest, CanonicalTexts) {
  const struct {
    const char* text;
    const char* canonical;
  } kTests[] = {
      {"10.0.0.255", "10.0.0.255"},
      {"::", "::"},
      {"::1", "::1"},
      {"1::", "1::"},
      {"2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"},
      {"1:0:3:4:5:6:7:8", "1:0:3:4:5:6:7:8"},
      {"::ffff:1.2.3.4", "::ffff:1.2.3.4"},
      {"64:ff9b::1.2.3.4", "64:ff9b::102:304"},
      {"fe80::1%eth0", "fe80::1%eth0"},
  };
  for (const auto& test : kTests) {
    const absl::StatusOr<IpAddr> address = ParseIpAddr(test.text);
    ASSERT_TRUE(address.ok()) << test.text;
    EXPECT_EQ(address->ToString(), test.canonical);
  }
}

TEST(NetipTest, MalformedAddresses) {
  const struct {
    const char* text;
    const char* message;
  } kTests[] = {
      {"", "unable to parse IP"},
      {"%eth0", "missing IPv6 address"},
      {"1.2.3", "IPv4 address too short"},
      {"1.2.3.4.5", "IPv4 address too long"},
      {"1.2.3.256", "IPv4 field has value >255"},
      {"01.2.3.4", "IPv4 field has octet with leading zero"},
      {"1..2.3", "IPv4 field must have at least one digit (at \".2.3\")"},
      {"1.2.3.x", "unexpected character (at \"x\")"},
      {"::1::", "multiple :: in address (at \":\")"},
      {"1:2", "address string too short"},
      {"12345::", "each group must have 4 or less digits (at \"12345::\")"},
      {":1", "each colon-separated field must have at least one digit (at \":1\")"},
      {"1:2:3:4:5:6:7:8:9", "trailing garbage after address (at \"9\")"},
      {"::1:2:3:4:5:6:7:8", "the :: must expand to at least one field of zeros"},
      {"1:1.2.3.4",
       "embedded IPv4 address must replace the final 2 fields of the address (at \"1.2.3.4\")"},
      {"1::2%", "zone must be a non-empty string"},
      {"1:", "colon must be followed by more characters (at \":\")"},
      {"1::g", "each colon-separated field must have at least one digit (at \"g\")"},
  };
  for (const auto& test : kTests) {
    EXPECT_THAT(ParseIpAddr(test.text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         std::string("ParseAddr(\"") + test.text + "\"): " + test.message));
  }
}

TEST(NetipTest, KindsOfAddresses) {
  const struct {
    const char* text;
    const char*
        kinds;  // unspecified, loopback, multicast, link-local multicast and unicast, global
  } kTests[] = {
      {"0.0.0.0", "u"},     {"::", "u"},        {"127.0.0.9", "l"},      {"::1", "l"},
      {"224.0.0.1", "mn"},  {"225.0.0.1", "m"}, {"ff02::1", "mn"},       {"ff05::1", "m"},
      {"169.254.1.1", "k"}, {"fe80::1", "k"},   {"255.255.255.255", ""}, {"10.0.0.1", "g"},
      {"2001:db8::1", "g"}, {"fc00::1", "g"},
  };
  for (const auto& test : kTests) {
    const absl::StatusOr<IpAddr> address = ParseIpAddr(test.text);
    ASSERT_TRUE(address.ok()) << test.text;
    std::string kinds;
    if (address->IsUnspecified()) kinds += 'u';
    if (address->IsLoopback()) kinds += 'l';
    if (address->IsMulticast()) kinds += 'm';
    if (address->IsLinkLocalMulticast()) kinds += 'n';
    if (address->IsLinkLocalUnicast()) kinds += 'k';
    if (address->IsGlobalUnicast()) kinds += 'g';
    EXPECT_EQ(kinds, test.kinds) << test.text;
  }
}

TEST(NetipTest, Prefixes) {
  const absl::StatusOr<IpPrefix> prefix = ParseIpPrefix("192.168.77.1/18");
  ASSERT_TRUE(prefix.ok());
  EXPECT_EQ(prefix->ToString(), "192.168.77.1/18");
  EXPECT_EQ(prefix->Masked().ToString(), "192.168.64.0/18");
  EXPECT_TRUE(prefix->Contains(*ParseIpAddr("192.168.127.255")));
  EXPECT_FALSE(prefix->Contains(*ParseIpAddr("192.168.128.0")));
  EXPECT_FALSE(prefix->Contains(*ParseIpAddr("::1")));
  EXPECT_EQ(ParseIpPrefix("2001:db8:ffff::/33")->Masked().ToString(), "2001:db8:8000::/33");
}

TEST(NetipTest, MalformedPrefixes) {
  const struct {
    const char* text;
    const char* message;
  } kTests[] = {
      {"10.0.0.0", "no '/'"},
      {"10.0.0/8", "ParseAddr(\"10.0.0\"): IPv4 address too short"},
      {"fe80::1%a/64", "IPv6 zones cannot be present in a prefix"},
      {"10.0.0.0/", "bad bits after slash: \"\""},
      {"10.0.0.0/08", "bad bits after slash: \"08\""},
      {"10.0.0.0/-1", "bad bits after slash: \"-1\""},
      {"10.0.0.0/33", "prefix length out of range"},
      {"10.0.0.0/9999999999", "prefix length out of range"},
  };
  for (const auto& test : kTests) {
    EXPECT_THAT(ParseIpPrefix(test.text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         std::string("netip.ParsePrefix(\"") + test.text + "\"): " + test.message));
  }
}

}  // namespace
}  // namespace kube::cel::internal
