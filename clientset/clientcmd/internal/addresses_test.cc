#include "clientset/clientcmd/internal/addresses.h"

#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
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

TEST(AddressesTest, NamesAndPasswordsOfProxiesAreNotShown) {
  const struct {
    const char* text;
    const char* error;
  } cases[] = {
      {"ftp://h", "unsupported scheme \"ftp\", must be http, https, or socks5"},
      {"FTP://alice:s3cret@h", "unsupported scheme \"ftp\", must be http, https, or socks5"},
      {"localhost", "unsupported scheme \"\", must be http, https, or socks5"},
      {"//alice:s3cret@h", "unsupported scheme \"\", must be http, https, or socks5"},
      // The text before a colon may be a user or a token.
      {"alice:s3cret@proxy:3128", "unsupported scheme, must be http, https, or socks5"},
      {"s3cret:@proxy:3128", "unsupported scheme, must be http, https, or socks5"},
      {"s3cret:/x@proxy:3128", "unsupported scheme, must be http, https, or socks5"},
      {"s3cret:///x@proxy:3128", "unsupported scheme, must be http, https, or socks5"},
      {"http://alice:s3c/ret@proxy:3128", "could not parse: http://<redacted>@proxy:3128"},
      {"alice:s3cret//x@proxy", "unsupported scheme, must be http, https, or socks5"},
      {"alice:s3cret//%zz@proxy\x7f", "could not parse: <redacted>@proxy\x7f"},
      {"s3cret:///%zz@proxy", "could not parse: <redacted>@proxy"},
  };
  for (const auto& test : cases) {
    EXPECT_THAT(ParseProxyUrl(test.text),
                base::StatusIs(absl::StatusCode::kInvalidArgument, test.error))
        << test.text;
  }
}

TEST(AddressesTest, Hiding) {
  EXPECT_EQ(WithoutUser("http://u:p@h"), "http://<redacted>@h");
  EXPECT_EQ(WithoutUser("u:p@h//x"), "<redacted>@h//x");
  EXPECT_EQ(WithoutUser("u:p//q@h"), "<redacted>@h");
  EXPECT_EQ(WithoutUser("u:///p@h"), "<redacted>@h");
  EXPECT_EQ(WithoutUser("//u:p@h"), "//<redacted>@h");
  EXPECT_EQ(WithoutUser("http://h"), "http://h");
}

}  // namespace
}  // namespace kube::clientcmd::internal
