#include "net/url/url.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// Random URLs: net/url/differential.
namespace kube::url {
namespace {

using base::IsOk;
using base::StatusIs;

TEST(UrlTest, Parts) {
  const absl::StatusOr<Url> url = Parse("HTTPS://u:p@[::1]:6443/a%20b?x=1#f");
  ASSERT_THAT(url, IsOk());
  EXPECT_EQ(url->scheme, "https");
  EXPECT_EQ(url->user, "u:p");
  EXPECT_EQ(url->host, "[::1]:6443");
  EXPECT_EQ(url->path, "/a%20b");
  EXPECT_EQ(url->query, "x=1");
  EXPECT_EQ(url->fragment, "f");
  EXPECT_EQ(url->ToString(), "https://u:p@[::1]:6443/a%20b?x=1#f");
}

TEST(UrlTest, WrittenAsItIsRead) {
  for (const std::string text :
       {"https://h", "https://h/", "https://h/?", "https://h:/a//b?c#d", "//h/x", "/x", "x/y", "",
        "mailto:a@b.org", "file:///x", "file:/x", "https://[fe80::1%25en0]:1/", "*", "?a", "#f",
        "./a:b", "https://@h"}) {
    const absl::StatusOr<Url> url = Parse(text);
    ASSERT_THAT(url, IsOk()) << text;
    EXPECT_EQ(url->ToString(), text);
  }
}

TEST(UrlTest, WhatIsNone) {
  for (const std::string text :
       {"10.0.0.1:80", ":80", "http://a b", "http://[::g]", "http://h:p", "/%z", "http://[::1",
        "http://h:1:2", "a\nb", "http://u ser@h/", "#%z"}) {
    EXPECT_THAT(Parse(text).status(), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
}

TEST(UrlTest, ErrorsQuoteNothing) {
  for (const std::string text : {"https://u:secret/x@h", "https://u:%zzsecret@h",
                                 "https://h/%secret", "https://u:secret @h", "1:secret@h"}) {
    const absl::Status status = Parse(text).status();
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument)) << text;
    EXPECT_THAT(std::string(status.message()), testing::Not(testing::HasSubstr("secret"))) << text;
  }
}

TEST(UrlTest, RequestUris) {
  ASSERT_THAT(ParseRequestUri("/a?b#c"), IsOk());
  EXPECT_EQ(ParseRequestUri("/a?b#c")->query, "b#c");
  EXPECT_EQ(ParseRequestUri("//h/a")->path, "//h/a");
  EXPECT_EQ(ParseRequestUri("https://h/a")->host, "h");
  for (const std::string text : {"", "a", "1.2.3.4:80", "?a"}) {
    EXPECT_THAT(ParseRequestUri(text).status(), StatusIs(absl::StatusCode::kInvalidArgument))
        << text;
  }
}

TEST(UrlTest, Resolves) {
  struct Case {
    std::string reference;
    std::string resolved;
  };
  const std::vector<Case> cases = {
      {"z", "https://u@h/a/z"},    {"/z/../y/", "https://u@h/y/"}, {"?z", "https://u@h/a/b?z"},
      {"", "https://u@h/a/b?q#f"}, {"../../z", "https://u@h/z"},   {"//g/z", "https://g/z"},
      {"http://g", "http://g"},    {"#g", "https://u@h/a/b?q#g"},  {"//x//y", "https://x//y"},
      {".", "https://u@h/a/"},
  };
  const absl::StatusOr<Url> base = Parse("https://u@h/a/b?q#f");
  ASSERT_THAT(base, IsOk());
  for (const Case& test : cases) {
    const absl::StatusOr<Url> reference = Parse(test.reference);
    ASSERT_THAT(reference, IsOk()) << test.reference;
    EXPECT_EQ(Resolve(*base, *reference).ToString(), test.resolved) << test.reference;
  }
}

TEST(UrlTest, HostsAndPorts) {
  struct Case {
    std::string host;
    std::string name;
    std::string port;
  };
  const std::vector<Case> cases = {
      {"h", "h", ""},
      {"h:80", "h", "80"},
      {"h:", "h", ""},
      {"[::1]", "::1", ""},
      {"[::1]:80", "::1", "80"},
      {"", "", ""},
      {"[fe80::1%en0]:1", "fe80::1%en0", "1"},
      {"a:1,b:2", "a:1,b", "2"},
      {"h:x", "h:x", ""},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(HostName(test.host), test.name) << test.host;
    EXPECT_EQ(Port(test.host), test.port) << test.host;
  }
}

}  // namespace
}  // namespace kube::url
