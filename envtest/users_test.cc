#include "envtest/users.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/authentication/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/api_server.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/kubernetes/authentication/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "envtest/environment.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

namespace authenticationv1 = api::authentication::v1;
namespace corev1 = api::core::v1;
namespace rbacv1 = api::rbac::v1;
using base::IsOk;
using base::StatusIs;
using ::testing::Contains;
using ::testing::HasSubstr;

apiserver::HandlerOptions WithRbac() {
  apiserver::HandlerOptions options;
  options.authorization = apiserver::Authorization::kRbac;
  return options;
}

// Jane, who may get config maps in "default".
UserOptions Jane() {
  UserOptions jane;
  jane.name = "jane";
  jane.groups = {"web"};
  rbacv1::PolicyRule rule;
  rule.verbs = {"get"};
  rule.api_groups = {""};
  rule.resources = {"configmaps"};
  jane.rules = {rule};
  jane.namespace_name = "default";
  return jane;
}

// Checks that the clients of a configuration are Jane.
void ExpectJane(const rest::Config& config) {
  const absl::StatusOr<rest::Client> client = rest::MakeClient(config);
  ASSERT_THAT(client, IsOk());
  const auto review = authenticationv1::SelfSubjectReviewClient(*client).Create(Context(), {});
  ASSERT_THAT(review, IsOk());
  EXPECT_EQ(review->status.user_info.username, "jane");
  EXPECT_THAT(review->status.user_info.groups, Contains("web"));

  const corev1::ConfigMapClient maps(*client, "default");
  EXPECT_TRUE(errors::IsNotFound(maps.Get(Context(), "none").status())) << "it is allowed";
  EXPECT_TRUE(errors::IsForbidden(maps.List(Context()).status()));
  const corev1::ConfigMapClient elsewhere(*client, "kube-system");
  EXPECT_TRUE(errors::IsForbidden(elsewhere.Get(Context(), "none").status()));
}

// behaviour.md: ENVTEST-5
TEST(AddUser, InProcess_IsTheUserOfAToken) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    apiserver::ApiHandler server(WithRbac());
    const absl::StatusOr<rest::Config> jane = AddUser(Context(), server, Jane());
    ASSERT_THAT(jane, IsOk());
    ExpectJane(*jane);
  }),
              IsOk());
}

// behaviour.md: ENVTEST-5
TEST(AddUser, Environment_IsTheUserOfACertificate) {
  const auto environment = EmbeddedEnvironment::Start({.handler = WithRbac()});
  ASSERT_THAT(environment, IsOk());
  const absl::StatusOr<rest::Config> jane = AddUser(Context(), **environment, Jane());
  ASSERT_THAT(jane, IsOk());
  EXPECT_TRUE(jane->bearer_token.empty());
  ExpectJane(*jane);
}

TEST(AddUser, Environment_WithoutTls_IsFailedPrecondition) {
  const auto environment = EmbeddedEnvironment::Start({.tls = false});
  ASSERT_THAT(environment, IsOk());
  EXPECT_THAT(AddUser(Context(), **environment, Jane()).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("add user \"jane\"")));
}

TEST(AddUser, Config_IsImpersonated) {
  apiserver::ApiHandler server(WithRbac());
  const absl::StatusOr<rest::Config> jane = AddUser(Context(), InProcessConfig(server), Jane());
  ASSERT_THAT(jane, IsOk());
  ExpectJane(*jane);
}

TEST(AddUser, Again_ReplacesTheRules) {
  apiserver::ApiHandler server(WithRbac());
  ASSERT_THAT(AddUser(Context(), server, Jane()), IsOk());
  UserOptions more = Jane();
  more.rules[0].verbs = {"get", "list"};
  const absl::StatusOr<rest::Config> jane = AddUser(Context(), server, more);
  ASSERT_THAT(jane, IsOk());
  const corev1::ConfigMapClient maps(*rest::MakeClient(*jane), "default");
  EXPECT_THAT(maps.List(Context()), IsOk());
}

