#include "apiserver/tokens/account_tokens.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/all_kinds.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/time.h"
#include "apiserver/object.h"
#include "apiserver/storage.h"
#include "apiserver/tokens/account_claims.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;

class AccountTokensTest : public testing::Test {
 protected:
  AccountTokensTest() { Put("ServiceAccount", "/serviceaccounts", "prod/web", "u1"); }

  // Stores an object in place of what is there. `deleted` is how long ago its deletion began.
  void Put(absl::string_view kind, absl::string_view resource, absl::string_view key,
           absl::string_view uid, absl::Duration deleted = absl::InfiniteDuration()) {
    Object object{codec::AnyObject(*api::FindKind("v1", kind))};
    object.metadata().uid = uid;
    if (deleted != absl::InfiniteDuration()) {
      object.metadata().deletion_timestamp = Time(base::WallNow() - deleted);
    }
    Remove(resource, key);
    ASSERT_THAT(storage_.Create(resource, key, std::move(object)), IsOk());
  }
  void Remove(absl::string_view resource, absl::string_view key) {
    const ObjectPtr old = storage_.Get(resource, key);
    if (old == nullptr) return;
    ASSERT_THAT(storage_.Delete(resource, key, old->revision(), old->object().Copy()), IsOk());
  }

  static AccountClaims Claims() {
    AccountClaims claims;
    claims.audiences = {"a", "b"};
    claims.issued_at = absl::ToUnixSeconds(base::WallNow());
    claims.not_before = claims.issued_at;
    claims.expiry = *claims.issued_at + 600;
    claims.namespace_name = "prod";
    claims.account = {.name = "web", .uid = "u1"};
    return claims;
  }

  // Returns what the token is answered with; it must claim to come from this server.
  absl::StatusOr<AuthenticatedToken> Check(absl::string_view token,
                                           const std::vector<std::string>& audiences = {"a"}) {
    const auto answer = tokens_.Authenticate(storage_, token, audiences);
    if (!answer.has_value()) return absl::InternalError("not a token of this server");
    return *answer;
  }
  std::string ErrorOf(const AccountClaims& claims) {
    return std::string(Check(*tokens_.Issue(claims)).status().message());
  }

  base::FakeClock clock_;
  base::RuntimeScope scope_{clock_};
  Storage storage_;
  AccountTokens tokens_;
};

TEST_F(AccountTokensTest, MakeTheirBearerAUser) {
  const absl::StatusOr<std::string> token = tokens_.Issue(Claims());
  ASSERT_THAT(token, IsOk());
  const auto answer = Check(*token, {"c", "b", "a"});
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(answer->user.name, "system:serviceaccount:prod:web");
  EXPECT_EQ(answer->user.uid, "u1");
  EXPECT_THAT(answer->audiences, ElementsAre("b", "a"));
}

TEST_F(AccountTokensTest, LeaveOthersToOthers) {
  AccountTokens other;
  EXPECT_FALSE(tokens_.Authenticate(storage_, "secret", {"a"}).has_value());
  EXPECT_FALSE(tokens_.Authenticate(storage_, "", {"a"}).has_value());
  // The same issuer, and another key.
  EXPECT_THAT(Check(*other.Issue(Claims())).status(),
              StatusIs(absl::StatusCode::kUnauthenticated, "invalid signature, no keys found"));
}

TEST_F(AccountTokensTest, RefuseAnotherSignature) {
  const std::vector<std::string> first = absl::StrSplit(*tokens_.Issue(Claims()), '.');
  AccountClaims more = Claims();
  more.account.name = "root";
  const std::vector<std::string> second = absl::StrSplit(*tokens_.Issue(more), '.');
  EXPECT_THAT(Check(absl::StrCat(first[0], ".", second[1], ".", first[2])).status(),
              StatusIs(absl::StatusCode::kUnauthenticated,
                       "go-jose/go-jose: error in cryptographic primitive"));
}

TEST_F(AccountTokensTest, AreForTheirAudiences) {
  const std::string token = *tokens_.Issue(Claims());
  EXPECT_THAT(
      Check(token, {"c", "d"}).status(),
      StatusIs(absl::StatusCode::kUnauthenticated,
               R"(token audiences ["a" "b"] is invalid for the target audiences ["c" "d"])"));
}

TEST_F(AccountTokensTest, Expire) {
  const std::string token = *tokens_.Issue(Claims());
  clock_.Step(absl::Seconds(660));
  EXPECT_THAT(Check(token), IsOk()) << "within the leeway";
  clock_.Step(absl::Seconds(1));
  EXPECT_THAT(Check(token).status(),
              StatusIs(absl::StatusCode::kUnauthenticated, "service account token has expired"));
}

