// What controllers note about the rights that they need.

#include "controller/reconcile/internal/require_access.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/kubernetes/policy/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "controller/cache/cache.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/required_access.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/controller_host.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/writes_options.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
namespace policyv1 = api::policy::v1;
using testing::ElementsAre;
using testing::IsEmpty;
using Texts = std::vector<std::string>;

// A cache of the namespace "web", whose server is never asked.
struct World {
  ControllerHost Host() { return {.name = "test", .cache = &cache}; }
  // Returns the verbs that are noted for a resource in namespace "web".
  Texts VerbsOf(const std::string& resource) const {
    Texts verbs;
    for (const RequiredAccess& access : cache.required_access()) {
      if (access.resource != resource || access.namespaces != Texts{"web"}) continue;
      verbs.insert(verbs.end(), access.verbs.begin(), access.verbs.end());
    }
    std::sort(verbs.begin(), verbs.end());
    return verbs;
  }

  apiserver::ApiHandler server;
  Cache cache{*rest::MakeClient(envtest::InProcessConfig(server)), {.namespaces = {"web"}}};
};

TEST(RequireAccessTest, AControllerThatOnlyReads_NeedsToReadAndToWriteEvents) {
  World world;
  const Controller<corev1::ConfigMap> maps(world.Host());
  EXPECT_THAT(
      world.cache.required_access(),
      ElementsAre(
          RequiredAccess{
              .resource = "configmaps", .verbs = {"get", "list", "watch"}, .namespaces = {"web"}},
          RequiredAccess{
              .resource = "events", .verbs = {"create", "patch"}, .namespaces = {"web"}}));
}

TEST(RequireAccessTest, Events_AreWhereTheObjectsAre) {
  const struct {
    const char* name;
    WatchOptions watch;
    Texts namespaces;
  } kRows[] = {
      {"the namespaces of the watch", {.namespaces = {"b", "a"}}, {"a", "b"}},
      {"all namespaces", {.namespaces = {""}}, {}},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    World world;
    const Controller<corev1::ConfigMap> maps(world.Host(), {.watch = row.watch});
    EXPECT_EQ(world.cache.required_access().back(), (RequiredAccess{.resource = "events",
                                                                    .verbs = {"create", "patch"},
                                                                    .namespaces = row.namespaces}));
  }
  World world;
  const Controller<corev1::Node> nodes(world.Host(), {.edits_status = false});
  EXPECT_EQ(world.cache.required_access().back(),
            (RequiredAccess{
                .resource = "events", .verbs = {"create", "patch"}, .namespaces = {"default"}}));
}

TEST(RequireAccessTest, EditsStatus_IsSaid_NeedsToPatchIt) {
  World world;
  const Controller<policyv1::PodDisruptionBudget> quiet(world.Host(), {.name = "quiet"});
  EXPECT_THAT(world.VerbsOf("poddisruptionbudgets/status"), IsEmpty());
  const Controller<policyv1::PodDisruptionBudget> budgets(world.Host(), {.edits_status = true});
  EXPECT_THAT(world.VerbsOf("poddisruptionbudgets/status"), ElementsAre("patch"));
}

TEST(RequireAccessTest, Owns_NeedsToWriteChildrenThatBlockTheDeletionOfTheOwner) {
  World world;
  Controller<corev1::ConfigMap> maps(world.Host());
  const auto deployments = maps.Owns<appsv1::Deployment>();
  EXPECT_THAT(world.VerbsOf("deployments"), ElementsAre("create", "get", "list", "patch", "watch"));
  EXPECT_THAT(world.VerbsOf("configmaps/finalizers"), ElementsAre("update"));
  const auto pods = maps.Owns<corev1::Pod>({.writes = {.access = {.verbs = {"delete"}}}});
  EXPECT_THAT(world.VerbsOf("pods"), ElementsAre("delete", "get", "list", "watch"));
}

TEST(RequireAccessTest, Finalizes_NeedsToChangeTheObjects) {
  World world;
  Controller<corev1::ConfigMap> maps(world.Host());
  maps.Finalizes("example.com/dns", [](Request<corev1::ConfigMap>&) { return absl::OkStatus(); });
  EXPECT_THAT(world.VerbsOf("configmaps"), ElementsAre("get", "list", "patch", "watch"));
}

TEST(RequireAccessTest, Writes_HasTheNamespacesOfTheCacheUnlessItSaysOthers) {
  World world;
  Controller<corev1::ConfigMap> maps(world.Host());
  const auto secrets = maps.Writes<corev1::Secret>();
  EXPECT_THAT(world.VerbsOf("secrets"), ElementsAre("create", "get", "patch"));
  const auto directory = maps.Writes<corev1::Secret>(
      {.access = {.verbs = {"patch"}, .namespaces = {"system"}, .names = {"directory"}}});
  const auto nodes = maps.Writes<corev1::Node>({.access = {.verbs = {"patch"}}});
  const std::vector<RequiredAccess> all = world.cache.required_access();
  ASSERT_GE(all.size(), 2u);
  EXPECT_EQ(all[all.size() - 2], (RequiredAccess{.resource = "secrets",
                                                 .verbs = {"patch"},
                                                 .names = {"directory"},
                                                 .namespaces = {"system"}}));
  EXPECT_EQ(all.back(), (RequiredAccess{.resource = "nodes", .verbs = {"patch"}}));
}

TEST(RequireAccessTest, Writes_OfAResourceThatIsKnownAtRunTime_NeedsTheSame) {
  World world;
  Controller<corev1::ConfigMap> maps(world.Host());
  const typed::Resource dogs = {
      .group = "example.com", .version = "v1", .plural = "dogs", .kind = "Dog"};
  const auto writer = maps.Writes<unstructured::Unstructured>(dogs);
  EXPECT_THAT(world.VerbsOf("dogs"), ElementsAre("create", "get", "patch"));
}

TEST(RequireAccessTest, RequireForWriter_OfAWatch_HasItsNamespaces) {
  World world;
  const auto watched = world.cache.Watch<corev1::Secret>({.namespaces = {"a", "b"}});
  internal::RequireForWriter(world.cache, typed::ResourceTraits<corev1::Secret>::kResource,
                             watched.core().get(), WriteAccess{.verbs = {"patch"}});
  EXPECT_THAT(world.cache.required_access(),
              ElementsAre(RequiredAccess{.resource = "secrets",
                                         .verbs = {"get", "list", "patch", "watch"},
                                         .namespaces = {"a", "b"}}));
}

}  // namespace
}  // namespace kube::controller
