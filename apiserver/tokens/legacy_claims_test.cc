#include "apiserver/tokens/legacy_claims.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "api/all_kinds.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apiserver/object.h"
#include "apiserver/storage.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;

constexpr absl::StatusCode kRefused = absl::StatusCode::kUnauthenticated;

LegacyClaims Claims() {
  return {.subject = "system:serviceaccount:prod:web",
          .namespace_name = "prod",
          .account = "web",
          .account_uid = "u1",
          .secret = "s"};
}

TEST(LegacyClaims, Json) {
  const std::string json = EncodeLegacyClaims(Claims());
  EXPECT_EQ(json,
            R"({"iss":"kubernetes/serviceaccount","kubernetes.io/serviceaccount/namespace":"prod",)"
            R"("kubernetes.io/serviceaccount/secret.name":"s",)"
            R"("kubernetes.io/serviceaccount/service-account.name":"web",)"
            R"("kubernetes.io/serviceaccount/service-account.uid":"u1",)"
            R"("sub":"system:serviceaccount:prod:web"})");
  const auto claims = DecodeLegacyClaims(json);
  ASSERT_THAT(claims, IsOk());
  EXPECT_EQ(claims->subject, "system:serviceaccount:prod:web");
  EXPECT_EQ(claims->account_uid, "u1");
  EXPECT_EQ(claims->secret, "s");
  EXPECT_THAT(DecodeLegacyClaims("[]"),
              StatusIs(absl::StatusCode::kInvalidArgument, "read claims: not a JSON object"));
}

TEST(LegacyClaims, MembersThatAreMissing) {
  const Storage storage;
  EXPECT_THAT(CheckLegacyClaims(storage, {}, "t"), StatusIs(kRefused, "sub claim is missing"));
  LegacyClaims claims = Claims();
  claims.secret = "";
  EXPECT_THAT(CheckLegacyClaims(storage, claims, "t"),
              StatusIs(kRefused, "secretName claim is missing"));
  claims = Claims();
  claims.account = "other";
  EXPECT_THAT(CheckLegacyClaims(storage, claims, "t"), StatusIs(kRefused, "sub claim is invalid"));
}

TEST(LegacyClaims, ObjectsDecide) {
  Storage storage;
  EXPECT_THAT(CheckLegacyClaims(storage, Claims(), "t"),
              StatusIs(kRefused, "Token has been invalidated"));
  Object secret{codec::AnyObject(*api::FindKind("v1", "Secret"))};
  secret.As<corev1::Secret>()->data["token"] = "t";
  ASSERT_THAT(storage.Create("/secrets", "prod/s", secret.Copy()), IsOk());
  EXPECT_THAT(CheckLegacyClaims(storage, Claims(), "u"),
              StatusIs(kRefused, "Token does not match server's copy"));
  EXPECT_THAT(CheckLegacyClaims(storage, Claims(), "t"),
              StatusIs(kRefused, "serviceaccounts \"web\" not found"));
  Object account{codec::AnyObject(*api::FindKind("v1", "ServiceAccount"))};
  account.metadata().uid = "u1";
  ASSERT_THAT(storage.Create("/serviceaccounts", "prod/web", std::move(account)), IsOk());
  EXPECT_THAT(CheckLegacyClaims(storage, Claims(), "t"), IsOk());
  LegacyClaims older = Claims();
  older.account_uid = "u0";
  EXPECT_THAT(CheckLegacyClaims(storage, older, "t"),
              StatusIs(kRefused, "ServiceAccount UID (u1) does not match claim (u0)"));

  secret.metadata().labels["kubernetes.io/legacy-token-invalid-since"] = "2026-01-01";
  const int64_t revision = storage.Get("/secrets", "prod/s")->revision();
  ASSERT_THAT(storage.Update("/secrets", "prod/s", revision, std::move(secret)), IsOk());
  EXPECT_THAT(CheckLegacyClaims(storage, Claims(), "t"),
              StatusIs(kRefused, testing::StartsWith("the token in secret prod/s for service "
                                                     "account prod/web has been marked invalid")));
}

}  // namespace
}  // namespace kube::apiserver::internal
