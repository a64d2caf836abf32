#include "apimachinery/crd_schema/internal/formats.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

TEST(FormatsTest, Texts) {
  struct Row {
    std::string name;
    std::string format;
    std::string text;
    bool want = false;
  };
  const std::vector<Row> rows = {
      {"leap day", "date", "2024-02-29", true},
      {"no leap day", "date", "2023-02-29", false},
      {"date-time", "date-time", "2014-12-15T19:30:20.000Z", true},
      {"time without date", "datetime", "19:30:20Z", false},
      {"go duration", "duration", "1h2.5m", true},
      {"scala duration", "duration", "5 minutes", true},
      {"no duration", "duration", "5 apples", false},
      {"uri", "uri", "https://user:p%40ss@example.com:80/x?y", true},
      {"path", "uri", "/a/b", true},
      {"relative path", "uri", "a/b", false},
      {"bad escape", "uri", "/%zz", false},
      {"two colons", "uri", "http://a:1:2/", false},
      {"zone", "uri", "http://[fe80::1%25en0]:80/", true},
      {"leading zeros", "ipv4", "010.0.0.1", true},
      {"IPv4 in IPv6", "ipv6", "::ffff:1.2.3.4", true},
      {"leading zeros in IPv6", "ipv6", "::ffff:01.2.3.4", false},
      {"cidr", "cidr", "10.0.0.0/8", true},
      {"mac with dots", "mac", "0123.4567.89ab", true},
      {"mac of seven", "mac", "01:23:45:67:89:ab:cd", false},
      {"uuid without dashes", "uuid", "f81d4fae7dec11d0a76500a0c91e6bf6", true},
      {"uuid of another version", "uuid4", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", false},
      {"host name", "hostname", "www.example.com", true},
      {"host name in another script", "hostname", "\xc3\xa4pfel.de", true},
      {"host name with an underscore", "hostname", "a_b", false},
      {"byte", "byte", "AA==", true},
      {"byte without padding", "byte", "AA", false},
      {"short name", "k8s-short-name", "web-0", true},
      {"upper case", "k8s-long-name", "Web", false},
  };
  for (const Row& row : rows) {
    const FormatCheck check = FindFormat(row.format);
    ASSERT_NE(check, nullptr) << row.name;
    EXPECT_EQ(check(row.text), row.want) << row.name;
  }
}

TEST(FormatsTest, UnknownOnes) {
  EXPECT_EQ(FindFormat(""), nullptr);
  EXPECT_EQ(FindFormat("int32"), nullptr);
  // Not imitated.
  EXPECT_EQ(FindFormat("email"), nullptr);
  EXPECT_EQ(FindFormat("creditcard"), nullptr);
}

}  // namespace
}  // namespace kube::crd_schema::internal
