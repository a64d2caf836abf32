#include "net/url/internal/authority.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// Random ones: net/url/differential.
namespace kube::url::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

TEST(AuthorityTest, Hosts) {
  EXPECT_THAT(ParseHost("https", "h:80"), IsOkAndHolds("h:80"));
  EXPECT_THAT(ParseHost("https", "h:"), IsOkAndHolds("h:"));
  EXPECT_THAT(ParseHost("https", ""), IsOkAndHolds(""));
  EXPECT_THAT(ParseHost("https", "%C3%A9.org"), IsOkAndHolds("é.org"));
  EXPECT_THAT(ParseHost("https", "[::ffff:1.2.3.4]:80"), IsOkAndHolds("[::ffff:1.2.3.4]:80"));
  EXPECT_THAT(ParseHost("https", "[fe80::1%25en0]"), IsOkAndHolds("[fe80::1%en0]"));
  EXPECT_THAT(ParseHost("postgres", "a:1,b:2"), IsOkAndHolds("a:1,b:2"));
}

TEST(AuthorityTest, WhatIsNoHost) {
  for (const std::string host :
       {"h:port", "h:1:2", "a[::1]", "[::1", "[::1]x", "[::1]:x", "[1.2.3.4]", "[::g]", "[]",
        "[fe80::1%25]", "[fe80::1%en0]", "a b", "%41"}) {
    EXPECT_THAT(ParseHost("http", host).status(), StatusIs(absl::StatusCode::kInvalidArgument))
        << host;
  }
}

TEST(AuthorityTest, Users) {
  EXPECT_THAT(ParseUser("u"), IsOkAndHolds("u"));
  EXPECT_THAT(ParseUser("u:"), IsOkAndHolds("u:"));
  EXPECT_THAT(ParseUser("u:p@ss:w%6frd"), IsOkAndHolds("u:p%40ss%3Aword"));
  for (const std::string user : {"a b", "u/", "é", "%zz", "u:%zz"}) {
    EXPECT_THAT(ParseUser(user).status(), StatusIs(absl::StatusCode::kInvalidArgument)) << user;
  }
}

}  // namespace
}  // namespace kube::url::internal
