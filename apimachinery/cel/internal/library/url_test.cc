#include "apimachinery/cel/internal/library/url.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

using base::StatusIs;

TEST(UrlTest, Parts) {
  const absl::StatusOr<Url> url =
      ParseUrl("HTTPS://me:a%40b@[fe80::1%25eth0]:80/a%2fb c?x=1&y#f g");
  ASSERT_TRUE(url.ok()) << url.status();
  EXPECT_EQ(url->scheme, "https");
  EXPECT_EQ(url->user, "me:a%40b");
  EXPECT_EQ(url->host, "[fe80::1%eth0]:80");
  EXPECT_EQ(url->HostName(), "fe80::1%eth0");
  EXPECT_EQ(url->Port(), "80");
  EXPECT_EQ(url->path, "/a/b%20c");
  EXPECT_EQ(url->query, "x=1&y");
  EXPECT_EQ(url->fragment, "f%20g");
}

TEST(UrlTest, TextsAreCanonical) {
  const struct {
    const char* text;
    const char* canonical;
  } kTests[] = {
      {"http://h", "http://h"},
      {"http://h/?", "http://h/?"},
      {"file:/x", "file:/x"},
      {"file:///x", "file:///x"},
      {"mailto:a@b", "mailto:a@b"},
      {"/a?b#c", "/a?b#c"},
      {"http://h/a%2Fb", "http://h/a%2Fb"},
      {"http://h/a\"b", "http://h/a%22b"},
  };
  for (const auto& test : kTests) {
    const absl::StatusOr<Url> url = ParseUrl(test.text);
    ASSERT_TRUE(url.ok()) << test.text << ": " << url.status();
    EXPECT_EQ(url->ToString(), test.canonical);
  }
}

TEST(UrlTest, Malformed) {
  const struct {
    const char* text;
    const char* message;
  } kTests[] = {
      {"", "empty url"},
      {"a/b", "invalid URI for request"},
      {":a", "missing protocol scheme"},
      {"http://h:x/", "invalid port \":x\" after host"},
      {"http://a b/", "invalid character \" \" in host name"},
      {"http://[::1/", "missing ']' in host"},
      {"http://[1.2.3.4]/", "invalid IP-literal"},
      {"http://[x]/", "invalid host: ParseAddr(\"x\"): unable to parse IP"},
      {"http://a b@h/", "net/url: invalid userinfo"},
      {"/%zz", "invalid URL escape \"%zz\""},
  };
  for (const auto& test : kTests) {
    EXPECT_THAT(ParseRequestUri(test.text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         std::string("parse \"") + test.text + "\": " + test.message));
  }
  EXPECT_THAT(ParseUrl("a:b/c#%x"), StatusIs(absl::StatusCode::kInvalidArgument,
                                             "parse \"a:b/c#%x\": invalid URL escape \"%x\""));
}

}  // namespace
}  // namespace kube::cel::internal
