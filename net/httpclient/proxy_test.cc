#include "net/httpclient/proxy.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace kube::httpclient {
namespace {

TEST(ProxyTest, WhichUrlsHaveOne) {
  struct Case {
    std::string name;
    std::string url;
    std::string no_proxy;
    bool proxied;
  };
  const std::vector<Case> cases = {
      {"no exceptions", "https://example.com", "", true},
      {"localhost", "https://localhost:6443/", "", false},
      {"loopback", "https://127.1.2.3/", "", false},
      {"loopback of IPv6", "https://[::1]:6443/", "", false},
      {"loopback as IPv6", "https://[::ffff:127.0.0.1]/", "", false},
      {"everything", "https://example.com", "a, *", false},
      {"itself", "https://example.com", "example.com", false},
      {"below", "https://a.example.com", "example.com", false},
      {"only an end of a word", "https://anexample.com", "example.com", true},
      {"a dot: below", "https://a.example.com", ".example.com", false},
      {"a dot: not itself", "https://example.com", ".example.com", true},
      {"a star: below", "https://a.b.example.com", "*.example.com", false},
      {"a star: not itself", "https://example.com", "*.example.com", true},
      {"case", "https://Example.COM", "EXAMPLE.com", false},
      {"spaces", "https://example.com", " x , example.com ", false},
      {"its port", "https://example.com:8443/x", "example.com:8443", false},
      {"another port", "https://example.com:8443/x", "example.com:443", true},
      {"the default port", "https://example.com/x", "example.com:443", false},
      {"address", "https://10.0.0.1/", "10.0.0.1", false},
      {"another address", "https://10.0.0.10/", "10.0.0.1", true},
      {"address and port", "https://10.0.0.1:6443/", "10.0.0.1:6443", false},
      {"address and another port", "https://10.0.0.1:6443/", "10.0.0.1:1", true},
      {"address of IPv6", "https://[fd00::1]:6443/", "fd00::1", false},
      {"address of IPv6 and port", "https://[fd00::1]:6443/", "[fd00::1]:6443", false},
      {"network", "https://10.96.0.1/", "10.0.0.0/8", false},
      {"network that ends in a byte", "https://10.31.0.1/", "10.16.0.0/12", false},
      {"beyond it", "https://10.32.0.1/", "10.16.0.0/12", true},
      {"network of IPv6", "https://[fd00:1::5]/", "fd00:1::/32", false},
      {"a name is in no network", "https://a.b/", "0.0.0.0/0", true},
      {"all addresses of IPv4 are not those of IPv6", "https://[fd00::1]/", "0.0.0.0/0", true},
      {"no network", "https://10.0.0.1/", "10.0.0.0/64", true},
      {"a port alone", "https://example.com/", ":443", true},
      {"a domain is not an address", "https://10.0.0.1/", ".1", true},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    const ProxyEnvironment environment = {.https_proxy = "http://proxy:1",
                                          .no_proxy = test.no_proxy};
    EXPECT_EQ(ProxyFor(test.url, environment), test.proxied ? "http://proxy:1" : "");
  }
}

TEST(ProxyTest, WhichOne) {
  const ProxyEnvironment both = {.http_proxy = "plain:1", .https_proxy = "socks5://u:p@s:2"};
  EXPECT_EQ(ProxyFor("http://a/", both), "http://plain:1");
  EXPECT_EQ(ProxyFor("https://a/", both), "socks5://u:p@s:2");
  EXPECT_EQ(ProxyFor("ftp://a/", both), "");
  EXPECT_EQ(ProxyFor("a", both), "");
  ProxyEnvironment cgi = both;
  cgi.cgi = true;
  EXPECT_EQ(ProxyFor("http://a/", cgi), "");
  EXPECT_EQ(ProxyFor("https://a/", cgi), "socks5://u:p@s:2");
}

TEST(ProxyTest, Environment) {
  for (const char* name : {"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "REQUEST_METHOD"}) {
    ::unsetenv(name);
  }
  ::setenv("http_proxy", "a", 1);
  ::setenv("https_proxy", "b", 1);
  ::setenv("no_proxy", "c", 1);
  ProxyEnvironment read = ProxyFromEnvironment();
  EXPECT_EQ(read.http_proxy, "a");
  EXPECT_EQ(read.https_proxy, "b");
  EXPECT_EQ(read.no_proxy, "c");
  EXPECT_FALSE(read.cgi);
  ::setenv("HTTPS_PROXY", "d", 1);
  ::setenv("REQUEST_METHOD", "GET", 1);
  read = ProxyFromEnvironment();
  EXPECT_EQ(read.https_proxy, "d");
  EXPECT_TRUE(read.cgi);
}

}  // namespace
}  // namespace kube::httpclient
