#include "clientset/rest/internal/request_headers.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"

namespace kube::rest::internal {
namespace {

using base::IsOk;
using base::StatusIs;

TEST(RequestHeadersTest, EscapesKeys) {  // TR-9
  EXPECT_EQ(EscapeHeaderKey("a-b_c.~!"), "a-b_c.~!");
  EXPECT_EQ(EscapeHeaderKey("example.com/k 1%é"), "example.com%2Fk%201%25%C3%A9");
}

TEST(RequestHeadersTest, NobodyHasNoHeaders) {
  EXPECT_TRUE(ImpersonationHeaders({.uid = "7", .groups = {"a"}}).empty());
}

TEST(RequestHeadersTest, TheRequestsOwnGoFirst) {
  const http::Headers defaults = {
      {"accept", "default"}, {"impersonate-user", "jane"}, {"impersonate-group", "g"}};
  EXPECT_EQ(HeadersOf({}, defaults, "type"), defaults);
  EXPECT_EQ(
      HeadersOf({.headers = {{"Impersonate-User", "joe"}},
                 .body = std::make_shared<const std::string>("x"),
                 .accept = "mine"},
                defaults, "type"),
      (http::Headers{{"impersonate-user", "joe"}, {"accept", "mine"}, {"content-type", "type"}}));
}

TEST(RequestHeadersTest, ChecksWhatHttpAllows) {
  EXPECT_THAT(CheckHeaders({{"a", "b\tc"}}), IsOk());
  EXPECT_THAT(CheckHeaders({{"a b", "c"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, "invalid name of a header"));
  EXPECT_THAT(CheckHeaders({{"a", "sesame\r\n"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, "invalid value of header a"));
}

}  // namespace
}  // namespace kube::rest::internal
