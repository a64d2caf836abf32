#include "controller/reconcile/controller.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource_traits.h"
#include "controller/cache/cache.h"
#include "controller/reconcile/client_of.h"
#include "controller/reconcile/controller_host.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/reconcile/testing/run_controller.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using base::IsOk;
using base::StatusIs;
using meta::ObjectName;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void Sleep(absl::Duration duration) { EXPECT_THAT(base::SleepFor(Context(), duration), IsOk()); }

// An API server, a cache of the namespace "default" and a client.
struct World {
  World()
      : client(*rest::MakeClient(envtest::InProcessConfig(server))),
        cache(client, {.namespaces = {"default"}}) {}

  auto Maps() const {
    return ClientOf<corev1::ConfigMap>(client, typed::ResourceTraits<corev1::ConfigMap>::kResource)
        .Namespace("default");
  }
  auto Secrets() const {
    return ClientOf<corev1::Secret>(client, typed::ResourceTraits<corev1::Secret>::kResource)
        .Namespace("default");
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

corev1::ConfigMap MapOf(absl::string_view name) { return {.metadata = {.name = name}}; }

// Writes down the calls of a controller of config maps.
struct Calls {
  template <typename T>
  void Of(Controller<T>& controller) {
    controller.Reconciles([this](Request<T>& request) {
      all.push_back(absl::StrCat("reconcile ", request.name().ToString()));
      return absl::OkStatus();
    });
    controller.OnGone([this](const Context&, const ObjectName& name) {
      all.push_back(absl::StrCat("gone ", name.ToString()));
      return absl::OkStatus();
    });
  }
  std::vector<std::string> Take() {
    std::vector<std::string> taken = all;
    all.clear();
    return taken;
  }

  std::vector<std::string> all;
};

// The example of the header; it is compiled only.
class Operator {
 public:
  explicit Operator(Manager& manager) : maps_(manager) {
    maps_.Reconciles([this](Request<corev1::ConfigMap>& r) { return Reconcile(r); });
  }

 private:
  absl::StatusOr<Result> Reconcile(Request<corev1::ConfigMap>& request) {
    const corev1::ConfigMap& map = *request.object();
    KUBE_RETURN_IF_ERROR(secrets_.Get(request, map.metadata.name.view()).status());
    return kube::controller::Result{.requeue_after = absl::Minutes(10)};
  }

  Controller<corev1::ConfigMap> maps_;
  const Owned<corev1::Secret> secrets_ = maps_.Owns<corev1::Secret>();
};

// The example of a controller without a manager.
absl::Status RunAlone(const Context& ctx, Cache& cache, int& calls) {
  Controller<corev1::ConfigMap> maps(ControllerHost{.name = "maps", .cache = &cache});
  maps.Reconciles([&calls](Request<corev1::ConfigMap>&) {
    ++calls;
    return absl::OkStatus();
  });
  maps.managed().StartWatches();
  KUBE_RETURN_IF_ERROR(maps.managed().WaitForSync(ctx));
  return maps.managed().RunWorkers(ctx, ctx);
}

TEST(ControllerTest, WithoutAManager) {
  Simulate([](World& world) {
    ASSERT_THAT(world.Maps().Create(Context(), MapOf("web")), IsOk());
    int calls = 0;
    EXPECT_THAT(RunAlone(WithTimeout(Context(), absl::Minutes(1)), world.cache, calls), IsOk());
    EXPECT_EQ(calls, 1);
  });
}

// behaviour.md: CTRL-28
TEST(ControllerTest, AnObjectsLife) {
  Simulate([](World& world) {
    ASSERT_THAT(world.Maps().Create(Context(), MapOf("old")), IsOk());
    Controller<corev1::ConfigMap> maps(world.Host());
    Calls calls;
    calls.Of(maps);
    EXPECT_EQ(maps.status().name, "configmap");
    RunController running(maps.managed());
    Sleep(absl::Seconds(1));
    EXPECT_THAT(calls.Take(), ElementsAre("reconcile default/old"));

    absl::StatusOr<corev1::ConfigMap> map = world.Maps().Create(Context(), MapOf("new"));
    ASSERT_THAT(map, IsOk());
    Sleep(absl::Seconds(1));
    EXPECT_THAT(calls.Take(), ElementsAre("reconcile default/new"));

    map->data["size"] = "2";
    ASSERT_THAT(world.Maps().Update(Context(), *map), IsOk());
    Sleep(absl::Seconds(1));
    EXPECT_THAT(calls.Take(), ElementsAre("reconcile default/new"));

    ASSERT_THAT(world.Maps().Delete(Context(), "new"), IsOk());
    Sleep(absl::Seconds(1));
    EXPECT_THAT(calls.Take(), ElementsAre("gone default/new"));
  });
}

// behaviour.md: CTRL-28
TEST(ControllerTest, AnObjectThatIsBeingDeleted_IsNotReconciled) {
  Simulate([](World& world) {
    corev1::ConfigMap map = MapOf("web");
    map.metadata.finalizers.push_back("example.com/of-another");
    ASSERT_THAT(world.Maps().Create(Context(), map), IsOk());
    Controller<corev1::ConfigMap> maps(world.Host());
    Calls calls;
    calls.Of(maps);
    RunController running(maps.managed());
    Sleep(absl::Seconds(1));
    EXPECT_THAT(calls.Take(), ElementsAre("reconcile default/web"));
    ASSERT_THAT(world.Maps().Delete(Context(), "web"), IsOk());
    Sleep(absl::Seconds(1));
    EXPECT_THAT(calls.Take(), IsEmpty());
    ASSERT_THAT(world.Maps().Get(Context(), "web"), IsOk());
  });
}

TEST(ControllerTest, AFinalizer_IsAddedFirst_AndRunsBeforeTheObjectIsGone) {
  Simulate([](World& world) {
    Controller<corev1::ConfigMap> maps(world.Host());
    std::vector<std::string> calls;
    maps.Reconciles([&](Request<corev1::ConfigMap>& request) {
      calls.push_back(absl::StrCat("reconcile with ", request.object()->metadata.finalizers.size(),
                                   " finalizers"));
      return absl::OkStatus();
    });
    maps.Finalizes("example.com/dns", [&](Request<corev1::ConfigMap>& request) {
      calls.push_back(absl::StrCat("finalize ", request.name().name));
      return absl::OkStatus();
    });
    RunController running(maps.managed());
    ASSERT_THAT(world.Maps().Create(Context(), MapOf("web")), IsOk());
    Sleep(absl::Seconds(1));
    ASSERT_FALSE(calls.empty());
    for (const std::string& call : calls) EXPECT_EQ(call, "reconcile with 1 finalizers");
    calls.clear();
    ASSERT_THAT(world.Maps().Delete(Context(), "web"), IsOk());
    Sleep(absl::Seconds(1));
    EXPECT_THAT(calls, ElementsAre("finalize web"));
    EXPECT_THAT(world.Maps().Get(Context(), "web"), StatusIs(absl::StatusCode::kNotFound));
  });
}

// behaviour.md: SRC-8
TEST(ControllerTest, Enqueue_OfANameThatDoesNotExist_IsGone_OfAnotherNamespace_IsNotRetried) {
  Simulate([](World& world) {
    Controller<corev1::ConfigMap> maps(world.Host());
    Calls calls;
    calls.Of(maps);
    RunController running(maps.managed());
    maps.Enqueue({.namespace_name = "default", .name = "none"});
    maps.Enqueue({.namespace_name = "elsewhere", .name = "web"});
    Sleep(absl::Minutes(1));
    EXPECT_THAT(calls.Take(), ElementsAre("gone default/none"));
    EXPECT_EQ(maps.status().failed_reconciles, 1);
  });
}

TEST(ControllerTest, AnUnstructuredController_NamesItsResource) {
  Simulate([](World& world) {
    Controller<unstructured::Unstructured> maps(
        world.Host(),
        {.resource = {
             .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true}});
    Calls calls;
    calls.Of(maps);
    EXPECT_EQ(maps.status().kind, "ConfigMap/v1");
    RunController running(maps.managed());
    ASSERT_THAT(world.Maps().Create(Context(), MapOf("web")), IsOk());
    Sleep(absl::Seconds(1));
    EXPECT_THAT(calls.Take(), ElementsAre("reconcile default/web"));
  });
}

TEST(ControllerTest, AMetadataController_NamesItsResource) {  // BLD-14
  Simulate([](World& world) {
    Controller<metav1::PartialObjectMetadata> maps(
        world.Host(),
        {.name = "metadata",
         .resource = {
             .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true}});
    Calls calls;
    calls.Of(maps);
    RunController running(maps.managed());
    ASSERT_THAT(world.Maps().Create(Context(), MapOf("web")), IsOk());
    Sleep(absl::Seconds(1));
    EXPECT_THAT(calls.Take(), ElementsAre("reconcile default/web"));
  });
}

// behaviour.md: HND-3
TEST(ControllerTest, OwnedObjects_EnqueueTheirOwner) {  // BLD-10
  Simulate([](World& world) {
    Controller<corev1::ConfigMap> maps(world.Host());
    const Owned<corev1::Secret> secrets = maps.Owns<corev1::Secret>();
    Calls calls;
    calls.Of(maps);
    RunController running(maps.managed());
    const absl::StatusOr<corev1::ConfigMap> map = world.Maps().Create(Context(), MapOf("web"));
    ASSERT_THAT(map, IsOk());
    Sleep(absl::Seconds(1));
    EXPECT_THAT(calls.Take(), ElementsAre("reconcile default/web"));
    corev1::Secret secret = {.metadata = {.name = "child"}};
    secret.metadata.owner_references.push_back({.api_version = "v1",
                                                .kind = "ConfigMap",
                                                .name = "web",
                                                .uid = map->metadata.uid,
                                                .controller = true});
    ASSERT_THAT(world.Secrets().Create(Context(), secret), IsOk());
    Sleep(absl::Seconds(1));
    EXPECT_THAT(calls.Take(), ElementsAre("reconcile default/web"));
  });
}

TEST(ControllerTest, APredicate_FiltersChanges) {
  Simulate([](World& world) {
    ControllerOptions<corev1::ConfigMap> options;
    options.predicate.on_add = [](const informers::AddEvent<corev1::ConfigMap>& event) {
      return event.object->metadata.name.view() != "no";
    };
    Controller<corev1::ConfigMap> maps(world.Host(), options);
    Calls calls;
    calls.Of(maps);
    RunController running(maps.managed());
    ASSERT_THAT(world.Maps().Create(Context(), MapOf("no")), IsOk());
    ASSERT_THAT(world.Maps().Create(Context(), MapOf("yes")), IsOk());
    Sleep(absl::Seconds(1));
    EXPECT_THAT(calls.Take(), ElementsAre("reconcile default/yes"));
  });
}

// behaviour.md: HND-9
TEST(ControllerTest, ObjectsOfTheInitialListAreReconciledAfterNews) {
  Simulate([](World& world) {
    for (const char* name : {"old-1", "old-2"}) {
      ASSERT_THAT(world.Maps().Create(Context(), MapOf(name)), IsOk());
    }
    Controller<corev1::ConfigMap> maps(world.Host());
    Calls calls;
    calls.Of(maps);
    maps.managed().StartWatches();
    Sleep(absl::Seconds(1));
    ASSERT_THAT(world.Maps().Create(Context(), MapOf("new")), IsOk());
    Sleep(absl::Seconds(1));
    RunController running(maps.managed());
    Sleep(absl::Seconds(1));
    ASSERT_EQ(calls.all.size(), 3u);
    EXPECT_EQ(calls.all[0], "reconcile default/new");
  });
}

TEST(ControllerTest, WithoutAReconcileFunction_TheStartFails) {
  Simulate([](World& world) {
    Controller<corev1::ConfigMap> maps(world.Host());
    maps.managed().StartWatches();
    EXPECT_THAT(maps.managed().WaitForSync(Context()),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("must provide a reconcile function")));
  });
}

// Answers each list and watch of config maps with this error.
apiserver::FaultId RefuseMaps(World& world, absl::Status error) {
  return world.server.faults().Add({.verbs = {"list", "watch"},
                                    .resource = "configmaps",
                                    .fault = apiserver::fault::Error{std::move(error)}});
}

// behaviour.md: CR-7, SRC-3
TEST(ControllerTest, WhatIsNotDefinedYet_IsWaitedFor) {
  Simulate([](World& world) {
    const apiserver::FaultId undefined =
        RefuseMaps(world, errors::NotFound({.resource = "configmaps"}, ""));
    Controller<corev1::ConfigMap> maps(world.Host());
    maps.Reconciles([](Request<corev1::ConfigMap>&) { return absl::OkStatus(); });
    maps.managed().StartWatches();
    const base::MonotonicTime begin = base::Now();
    const absl::Status waited =
        maps.managed().WaitForSync(WithTimeout(Context(), absl::Seconds(10)));
    EXPECT_TRUE(errors::IsNotFound(waited)) << waited;
    EXPECT_EQ(base::Now() - begin, absl::Seconds(10));
    world.server.faults().Remove(undefined);
    EXPECT_THAT(maps.managed().WaitForSync(WithTimeout(Context(), absl::Minutes(2))), IsOk());
  });
}

TEST(ControllerTest, AStartThatTakesLong_IsLoggedOnce) {
  Simulate([](World& world) {
    const log::LogCapture capture;
    RefuseMaps(world, errors::InternalError("no storage"));
    Controller<corev1::ConfigMap> maps(world.Host());
    maps.Reconciles([](Request<corev1::ConfigMap>&) { return absl::OkStatus(); });
    maps.managed().StartWatches();
    EXPECT_THAT(maps.managed().WaitForSync(WithTimeout(Context(), absl::Seconds(10))),
                StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("no storage")));
    int lines = 0;
    for (const std::string& line : capture.Lines()) {
      if (absl::StrContains(absl::AsciiStrToLower(line), "waiting for")) ++lines;
    }
    EXPECT_EQ(lines, 1);
  });
}

// behaviour.md: SRC-4
TEST(ControllerTest, WhatIsForbidden_IsNotWaitedFor) {
  Simulate([](World& world) {
    RefuseMaps(world, errors::Forbidden({.resource = "configmaps"}, "", "no role"));
    Controller<corev1::ConfigMap> maps(world.Host());
    maps.Reconciles([](Request<corev1::ConfigMap>&) { return absl::OkStatus(); });
    maps.managed().StartWatches();
    const base::MonotonicTime begin = base::Now();
    const absl::Status waited = maps.managed().WaitForSync(Context());
    EXPECT_TRUE(errors::IsForbidden(waited)) << waited;
    EXPECT_LE(base::Now() - begin, absl::Seconds(1));
  });
}

}  // namespace
}  // namespace kube::controller