TEST_F(AccountTokensTest, EndWithTheirAccount) {
  const std::string token = *tokens_.Issue(Claims());
  EXPECT_THAT(Check(token), IsOk());
  Put("ServiceAccount", "/serviceaccounts", "prod/web", "u1", absl::Seconds(60));
  EXPECT_THAT(Check(token), IsOk()) << "within the leeway";
  Put("ServiceAccount", "/serviceaccounts", "prod/web", "u1", absl::Seconds(61));
  EXPECT_EQ(Check(token).status().message(), "service account prod/web has been deleted");
  Put("ServiceAccount", "/serviceaccounts", "prod/web", "u2");
  EXPECT_EQ(Check(token).status().message(), "service account UID (u2) does not match claim (u1)");
  Remove("/serviceaccounts", "prod/web");
  EXPECT_EQ(Check(token).status().message(), "serviceaccounts \"web\" not found");
}

TEST_F(AccountTokensTest, EndWithWhatTheyAreBoundTo) {
  constexpr char kInvalidated[] = "service account token has been invalidated";
  AccountClaims of_pod = Claims();
  of_pod.pod = ClaimedObject{.name = "p", .uid = "u2"};
  AccountClaims of_secret = Claims();
  of_secret.secret = ClaimedObject{.name = "s", .uid = "u2"};
  AccountClaims of_node = Claims();
  of_node.node = ClaimedObject{.name = "n", .uid = "u2"};

  EXPECT_EQ(ErrorOf(of_pod), kInvalidated);
  EXPECT_EQ(ErrorOf(of_secret), kInvalidated);
  EXPECT_EQ(ErrorOf(of_node), kInvalidated);
  Put("Pod", "/pods", "prod/p", "u2");
  Put("Secret", "/secrets", "prod/s", "u2");
  Put("Node", "/nodes", "n", "u2");
  EXPECT_EQ(ErrorOf(of_pod), "");
  EXPECT_EQ(ErrorOf(of_secret), "");
  EXPECT_EQ(ErrorOf(of_node), "");
  Put("Pod", "/pods", "prod/p", "u2", absl::Minutes(2));
  Put("Secret", "/secrets", "prod/s", "u2", absl::Minutes(2));
  Put("Node", "/nodes", "n", "u2", absl::Minutes(2));
  EXPECT_EQ(ErrorOf(of_pod), kInvalidated);
  EXPECT_EQ(ErrorOf(of_secret), kInvalidated);
  EXPECT_EQ(ErrorOf(of_node), kInvalidated);
  Put("Pod", "/pods", "prod/p", "u3");
  Put("Secret", "/secrets", "prod/s", "u3");
  Put("Node", "/nodes", "n", "u3");
  EXPECT_EQ(ErrorOf(of_pod), "pod UID (u3) does not match service account pod ref claim (u2)");
  EXPECT_EQ(ErrorOf(of_secret),
            "secret UID (u3) does not match service account secret ref claim (u2)");
  EXPECT_EQ(ErrorOf(of_node), "node UID (u3) does not match service account node ref claim (u2)");
}

// The node of a pod only says where it was.
TEST_F(AccountTokensTest, DoNotEndWithTheNodeOfTheirPod) {
  Put("Pod", "/pods", "prod/p", "u2");
  AccountClaims claims = Claims();
  claims.pod = ClaimedObject{.name = "p", .uid = "u2"};
  claims.node = ClaimedObject{.name = "n", .uid = "u4"};
  EXPECT_EQ(ErrorOf(claims), "");
}

TEST_F(AccountTokensTest, StayValidBeyondTheNumberThatIsRemembered) {
  std::vector<std::string> all;
  for (int i = 0; i < 300; ++i) {
    AccountClaims claims = Claims();
    claims.id = absl::StrCat(i);
    all.push_back(*tokens_.Issue(claims));
    EXPECT_THAT(Check(all.back()), IsOk());
  }
  for (const std::string& token : all) EXPECT_THAT(Check(token), IsOk());
}

TEST(CommonAudiences, AreInTheOrderOfTheQuestion) {
  EXPECT_THAT(CommonAudiences({"a", "b", "c"}, {"c", "x", "a"}), ElementsAre("c", "a"));
  EXPECT_THAT(CommonAudiences({}, {"a"}), IsEmpty());
  EXPECT_THAT(CommonAudiences({"a"}, {}), IsEmpty());
}

}  // namespace
}  // namespace kube::apiserver::internal
