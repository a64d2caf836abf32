#include "apiserver/tokens/account_claims.h"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::Eq;

AccountClaims Sample() {
  AccountClaims claims;
  claims.issuer = "https://i";
  claims.subject = "system:serviceaccount:prod:web";
  claims.audiences = {"a", "b<c"};
  claims.id = "j";
  claims.expiry = 2000;
  claims.not_before = 1000;
  claims.issued_at = 1000;
  claims.namespace_name = "prod";
  claims.account = {.name = "web", .uid = "u1"};
  return claims;
}

TEST(AccountClaims, AreWrittenAsUpstream) {
  AccountClaims claims = Sample();
  EXPECT_EQ(EncodeClaims(claims),
            "{\"aud\":[\"a\",\"b\\u003cc\"],\"exp\":2000,\"iat\":1000,\"iss\":\"https://i\","
            "\"jti\":\"j\",\"kubernetes.io\":{\"namespace\":\"prod\",\"serviceaccount\":{\"name\":"
            "\"web\",\"uid\":\"u1\"}},\"nbf\":1000,\"sub\":\"system:serviceaccount:prod:web\"}");
  claims.pod = ClaimedObject{.name = "p", .uid = "u2"};
  claims.node = ClaimedObject{.name = "n", .uid = ""};
  claims.warn_after = 1500;
  EXPECT_THAT(EncodeClaims(claims),
              testing::HasSubstr(
                  R"("kubernetes.io":{"namespace":"prod","node":{"name":"n"},"pod":{"name":"p",)"
                  R"("uid":"u2"},"serviceaccount":{"name":"web","uid":"u1"},"warnafter":1500})"));
}

TEST(AccountClaims, AreReadAsTheyWereWritten) {
  AccountClaims claims = Sample();
  EXPECT_THAT(DecodeClaims(EncodeClaims(claims)), IsOkAndHolds(Eq(claims)));
  claims.secret = ClaimedObject{.name = "s", .uid = "u3"};
  claims.warn_after = -1;
  claims.audiences = {};
  claims.expiry.reset();
  EXPECT_THAT(DecodeClaims(EncodeClaims(claims)), IsOkAndHolds(Eq(claims)));
}

TEST(AccountClaims, OfStrangeTypesAreAbsent) {
  const auto claims = DecodeClaims(
      R"({"aud":"one","exp":-1.5,"iat":1e300,"nbf":"x","iss":7,"jti":null,)"
      R"("kubernetes.io":{"namespace":[],"serviceaccount":"web","pod":{},"node":null}})");
  ASSERT_THAT(claims, IsOk());
  AccountClaims expected;
  expected.audiences = {"one"};
  expected.expiry = -1;
  expected.issued_at = claims->issued_at;
  expected.pod = ClaimedObject();
  EXPECT_EQ(*claims, expected);
  EXPECT_GT(*claims->issued_at, int64_t{9'000'000'000'000'000'000});
}

TEST(AccountClaims, NeedAnObject) {
  for (const char* text : {"", "[]", "\"a\"", "7", "{", "{}x", "\xff"}) {
    EXPECT_THAT(DecodeClaims(text).status(), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
}

TEST(AccountClaims, HoldForATime) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  struct Row {
    const char* name;
    int64_t not_before;
    int64_t issued_at;
    int64_t expiry;
    const char* error;
  };
  // It is 10,000.
  const Row rows[] = {
      {"valid", 9'000, 9'000, 11'000, ""},
      {"the last second of the leeway", 9'000, 9'000, 9'940, ""},
      {"a second later", 9'000, 9'000, 9'939, "service account token has expired"},
      {"the first second of the leeway", 10'060, 10'060, 11'000, ""},
      {"a second earlier", 10'061, 9'000, 11'000, "service account token is not valid yet"},
      {"issued later", 9'000, 10'061, 11'000, "service account token is issued in the future"},
      {"negative times", -10, -10, -5, "service account token has expired"},
      {"the least numbers", kMin, kMin, kMin, "service account token has expired"},
      {"for ever", kMin, kMin, kMax, ""},
      {"never", kMax, kMax, kMax, "service account token is not valid yet"},
  };
  for (const Row& row : rows) {
    AccountClaims claims = Sample();
    claims.not_before = row.not_before;
    claims.issued_at = row.issued_at;
    claims.expiry = row.expiry;
    const absl::Status status = CheckTimes(claims, absl::FromUnixSeconds(10'000));
    if (*row.error == '\0') {
      EXPECT_THAT(status, IsOk()) << row.name;
    } else {
      EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnauthenticated, row.error)) << row.name;
    }
  }
  EXPECT_THAT(CheckTimes({}, absl::FromUnixSeconds(10'000)), IsOk());
}

TEST(AccountClaims, MakeAUser) {
  AccountClaims claims = Sample();
  claims.id = "";
  EXPECT_EQ(UserOf(claims),
            (User{.name = "system:serviceaccount:prod:web",
                  .uid = "u1",
                  .groups = {"system:serviceaccounts", "system:serviceaccounts:prod"},
                  .extra = {}}));
  claims.id = "j";
  claims.pod = ClaimedObject{.name = "p", .uid = "u2"};
  claims.node = ClaimedObject{.name = "n", .uid = ""};
  const std::map<std::string, std::vector<std::string>> extra = {
      {"authentication.kubernetes.io/credential-id", {"JTI=j"}},
      {"authentication.kubernetes.io/node-name", {"n"}},
      {"authentication.kubernetes.io/pod-name", {"p"}},
      {"authentication.kubernetes.io/pod-uid", {"u2"}}};
  EXPECT_EQ(UserOf(claims).extra, extra);
}

}  // namespace
}  // namespace kube::apiserver::internal
