// Controllers that write: what a reconcile function sees of its own writes, and when it comes to
// rest.

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.applies.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/kubernetes/policy/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource_traits.h"
#include "controller/cache/cache.h"
#include "controller/reconcile/client_of.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/controller_host.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/testing/run_controller.h"
#include "controller/reconcile/writer.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
namespace policyv1 = api::policy::v1;
using base::IsOk;

void Sleep(absl::Duration duration) { EXPECT_THAT(base::SleepFor(Context(), duration), IsOk()); }

// An API server, a cache and clients of the namespace "default".
struct World {
  World()
      : client(*rest::MakeClient(envtest::InProcessConfig(server))),
        cache(client, {.namespaces = {"default"}}) {}

  template <typed::ResourceKind K>
  auto Objects() const {
    return ClientOf<K>(client, typed::ResourceTraits<K>::kResource).Namespace("default");
  }
  ControllerHost Host() { return {.name = "test", .cache = &cache}; }

  apiserver::ApiHandler server;
  const rest::Client client;
  Cache cache;
};

void Simulate(absl::AnyInvocable<void(World&)> test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&test] {
    World world;
    test(world);
  }),
              IsOk());
}

// behaviour.md: CLIENT-33, CLIENT-34
TEST(ControllerWritesTest, OneChildIsCreated_ThoughTheCacheIsBehind) {
  Simulate([](World& world) {
    Controller<corev1::ConfigMap> maps(world.Host());
    const Owned<corev1::Secret> secrets = maps.Owns<corev1::Secret>();
    int reconciles = 0;
    maps.Reconciles([&](Request<corev1::ConfigMap>& request) -> absl::Status {
      ++reconciles;
      if (!secrets.Children(request).empty()) return absl::OkStatus();
      return secrets.Create(request, {.metadata = {.generate_name = "child-"}}).status();
    });
    RunController running(maps.managed());
    const apiserver::FaultId lag =
        world.server.faults().Add({.verbs = {"watch"},
                                   .resource = "secrets",
                                   .fault = apiserver::fault::Lag{.revisions = 1'000'000}});
    absl::StatusOr<corev1::ConfigMap> map =
        world.Objects<corev1::ConfigMap>().Create(Context(), {.metadata = {.name = "web"}});
    ASSERT_THAT(map, IsOk());
    for (int i = 0; i < 5; ++i) {
      Sleep(absl::Seconds(1));
      map->metadata.labels["turn"] = absl::StrCat(i);
      map = world.Objects<corev1::ConfigMap>().Update(Context(), *map);
      ASSERT_THAT(map, IsOk());
    }
    world.server.faults().Remove(lag);
    Sleep(absl::Minutes(1));
    EXPECT_GT(reconciles, 1);
    const absl::StatusOr<corev1::SecretList> created =
        world.Objects<corev1::Secret>().List(Context());
    ASSERT_THAT(created, IsOk());
    EXPECT_EQ(created->items.size(), 1u);
  });
}

TEST(ControllerWritesTest, AnApplyInEachReconcile_IsSentOnce) {
  Simulate([](World& world) {
    Controller<corev1::ConfigMap> maps(world.Host());
    const Owned<corev1::Secret> secrets = maps.Owns<corev1::Secret>();
    int reconciles = 0;
    maps.Reconciles([&](Request<corev1::ConfigMap>& request) -> absl::Status {
      ++reconciles;
      return secrets.Apply(request, {.metadata = {{.name = "child"}}}).status();
    });
    RunController running(maps.managed());
    absl::StatusOr<corev1::ConfigMap> map =
        world.Objects<corev1::ConfigMap>().Create(Context(), {.metadata = {.name = "web"}});
    ASSERT_THAT(map, IsOk());
    for (int i = 0; i < 5; ++i) {
      Sleep(absl::Seconds(5));
      map->metadata.labels["turn"] = absl::StrCat(i);
      map = world.Objects<corev1::ConfigMap>().Update(Context(), *map);
      ASSERT_THAT(map, IsOk());
    }
    Sleep(absl::Minutes(1));
    EXPECT_GT(reconciles, 5);
    int applies = 0;
    for (const apiserver::LoggedRequest& logged : world.server.Requests()) {
      if (logged.resource == "secrets" && logged.verb == "patch") ++applies;
    }
    EXPECT_EQ(applies, 1);
  });
}

TEST(ControllerWritesTest, AResourceThatIsKnownWhenTheProgramRuns_IsWritten) {
  Simulate([](World& world) {
    Controller<corev1::ConfigMap> maps(world.Host());
    const Writer<unstructured::Unstructured> secrets = maps.Writes<unstructured::Unstructured>(
        {.version = "v1", .plural = "secrets", .kind = "Secret"});
    maps.Reconciles([&](Request<corev1::ConfigMap>& request) -> absl::Status {
      unstructured::Unstructured secret;
      secret.set_name("child");
      secret.set_labels({{"colour", "blue"}});
      return secrets.Apply(request, secret).status();
    });
    RunController running(maps.managed());
    ASSERT_THAT(world.Objects<corev1::ConfigMap>().Create(Context(), {.metadata = {.name = "web"}}),
                IsOk());
    Sleep(absl::Seconds(5));
    const absl::StatusOr<corev1::Secret> child =
        world.Objects<corev1::Secret>().Get(Context(), "child");
    ASSERT_THAT(child, IsOk());
    ASSERT_EQ(child->metadata.managed_fields.size(), 1u);
    EXPECT_EQ(child->metadata.managed_fields[0].manager, "test");
  });
}

// PIT-36
TEST(ControllerWritesTest, AStatusThatFollowsTheSpec_ComesToRest) {
  Simulate([](World& world) {
    using Budget = policyv1::PodDisruptionBudget;
    Controller<Budget> budgets(world.Host());
    int reconciles = 0;
    budgets.Reconciles([&](Request<Budget>& request) {
      ++reconciles;
      return budgets.EditStatus(request, [&](policyv1::PodDisruptionBudgetStatus& status) {
        status.observed_generation = request.object()->metadata.generation;
      });
    });
    RunController running(budgets.managed());
    ASSERT_THAT(world.Objects<Budget>().Create(
                    Context(), {.metadata = {.name = "web"}, .spec = {.min_available = 1}}),
                IsOk());
    Sleep(absl::Minutes(1));
    const absl::StatusOr<Budget> web = world.Objects<Budget>().Get(Context(), "web");
    ASSERT_THAT(web, IsOk());
    EXPECT_GT(web->metadata.generation, 0);
    EXPECT_EQ(web->status.observed_generation, web->metadata.generation);
    EXPECT_LE(reconciles, 3);
  });
}

}  // namespace
}  // namespace kube::controller
