#include "clientset/rest/internal/url.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;

TEST(UrlTest, Parts) {
  const absl::StatusOr<Url> url = ParseUrl("HTTPS://u:p@[::1]:6443/a%20b?x=1#f");
  ASSERT_THAT(url, IsOk());
  EXPECT_EQ(url->scheme, "https");
  EXPECT_TRUE(url->has_user);
  EXPECT_EQ(url->host, "[::1]:6443");
  EXPECT_EQ(url->path, "/a%20b");
  EXPECT_TRUE(url->has_query);
  EXPECT_EQ(url->query, "x=1");
  EXPECT_TRUE(url->has_fragment);
  EXPECT_EQ(HostName(url->host), "::1");
  EXPECT_EQ(PortOf(url->host), "6443");
  EXPECT_EQ(PortOf("host"), "");
}

TEST(UrlTest, WhatIsNone) {
  for (const char* text : {"10.0.0.1:80", ":80", "http://a b", "http://[::g]", "http://h:p", "/%z",
                           "http://[::1", "http://h:1:2", "a\nb"}) {
    EXPECT_THAT(ParseUrl(text).status(), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
}

TEST(UrlTest, Loopback) {
  for (const char* host : {"localhost", "LocalHost", "127.0.0.1", "127.255.1.2", "::1"}) {
    EXPECT_TRUE(IsLoopback(host)) << host;
  }
  for (const char* host : {"", "127.0.0", "127.0.0.1.nip.io", "127.0.0.256", "128.0.0.1", "127...",
                           "localhost.evil.com", "::2"}) {
    EXPECT_FALSE(IsLoopback(host)) << host;
  }
}

TEST(UrlTest, Paths) {
  EXPECT_EQ(EscapePath("/a b/$&+,:;=@?#%é"), "/a%20b/$&+,:;=@%3F%23%25%C3%A9");
  EXPECT_THAT(UnescapePath("/a%20b%2f"), IsOkAndHolds("/a b/"));
  EXPECT_THAT(UnescapePath("%4").status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(CleanPath("//a/./b/../../../c/"), "/c");
  EXPECT_EQ(CleanPath(""), "/");
}

}  // namespace
}  // namespace kube::rest::internal
