#include "clientset/clientcmd/internal/addresses.h"

#include <string>

#include "gtest/gtest.h"

// Random addresses: clientset/clientcmd/differential.
namespace kube::clientcmd::internal {
namespace {

TEST(AddressesTest, Tls) {
  EXPECT_TRUE(IsTls("https://h"));
  EXPECT_TRUE(IsTls("HTTPS://h/x"));
  for (const char* server : {"", "h", "h:443", "http://h", "https:h", "https://", "://"}) {
    EXPECT_FALSE(IsTls(server)) << server;
  }
}

TEST(AddressesTest, QueriesGoWherePathsAre) {
  EXPECT_EQ(WithoutQuery("https://h/a?b#c"), "https://h/a");
  EXPECT_EQ(WithoutQuery("https://h/?b"), "https://h/?b");
  EXPECT_EQ(WithoutQuery("h:80"), "h:80");
}

TEST(AddressesTest, Proxies) {
  EXPECT_EQ(ParseProxyUrl("socks5://u:p%40@h:1").value(), "socks5://u:p%40@h:1");
  EXPECT_FALSE(ParseProxyUrl("ftp://h").ok());
  EXPECT_FALSE(ParseProxyUrl("h:1").ok());
}

TEST(AddressesTest, Hiding) {
  EXPECT_EQ(WithoutUser("http://u:p@h"), "http://<redacted>@h");
  EXPECT_EQ(WithoutUser("u:p@h//x"), "<redacted>@h//x");
  EXPECT_EQ(WithoutUser("http://h"), "http://h");
}

}  // namespace
}  // namespace kube::clientcmd::internal
