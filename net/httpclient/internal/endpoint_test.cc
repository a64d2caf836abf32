#include "net/httpclient/internal/endpoint.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::httpclient::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;

TEST(EndpointTest, Parses) {
  struct Case {
    std::string url;
    bool tls;
    std::string host;
    int port;
    std::string authority, target;
  };
  const std::vector<Case> cases = {
      {"https://10.0.0.1:6443/api?a=b", true, "10.0.0.1", 6443, "10.0.0.1:6443", "/api?a=b"},
      {"HTTPS://Example.org", true, "example.org", 443, "Example.org", "/"},
      {"http://host?x", false, "host", 80, "host", "/?x"},
      {"http://host:/a#b", false, "host", 80, "host:", "/a"},
      {"https://[::1]:8443/", true, "::1", 8443, "[::1]:8443", "/"},
      {"https://[FD00::1]", true, "fd00::1", 443, "[FD00::1]", "/"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.url);
    const auto endpoint = ParseEndpoint(test.url);
    ASSERT_THAT(endpoint, IsOk());
    EXPECT_EQ(endpoint->tls, test.tls);
    EXPECT_EQ(endpoint->host, test.host);
    EXPECT_EQ(endpoint->port, test.port);
    EXPECT_EQ(endpoint->authority, test.authority);
    EXPECT_EQ(endpoint->target, test.target);
  }
}

TEST(EndpointTest, Refuses) {
  for (const std::string url :
       {"", "host", "/path", "ftp://host/", "http://", "http:///x", "http://u@host/",
        "http://host:0/", "http://host:65536/", "http://host:x/", "http://[::1/", "http://[::1]x/",
        "http://host/a b", "http://host/\x7f", "http://host/\xc3\xa4"}) {
    SCOPED_TRACE(url);
    EXPECT_THAT(ParseEndpoint(url), StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(EndpointTest, ShowsNoPassword) {
  for (const std::string url : {"https://user:s3cret@host/", "https://user:s3cret/x@host/",
                                "https://user:s3cret?x@host/", "https://user:s3cret#x@host/"}) {
    SCOPED_TRACE(url);
    const absl::Status status = ParseEndpoint(url).status();
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument));
    EXPECT_THAT(std::string(status.message()), ::testing::Not(::testing::HasSubstr("s3cret")));
  }
}

}  // namespace
}  // namespace kube::httpclient::internal
