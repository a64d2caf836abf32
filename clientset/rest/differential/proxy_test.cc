// Compares with Go's net/http which URLs have a proxy in an environment.

#include "net/httpclient/proxy.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube::rest {
namespace {

constexpr uint64_t kSeed = 20'261'121;

TEST(ProxyDifferentialTest, Exceptions) {
  const std::vector<std::string> urls = {
      "https://example.com",
      "http://example.com",
      "https://a.example.com:8443/x",
      "https://Example.COM:443",
      "https://a.b.example.com",
      "https://anexample.com",
      "https://localhost:6443",
      "https://LOCALHOST",
      "https://127.0.0.1",
      "https://127.3.4.5:80",
      "https://[::1]:6443",
      "https://[::ffff:127.0.0.1]",
      "https://10.0.0.1",
      "https://10.0.0.1:6443",
      "https://10.16.3.4",
      "https://10.96.0.1:443",
      "https://192.168.1.10",
      "https://[fd00::1]:6443",
      "https://[fd00:1::5]",
      "https://[::ffff:10.0.0.1]",
      "https://a",
      "http://a:80",
      "https://kubernetes.default.svc",
      "https://1.2.3",
      "https://example.com.",
      "https://host:0/",
  };
  oracle::TextMaker maker(
      kSeed,
      {"",
       "*",
       "a, *",
       "example.com",
       ".example.com",
       "*.example.com",
       "EXAMPLE.com:8443",
       "example.com:443",
       " x , example.com ",
       "10.0.0.1",
       "10.0.0.1:6443",
       "10.0.0.0/8",
       "10.16.0.0/12,fd00:1::/32",
       "0.0.0.0/0",
       "::/0",
       "::ffff:10.0.0.1",
       "::ffff:10.0.0.0/104",
       "fd00::1",
       "[fd00::1]",
       "[fd00::1]:6443",
       "10.0.0.0/33",
       "10.0.0.1/08",
       "010.0.0.1",
       "10.0.0/8",
       ":443",
       ".",
       "*.",
       ".1",
       "svc,.svc",
       "https://example.com",
       "example.com.",
       "a:b:c",
       ",,a,,",
       "*a",
       "1.2.3"},
      {"example.com", ".",     "*", ",", ":", "443", "6443",    "10.0.0.1", "10.0.0.0", "/8", "/",
       "fd00::1",     "fd00:", "[", "]", " ", "a",   "::ffff:", "0",        "svc",      "b."});
  SCOPED_TRACE(kSeed);
  oracle::GoCases cases("rest_oracle");
  for (std::string no_proxy : maker.Make(600)) {
    // An environment cannot contain zero bytes, and a line break would end the question.
    no_proxy = absl::StrReplaceAll(no_proxy, {{"\n", ""}, {std::string(1, '\0'), ""}});
    const httpclient::ProxyEnvironment environment = {
        .http_proxy = "http://plain:1", .https_proxy = "http://proxy:1", .no_proxy = no_proxy};
    std::string ours;
    for (const std::string& url : urls)
      ours += httpclient::ProxyFor(url, environment).empty() ? '0' : '1';
    cases.Add("proxy", absl::StrCat(no_proxy, "\n", absl::StrJoin(urls, "\n")), ours);
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::rest
