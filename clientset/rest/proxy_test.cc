#include "clientset/rest/proxy.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;
using testing::Not;

TEST(ProxyTest, NoProxyExcludes) {
  struct Case {
    std::string no_proxy;
    std::string url;
    bool proxied;
  };
  const std::vector<Case> cases = {
      {"", "https://example.com", true},
      {"", "https://localhost:6443", false},
      {"", "https://127.9.9.9", false},
      {"", "https://[::1]:6443", false},
      {"*", "https://example.com", false},
      {"example.com", "https://example.com", false},
      {"example.com", "https://EXAMPLE.com:6443", false},
      {"example.com", "https://api.example.com", false},
      {"example.com", "https://myexample.com", true},
      {".example.com", "https://example.com", true},
      {".example.com", "https://api.example.com", false},
      {"*.example.com", "https://api.example.com", false},
      {"*.example.com", "https://example.com", true},
      {"example.com:443", "https://example.com", false},
      {"example.com:6443", "https://example.com", true},
      {"example.com:6443", "https://example.com:6443", false},
      {" a.b , Example.com ", "https://example.com", false},
      {"10.0.0.1", "https://10.0.0.1:6443", false},
      {"10.0.0.1:80", "https://10.0.0.1:6443", true},
      {"10.0.0.0/8", "https://10.1.2.3", false},
      {"10.0.0.0/8", "https://11.1.2.3", true},
      {"10.0.0.0/33", "https://10.0.0.0", true},
      {"10.0.0.0/x", "https://10.0.0.0", true},
      {"fd00::/8", "https://[fd12::1]:6443", false},
      {"fd00::/8", "https://[fe12::1]:6443", true},
      {"fd12::1", "https://[fd12::1]:6443", false},
      {"[fd12::1]:6443", "https://[fd12::1]:6443", false},
      {"[fd12::1]:6443", "https://[fd12::1]", true},
      {"0.0.0.0/0", "https://example.com", true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.no_proxy + " " + c.url);
    EXPECT_THAT(ProxyFor(c.url, {.https_proxy = "http://proxy:3128", .no_proxy = c.no_proxy}),
                IsOkAndHolds(std::string(c.proxied ? "http://proxy:3128" : "")));
  }
}

TEST(ProxyTest, EachSchemeHasItsOwn) {
  const ProxyEnvironment environment = {.http_proxy = "proxy:80", .https_proxy = "socks5://p:1080"};
  EXPECT_THAT(ProxyFor("http://example.com", environment), IsOkAndHolds("http://proxy:80"));
  EXPECT_THAT(ProxyFor("https://example.com", environment), IsOkAndHolds("socks5://p:1080"));
  EXPECT_THAT(ProxyFor("https://example.com", {.http_proxy = "proxy:80"}), IsOkAndHolds(""));
}

TEST(ProxyTest, UserAndPasswordStay) {
  EXPECT_THAT(ProxyFor("https://example.com", {.https_proxy = "http://u:pw@proxy:3128"}),
              IsOkAndHolds("http://u:pw@proxy:3128"));
  EXPECT_THAT(ProxyFor("https://example.com", {.https_proxy = "u:pw@proxy:3128"}),
              IsOkAndHolds("http://u:pw@proxy:3128"));
}

TEST(ProxyTest, ErrorsNameTheVariableOnly) {
  EXPECT_THAT(ProxyFor("https://example.com", {.https_proxy = "ftp://u:sesame@proxy"}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, "HTTPS_PROXY is no URL of a proxy"));
  EXPECT_THAT(ProxyFor("http://example.com", {.http_proxy = "http://u:sesame@a b"}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, "HTTP_PROXY is no URL of a proxy"));
}

TEST(ProxyTest, ACgiProgramTakesNoHttpProxy) {
  EXPECT_THAT(
      ProxyFor("http://example.com", {.http_proxy = "http://proxy", .is_cgi = true}).status(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("CGI")));
  EXPECT_THAT(ProxyFor("https://example.com", {.https_proxy = "http://proxy", .is_cgi = true}),
              IsOkAndHolds("http://proxy"));
}

}  // namespace
}  // namespace kube::rest