TEST(AddUser, InAnotherNamespace_TheOtherRightsStay) {
  apiserver::ApiHandler server(WithRbac());
  ASSERT_THAT(AddUser(Context(), server, Jane()), IsOk());
  UserOptions elsewhere = Jane();
  elsewhere.namespace_name = "kube-system";
  elsewhere.rules[0].verbs = {"list"};
  const absl::StatusOr<rest::Config> jane = AddUser(Context(), server, elsewhere);
  ASSERT_THAT(jane, IsOk());
  const rest::Client client = *rest::MakeClient(*jane);
  const corev1::ConfigMapClient here(client, "default");
  EXPECT_TRUE(errors::IsNotFound(here.Get(Context(), "none").status())) << "it is allowed";
  EXPECT_TRUE(errors::IsForbidden(here.List(Context()).status()));
  const corev1::ConfigMapClient there(client, "kube-system");
  EXPECT_THAT(there.List(Context()), IsOk());
  EXPECT_TRUE(errors::IsForbidden(there.Get(Context(), "none").status()));
}

TEST(AddUser, NamesThatDifferInSignsOnly_AreDifferentUsers) {
  apiserver::ApiHandler server(WithRbac());
  constexpr const char* kNames[] = {"a/b", "a%b", "a-b", "a=2Fb"};
  UserOptions options = Jane();
  for (const char* name : kNames) {
    options.name = name;
    ASSERT_THAT(AddUser(Context(), server, options), IsOk()) << name;
  }
  // The last one gets other rights, and the others keep theirs.
  options.rules[0].verbs = {"list"};
  ASSERT_THAT(AddUser(Context(), server, options), IsOk());
  for (const char* name : kNames) {
    const rest::Client client = *rest::MakeClient(InProcessConfig(server, {.name = name}));
    const corev1::ConfigMapClient maps(client, "default");
    const bool lists = maps.List(Context()).ok();
    EXPECT_EQ(lists, name == kNames[3]) << name;
  }
}

TEST(AddUser, WithoutNamespace_TheRulesHoldEverywhere) {
  apiserver::ApiHandler server(WithRbac());
  UserOptions everywhere = Jane();
  everywhere.namespace_name = "";
  rbacv1::PolicyRule health;
  health.verbs = {"get"};
  health.non_resource_urls = {"/metrics"};
  everywhere.rules.push_back(health);
  const absl::StatusOr<rest::Config> jane = AddUser(Context(), server, everywhere);
  ASSERT_THAT(jane, IsOk());
  const corev1::ConfigMapClient maps(*rest::MakeClient(*jane), "kube-system");
  EXPECT_TRUE(errors::IsNotFound(maps.Get(Context(), "none").status()));
}

TEST(AddUser, TheExampleOfTheHeader) {
  apiserver::ApiHandler server(WithRbac());
  const auto jane =
      AddUser(Context(), server,
              {.name = "jane",
               .rules = {{.verbs = {"get"}, .api_groups = {""}, .resources = {"configmaps"}}},
               .namespace_name = "default"});
  ASSERT_THAT(jane, IsOk());
  const rest::Client client = *rest::MakeClient(*jane);
  const corev1::ConfigMapClient maps(client, "default");
  EXPECT_TRUE(errors::IsNotFound(maps.Get(Context(), "none").status()));
}

TEST(AddUser, WhatIsWrong_IsAnError) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    apiserver::HandlerOptions options = WithRbac();
    options.deny.push_back({.user = "jane", .resource = "configmaps"});
    apiserver::ApiHandler server(options);
    EXPECT_THAT(AddUser(Context(), server, {}).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, "add user: the name is empty"));
    EXPECT_THAT(AddUser(Context(), server, Jane()).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         HasSubstr("add user \"jane\": wait for rights")));
    UserOptions nowhere = Jane();
    nowhere.namespace_name = "nowhere";
    EXPECT_TRUE(errors::IsNotFound(AddUser(Context(), server, nowhere).status()));
    UserOptions impatient = Jane();
    impatient.timeout = absl::ZeroDuration();
    EXPECT_THAT(AddUser(Context(), server, impatient), IsOk());
  }),
              IsOk());
}

}  // namespace
}  // namespace kube::envtest
