#include "envtest/server/schema/internal/request_uri.h"

#include "gtest/gtest.h"

namespace kube::envtest::crd_schema::internal {
namespace {

TEST(RequestUriTest, Parts) {
  const auto uri = ParseRequestUri("https://bob@example.com:80/a%2fb?c");
  ASSERT_TRUE(uri.has_value());
  EXPECT_EQ(uri->scheme, "https");
  EXPECT_EQ(uri->host, "example.com:80");
}

TEST(RequestUriTest, WhatIsNone) {
  EXPECT_TRUE(ParseRequestUri("/a").has_value());
  EXPECT_FALSE(ParseRequestUri("a").has_value());
  EXPECT_FALSE(ParseRequestUri("").has_value());
  EXPECT_FALSE(ParseRequestUri("http://[::1/").has_value());
  EXPECT_FALSE(ParseRequestUri("http://a:b/").has_value());
}

}  // namespace
}  // namespace kube::envtest::crd_schema::internal
