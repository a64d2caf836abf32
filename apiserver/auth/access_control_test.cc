#include "apiserver/auth/access_control.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/request_info.h"
#include "apiserver/storage.h"
#include "apiserver/tokens/account_tokens.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

AccessControl Make(Anonymous anonymous = Anonymous::kHealthOnly) {
  AccessControl::Parts parts = {.anonymous = anonymous,
                                .deny = {{.user = "ann", .verb = "delete"}},
                                .account_tokens = std::make_shared<AccountTokens>()};
  parts.tokens["t"] = {.name = "ann", .groups = {"devs"}};
  return AccessControl(std::move(parts));
}

httpserver::Request With(absl::string_view name, absl::string_view value) {
  httpserver::Request request;
  request.headers.Set(name, value);
  return request;
}

RequestInfo About(absl::string_view verb) {
  return {.is_resource_request = true, .verb = std::string(verb), .resource = "pods"};
}

TEST(AccessControl, BearerTokens) {
  const Storage storage;
  AccessControl access = Make();
  const auto ann = access.Authenticate(storage, With("authorization", "bearer  t "));
  ASSERT_THAT(ann, IsOk());
  EXPECT_EQ(ann->name, "ann");
  EXPECT_THAT(ann->groups, ElementsAre("devs", "system:authenticated"));
  EXPECT_TRUE(errors::IsUnauthorized(
      access.Authenticate(storage, With("authorization", "Bearer x")).status()));
  access.AddToken("x", {.name = "bob"});
  EXPECT_THAT(access.Authenticate(storage, With("authorization", "Bearer x")), IsOk());
}

TEST(AccessControl, ClientCertificates_ComeBeforeTokens) {
  const Storage storage;
  const AccessControl access = Make();
  const struct {
    const char* name;
    httpserver::ClientCertificate certificate;
    std::string authorization;
    const char* user;
  } kRows[] = {
      {"alone", {.common_name = "jane", .organizations = {"ops"}}, "", "jane"},
      {"with a token", {.common_name = "jane"}, "Bearer t", "jane"},
      {"with a token that is not known", {.common_name = "jane"}, "Bearer x", "jane"},
      {"without a name", {.organizations = {"system:masters"}}, "", "system:anonymous"},
      {"without a name, with a token", {.organizations = {"ops"}}, "Bearer t", "ann"},
  };
  for (const auto& row : kRows) {
    httpserver::Request request;
    request.client_certificate = row.certificate;
    if (!row.authorization.empty()) request.headers.Set("authorization", row.authorization);
    const auto user = access.Authenticate(storage, request);
    ASSERT_THAT(user, IsOk()) << row.name;
    EXPECT_EQ(user->name, row.user) << row.name;
    EXPECT_THAT(user->groups, Not(Contains("system:masters"))) << row.name;
  }
}

TEST(AccessControl, ClientCertificates_HaveNoGroupsOfServiceAccounts) {
  const Storage storage;
  AccessControl access = Make();
  constexpr char kAccount[] = "system:serviceaccount:default:op";
  httpserver::Request request;
  request.client_certificate =
      httpserver::ClientCertificate{.common_name = kAccount, .organizations = {"ops"}};
  const auto certified = access.Authenticate(storage, request);
  ASSERT_THAT(certified, IsOk());
  EXPECT_THAT(certified->groups, ElementsAre("ops", "system:authenticated"));
  access.AddToken("op", {.name = kAccount});
  const auto with_token = access.Authenticate(storage, With("authorization", "Bearer op"));
  ASSERT_THAT(with_token, IsOk());
  EXPECT_THAT(with_token->groups,
              ElementsAre("system:serviceaccounts", "system:serviceaccounts:default",
                          "system:authenticated"));
}

TEST(AccessControl, TokensAreForThisServer) {
  const Storage storage;
  const AccessControl access = Make();
  EXPECT_THAT(access.CheckToken(storage, "t", {"other"}),
              StatusIs(absl::StatusCode::kUnauthenticated, "invalid bearer token"));
  const auto checked = access.CheckToken(storage, "t", {"other", std::string(kTokenIssuer)});
  ASSERT_THAT(checked, IsOk());
  EXPECT_THAT(checked->audiences, ElementsAre(std::string(kTokenIssuer)));
}

TEST(AccessControl, WithoutCredentials) {
  const Storage storage;
  const auto nobody = Make().Authenticate(storage, httpserver::Request());
  ASSERT_THAT(nobody, IsOk());
  EXPECT_EQ(nobody->name, "system:anonymous");
  EXPECT_TRUE(errors::IsUnauthorized(
      Make(Anonymous::kNone).Authenticate(storage, httpserver::Request()).status()));
}

TEST(AccessControl, DenyRulesCanBeReplaced) {
  AccessControl access = Make();
  const User ann = {.name = "ann"};
  EXPECT_TRUE(access.Decide(ann, About("get"), nullptr).allowed);
  EXPECT_FALSE(access.Decide(ann, About("delete"), nullptr).allowed);
  access.SetDenyRules({{.verb = "get"}});
  EXPECT_FALSE(access.Decide(ann, About("get"), nullptr).allowed);
  EXPECT_TRUE(access.Decide(ann, About("delete"), nullptr).allowed);
}

TEST(AccessControl, Impersonation) {
  const Storage storage;
  AccessControl access = Make();
  httpserver::Request request = With("authorization", "Bearer t");
  request.headers.Set("impersonate-user", "bob");
  access.SetDenyRules({});
  const Requester bob = access.RequesterOf(storage, nullptr, request, About("get"));
  ASSERT_THAT(bob.user, IsOk());
  EXPECT_EQ(bob.user->name, "bob");
  EXPECT_THAT(bob.user->groups, Contains("system:authenticated"));
  EXPECT_TRUE(bob.impersonates.allowed);
  access.SetDenyRules({{.user = "ann"}});
  const Requester refused = access.RequesterOf(storage, nullptr, request, About("get"));
  EXPECT_TRUE(errors::IsForbidden(refused.user.status()));
  EXPECT_FALSE(refused.impersonates.allowed);
}

}  // namespace
}  // namespace kube::apiserver::internal
