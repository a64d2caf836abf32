#include "clientset/rest/internal/request_headers.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"

namespace kube::rest::internal {
namespace {

using base::IsOk;
using base::StatusIs;

// behaviour.md: TR-9
TEST(RequestHeadersTest, EscapesKeys) {
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

// The same as client-go's round trippers, except that those also send empty groups and extra
// values.
// behaviour.md: TR-9
TEST(RequestHeadersTest, EmptyHeadersDoNotReplaceDefaults) {
  const http::Headers defaults = {{"user-agent", "program"},  {"impersonate-user", "jane"},
                                  {"impersonate-uid", "7"},   {"impersonate-group", "g"},
                                  {"impersonate-group", "h"}, {"impersonate-extra-a", "x"}};
  const struct {
    const char* name;
    http::Headers own;
    http::Headers sent;
  } cases[] = {
      {"all are empty",
       {{"user-agent", ""},
        {"Impersonate-User", ""},
        {"Impersonate-Uid", ""},
        {"Impersonate-Group", ""},
        {"Impersonate-Extra-A", ""}},
       defaults},
      {"empty twice", {{"impersonate-user", ""}, {"impersonate-user", ""}}, defaults},
      {"somebody behind an empty one, whom servers do not see",
       {{"impersonate-user", ""}, {"impersonate-user", "root"}},
       defaults},
      {"uid, group and extra of nobody",
       {{"impersonate-uid", "0"},
        {"impersonate-group", "own"},
        {"impersonate-extra-a", "own"},
        {"impersonate-extra-b", "own"}},
       {{"impersonate-group", "own"},
        {"impersonate-extra-a", "own"},
        {"impersonate-extra-b", "own"},
        {"user-agent", "program"},
        {"impersonate-user", "jane"},
        {"impersonate-uid", "7"},
        {"impersonate-group", "g"},
        {"impersonate-group", "h"},
        {"impersonate-extra-a", "x"}}},
      {"somebody before an empty one",
       {{"impersonate-user", "joe"}, {"impersonate-user", ""}},
       {{"impersonate-user", "joe"}, {"impersonate-user", ""}, {"user-agent", "program"}}},
      {"the request's own are as they are",
       {{"x", ""}, {"user-agent", "mine"}, {"impersonate-user", "joe"}},
       {{"x", ""}, {"user-agent", "mine"}, {"impersonate-user", "joe"}}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(HeadersOf({.headers = c.own}, defaults, "type"), c.sent) << c.name;
  }
}

TEST(RequestHeadersTest, EmptyAcceptAndContentTypeAreReplaced) {
  EXPECT_EQ(HeadersOf({.headers = {{"accept", ""}, {"content-type", ""}},
                       .body = std::make_shared<const std::string>("x"),
                       .accept = "mine"},
                      {}, "type"),
            (http::Headers{{"accept", "mine"}, {"content-type", "type"}}));
}

TEST(RequestHeadersTest, ChecksWhatHttpAllows) {
  EXPECT_THAT(CheckHeaders({{"a", "b\tc"}}), IsOk());
  EXPECT_THAT(CheckHeaders({{"a b", "c"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, "invalid header field name"));
  EXPECT_THAT(CheckHeaders({{"a", "sesame\r\n"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, "invalid header field value for \"a\""));
}

}  // namespace
}  // namespace kube::rest::internal
