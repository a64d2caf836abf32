#include "net/httpclient/proxy_address.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::httpclient {
namespace {

using ::kube::base::StatusIs;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ProxyAddressTest, Urls) {
  struct Row {
    std::string text;
    std::string url;
    std::string host;
  };
  for (const Row& row :
       std::vector<Row>{{"http://proxy:3128", "http://proxy:3128", "proxy"},
                        {"http://proxy", "http://proxy:80", "proxy"},
                        {"HTTPS://Proxy", "https://Proxy:443", "Proxy"},
                        {"socks5://10.0.0.1", "socks5h://10.0.0.1:1080", "10.0.0.1"},
                        {"socks5h://10.0.0.1:1", "socks5h://10.0.0.1:1", "10.0.0.1"},
                        {"http://[::1]:8080", "http://[::1]:8080", "::1"},
                        {"http://[fe80::1%25eth0]", "http://[fe80::1%25eth0]:80", "fe80::1%eth0"},
                        {"http://proxy:/path?a=b#c", "http://proxy:80", "proxy"},
                        {"http://a_b.c-d", "http://a_b.c-d:80", "a_b.c-d"},
                        {"http://ann:secret@proxy:1", "http://proxy:1", "proxy"},
                        {"https://ann:se%0Acret@proxy:1", "https://proxy:1", "proxy"},
                        {"socks5://%1Fann:se%0Acret@proxy:1", "socks5h://proxy:1", "proxy"},
                        {"proxy", "http://proxy:80", "proxy"},
                        {"proxy:3128", "http://proxy:3128", "proxy"},
                        {"ann:secret@proxy:3128", "http://proxy:3128", "proxy"}}) {
    SCOPED_TRACE(row.text);
    const auto proxy = ParseProxyAddress(row.text);
    ASSERT_TRUE(proxy.ok()) << proxy.status();
    EXPECT_EQ(proxy->url(), row.url);
    EXPECT_EQ(proxy->host, row.host);
  }
}

TEST(ProxyAddressTest, WhatIsNoProxy) {
  const std::string kLong(256, 'x');
  for (const std::string& text :
       std::vector<std::string>{"",
                                "http://",
                                "http://:1",
                                "htp://ann:s3cret@proxy:9",
                                "ftp://ann:s3cret@proxy",
                                "s3cret:s3cret:x://y@proxy",
                                "socks4://proxy",
                                "http://proxy:0",
                                "http://proxy:65536",
                                "http://proxy:x",
                                "http://ann:s3cret@proxy:port",
                                "http://ann:s3/cret@proxy",
                                "http://ann:/s3cret@proxy",
                                "http://s3cret/x@proxy",
                                "http://s3cret?x@proxy",
                                "http://s3cret#x@proxy",
                                "http://ann:s3cret%@proxy",
                                "http://ann:s3cret%zz@proxy",
                                "http://ann:s3cret\n@proxy",
                                "http://ann:s3cret\x01@proxy",
                                "http://ann:s3cret@pro%20xy",
                                "http://ann:s3cret@pro;xy",
                                "http://ann:s3cret@pro'xy",
                                "http://ann:s3cret@[::1",
                                "http://ann:s3cret@[10.0.0.1]",
                                "http://ann:s3cret@[::1%25]",
                                "http:s3cret",
                                "s3cret:/x@proxy",
                                "s3cret:///x@proxy",
                                "socks5://ann:s3cret%00@proxy",
                                absl::StrCat("socks5://s3cret", kLong, "@proxy"),
                                absl::StrCat("socks5://ann:s3cret", kLong, "@proxy")}) {
    SCOPED_TRACE(text);
    const absl::Status status = ParseProxyAddress(text).status();
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("proxy_url: ")));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("s3cret")));
  }
  EXPECT_THAT(
      ParseProxyAddress("htp://ann:s3cret@proxy:9"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("unsupported scheme \"htp\"")));
}

// As net/http sends them.
TEST(ProxyAddressTest, Authorization) {
  struct Row {
    std::string user;
    std::string header;
  };
  for (const Row& row : std::vector<Row>{{"", ""},
                                         {"ann@", "Basic YW5uOg=="},
                                         {"ann:@", "Basic YW5uOg=="},
                                         {"@", "Basic Og=="},
                                         {"user:s3cret%0A@", "Basic dXNlcjpzM2NyZXQK"},
                                         {"a%3Ab:c%3Ad@", "Basic YTpiOmM6ZA=="},
                                         {"a:%00%25%2F+@", "Basic YToAJS8r"}}) {
    SCOPED_TRACE(row.user);
    const auto proxy = ParseProxyAddress(absl::StrCat("http://", row.user, "proxy"));
    ASSERT_TRUE(proxy.ok()) << proxy.status();
    EXPECT_EQ(ProxyAuthorization(*proxy), row.header);
  }
}

}  // namespace
}  // namespace kube::httpclient
