// The manifests that the operator prints: the rights of its roles, all of which it uses, and its
// webhooks.
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apiserver/handler.h"
#include "controller/manifests/roles.h"
#include "controller/manifests/testing/rule_use.h"
#include "envtest/testing/eventually.h"
#include "examples/memcached_operator/test/cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace cache {
namespace {

namespace manifests = kube::manifests;
using kube::Context;
using kube::base::IsOk;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Joined(const kube::List<kube::String>& texts) {
  std::string joined;
  for (const kube::String& text : texts) {
    absl::StrAppend(&joined, joined.empty() ? "" : ",", text.view());
  }
  return joined;
}

// Returns each rule as "NAMESPACE: VERBS GROUP/RESOURCES[NAMES]".
std::vector<std::string> RulesOf(const std::vector<manifests::RoleRules>& roles) {
  std::vector<std::string> rules;
  for (const manifests::RoleRules& role : roles) {
    for (const kube::api::rbac::v1::PolicyRule& rule : role.rules) {
      const std::string names = Joined(rule.resource_names);
      rules.push_back(absl::StrCat(role.namespace_name, ": ", Joined(rule.verbs), " ",
                                   Joined(rule.api_groups), "/", Joined(rule.resources),
                                   names.empty() ? "" : absl::StrCat("[", names, "]")));
    }
  }
  return rules;
}

// What users of the operator do, so that it uses all its rights.
void UseAll(Cluster& cluster) {
  ASSERT_THAT(cluster.Create("sessions", 1), IsOk());
  ASSERT_THAT(cluster.AwaitDeployed("sessions"), IsOk());
  ASSERT_THAT(cluster.AwaitEvents("Available", 1), IsOk());
  // The second event is equal to the first one, which is patched.
  ASSERT_THAT(cluster.Resize("sessions", 2), IsOk());
  ASSERT_THAT(cluster.AwaitDeployed("sessions"), IsOk());
  ASSERT_THAT(cluster.AwaitEvents("Available", 2), IsOk());
  ASSERT_THAT(cluster.memcacheds().Delete(Context(), "sessions"), IsOk());
  ASSERT_THAT(kube::envtest::EventuallyGone(cluster.memcacheds(), "sessions", Soon()), IsOk());
  ASSERT_THAT(cluster.AwaitEvents("Deleting", 1), IsOk());
}

// Returns the requests of the operator that its roles do not allow.
std::vector<std::string> Forbidden(const std::vector<kube::apiserver::LoggedRequest>& requests) {
  std::vector<std::string> forbidden;
  for (const kube::apiserver::LoggedRequest& request : requests) {
    if (request.user == kAccount && request.decision == "forbid") {
      forbidden.push_back(absl::StrCat(request.method, " ", request.target));
    }
  }
  return forbidden;
}

TEST(MemcachedManifestsTest, TheOperatorHasTheRightsThatItDeclares_AndUsesEach) {
  const kube::log::LogCapture quiet;
  kube::base::SimRuntime sim;
  const absl::Status end = sim.Run([] {
    Cluster cluster;
    ASSERT_THAT(cluster.Start(), IsOk());
    UseAll(cluster);
    const auto access = cluster.manager().RequiredRules();
    EXPECT_THAT(cluster.Stop(), IsOk());

    EXPECT_THAT(
        RulesOf(manifests::RolesOf(access)),
        ElementsAre(": create,patch /events", ": create,get,list,patch,watch apps/deployments",
                    ": get,list,patch,watch cache.example.com/memcacheds",
                    ": update cache.example.com/memcacheds/finalizers",
                    ": patch cache.example.com/memcacheds/status",
                    "memcached-operator-system: create coordination.k8s.io/leases",
                    "memcached-operator-system: get,update "
                    "coordination.k8s.io/leases[memcached-operator]"));
    const auto requests = cluster.server().Requests();
    EXPECT_THAT(Forbidden(requests), IsEmpty());
    const manifests::RuleUse use = manifests::CompareWithRequests(access, requests, kAccount);
    EXPECT_THAT(use.not_declared, IsEmpty());
    EXPECT_THAT(use.not_used, IsEmpty());
  });
  ASSERT_THAT(end, IsOk());
}

TEST(MemcachedManifestsTest, TheManifests_HaveTheDefinitionAndTheWebhooks) {
  const auto text = PrintManifests();
  ASSERT_THAT(text, IsOk());
  for (const absl::string_view wanted :
       {"name: memcacheds.cache.example.com", "kind: MutatingWebhookConfiguration",
        "path: /mutate-cache-example-com-v1alpha1-memcached",
        "kind: ValidatingWebhookConfiguration",
        "path: /validate-cache-example-com-v1alpha1-memcached", "kind: Deployment"}) {
    EXPECT_THAT(*text, HasSubstr(std::string(wanted)));
  }
}

}  // namespace
}  // namespace cache
