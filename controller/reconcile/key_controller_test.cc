#include "controller/reconcile/key_controller.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_name.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource_traits.h"
#include "clientset/typed/typed_client.h"
#include "controller/cache/cache.h"
#include "controller/cache/watched.h"
#include "controller/manager/managed_controller.h"
#include "controller/reconcile/cause.h"
#include "controller/reconcile/client_of.h"
#include "controller/reconcile/controller_host.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/reconcile/testing/run_controller.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using meta::ObjectName;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

void Sleep(absl::Duration duration) { EXPECT_THAT(base::SleepFor(Context(), duration), IsOk()); }

// An API server, a cache of it and a client.
struct World {
  World() : client(*rest::MakeClient(envtest::InProcessConfig(server))), cache(client) {}

  auto Maps() const {
    return ClientOf<corev1::ConfigMap>(client, typed::ResourceTraits<corev1::ConfigMap>::kResource)
        .Namespace("default");
  }
  auto Secrets() const {
    return ClientOf<corev1::Secret>(client, typed::ResourceTraits<corev1::Secret>::kResource)
        .Namespace("default");
  }
  ControllerHost Host() { return {.name = "test", .cache = &cache, .metrics = registry}; }

  apiserver::ApiHandler server;
  const rest::Client client;
  const std::shared_ptr<base::PrometheusRegistry> registry =
      std::make_shared<base::PrometheusRegistry>();
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
corev1::Secret SecretOf(absl::string_view name) { return {.metadata = {.name = name}}; }

// ---- a cache that lags behind

struct LagCase {
  std::string name;
  absl::Duration own_writes_timeout;
  size_t secrets;  // that the controller makes
  int reconciles;  // while the cache lags
  int timeouts;
};

// Makes a secret for the config map "web" if the cache has none. Each has another name, so that the
// server does not hide a second creation.
class SecretMaker {
 public:
  SecretMaker(World& world, absl::Duration own_writes_timeout)
      : secrets_client_(world.Secrets()),
        controller_(world.Host(), {.name = "maker", .own_writes_timeout = own_writes_timeout}),
        maps_(controller_.Watches<corev1::ConfigMap>({.keys_of =
                                                          [](const corev1::ConfigMap& map) {
                                                            return std::vector<ObjectName>{
                                                                meta::ObjectNameOf(map)};
                                                          }})),
        secrets_(controller_.Watches<corev1::Secret>({.keys_of = [](const corev1::Secret&) {
          return std::vector<ObjectName>{ObjectName{.namespace_name = "default", .name = "web"}};
        }})) {
    controller_.Reconciles([this](KeyRequest<ObjectName>& request) { return Reconcile(request); });
  }

  ManagedController& managed() { return controller_.managed(); }

  int reconciles = 0;
  std::vector<std::string> made;
  std::vector<Cause::Type> last_causes;

 private:
  absl::Status Reconcile(KeyRequest<ObjectName>& request) {
    if (request.key().name != "web" || !maps_.Get(request, "web").ok()) return absl::OkStatus();
    ++reconciles;
    last_causes.clear();
    for (const Cause& cause : request.causes()) last_causes.push_back(cause.type);
    if (!secrets_.List(request, {.namespace_name = "default"}).empty()) return absl::OkStatus();
    const std::string name = absl::StrCat("web-", made.size() + 1);
    KUBE_ASSIGN_OR_RETURN(const corev1::Secret secret,
                          secrets_client_.Create(request.context(), SecretOf(name)));
    made.push_back(name);
    request.NoteWrite(secrets_.core(), "default", secret.metadata.resource_version.view());
    return absl::OkStatus();
  }

  const typed::TypedClient<corev1::Secret, ListOf<corev1::Secret>> secrets_client_;
  KeyController<ObjectName> controller_;
  const Watched<corev1::ConfigMap> maps_;
  const Watched<corev1::Secret> secrets_;
};

class LaggingCacheTest : public testing::TestWithParam<LagCase> {};

// The watch of secrets stands still for five seconds, while the config map changes each second.
TEST_P(LaggingCacheTest, Reconcile) {
  Simulate([](World& world) {
    SecretMaker maker(world, GetParam().own_writes_timeout);
    RunController running(maker.managed());
    const apiserver::FaultId lag =
        world.server.faults().Add({.verbs = {"watch"},
                                   .resource = "secrets",
                                   .fault = apiserver::fault::Lag{.revisions = 1'000'000}});
    absl::StatusOr<corev1::ConfigMap> map = world.Maps().Create(Context(), MapOf("web"));
    ASSERT_THAT(map, IsOk());
    for (int i = 0; i < 5; ++i) {
      Sleep(absl::Seconds(1));
      map->metadata.labels["turn"] = absl::StrCat(i);
      map = world.Maps().Update(Context(), *map);
      ASSERT_THAT(map, IsOk());
    }
    Sleep(absl::Milliseconds(500));
    EXPECT_EQ(maker.reconciles, GetParam().reconciles);
    world.server.faults().Remove(lag);
    Sleep(absl::Minutes(1));
    EXPECT_EQ(maker.made.size(), GetParam().secrets);
    EXPECT_GT(maker.reconciles, GetParam().reconciles) << "what came meanwhile is reconciled";
    EXPECT_THAT(world.registry->Render(),
                HasSubstr(absl::StrCat("parking_timeouts_total{controller=\"maker\"} ",
                                       GetParam().timeouts)));
  });
}

INSTANTIATE_TEST_SUITE_P(
    Timeouts, LaggingCacheTest,
    testing::Values(LagCase{"Parked_MakesOneSecret", absl::Seconds(10), 1, 1, 0},
                    LagCase{"NotParked_MakesOneForEachChange", absl::ZeroDuration(), 6, 6, 0},
                    LagCase{"ParkedForTooShortATime_MakesMore", absl::Milliseconds(3500), 2, 2, 1}),
    [](const testing::TestParamInfo<LagCase>& test) { return test.param.name; });

TEST(KeyControllerTest, AnOwnWrite_IsTheCauseOfTheNextReconcile) {
  Simulate([](World& world) {
    SecretMaker maker(world, absl::Seconds(10));
    RunController running(maker.managed());
    ASSERT_THAT(world.Maps().Create(Context(), MapOf("web")), IsOk());
    Sleep(absl::Seconds(5));
    EXPECT_THAT(maker.made, ElementsAre("web-1"));
    EXPECT_EQ(maker.reconciles, 2);
    EXPECT_THAT(maker.last_causes, ElementsAre(Cause::Type::kOwnWrite));
  });
}

TEST(KeyControllerTest, KeysThatAreParkedAtTheEnd_AreNotCountedAfterwards) {
  Simulate([](World& world) {
    SecretMaker maker(world, absl::Seconds(10));
    RunController running(maker.managed());
    world.server.faults().Add({.verbs = {"watch"},
                               .resource = "secrets",
                               .fault = apiserver::fault::Lag{.revisions = 1'000'000}});
    ASSERT_THAT(world.Maps().Create(Context(), MapOf("web")), IsOk());
    Sleep(absl::Seconds(1));
    constexpr char kParked[] = "\ncontroller_parked_keys{controller=\"maker\"} ";
    EXPECT_THAT(world.registry->Render(), HasSubstr(absl::StrCat(kParked, 1)));
    running.Stop();
    EXPECT_THAT(world.registry->Render(), HasSubstr(absl::StrCat(kParked, 0)));
  });
}

// ---- writes that an event may never tell of

std::vector<std::string> NoKeys(const corev1::Secret&) { return {}; }

// Creates the secret "web" once, and says each time that it has written it.
class SecretWriter {
 public:
  SecretWriter(World& world, absl::Duration own_writes_timeout)
      : client_(world.Secrets()),
        controller_(world.Host(), {.name = "writer", .own_writes_timeout = own_writes_timeout}) {
    controller_.Reconciles([this](KeyRequest<std::string>& request) { return Reconcile(request); });
  }

  ManagedController& managed() { return controller_.managed(); }
  void Enqueue() { controller_.Enqueue("web"); }
  void Watch() { secrets_ = controller_.Watches<corev1::Secret>({.keys_of = NoKeys}); }

  std::vector<std::vector<std::string>> calls;  // their causes

 private:
  absl::Status Reconcile(KeyRequest<std::string>& request) {
    std::vector<std::string>& causes = calls.emplace_back();
    for (const Cause& cause : request.causes()) causes.push_back(cause.ToString());
    if (version_.empty()) {
      KUBE_ASSIGN_OR_RETURN(const corev1::Secret secret,
                            client_.Create(request.context(), SecretOf("web")));
      version_ = std::string(secret.metadata.resource_version.view());
    }
    if (!secrets_.has_value()) {
      Watch();
      Sleep(absl::Seconds(1));
    }
    request.NoteWrite(secrets_->core(), "default", version_);
    return absl::OkStatus();
  }

  const typed::TypedClient<corev1::Secret, ListOf<corev1::Secret>> client_;
  KeyController<std::string> controller_;
  std::optional<Watched<corev1::Secret>> secrets_;
  std::string version_;
};

TEST(KeyControllerTest, AWriteThatArrivesByALateList_IsReconciledOnceMore) {
  for (const absl::Duration timeout : {absl::Seconds(10), absl::ZeroDuration()}) {
    SCOPED_TRACE(absl::FormatDuration(timeout));
    Simulate([timeout](World& world) {
      SecretWriter writer(world, timeout);
      writer.Watch();
      RunController running(writer.managed());
      apiserver::FaultRule rule = {.verbs = {"watch"},
                                   .resource = "secrets",
                                   .fault = apiserver::fault::Lag{.revisions = 1'000'000}};
      const apiserver::FaultId lag = world.server.faults().Add(rule);
      writer.Enqueue();
      Sleep(absl::Minutes(1));
      EXPECT_EQ(writer.calls.size(), 1u);
      rule.times = 1;
      rule.fault = apiserver::fault::ExpireWatch{};
      world.server.faults().Add(rule);
      world.server.faults().Remove(lag);
      Sleep(absl::Minutes(5));
      ASSERT_EQ(writer.calls.size(), 2u);
      EXPECT_THAT(writer.calls[1], ElementsAre(StartsWith("own write Secret ")));
    });
  }
}

TEST(KeyControllerTest, AWriteThatArrivesByItsEvent_IsNotReconciledForThat) {
  Simulate([](World& world) {
    SecretWriter writer(world, absl::Seconds(10));
    writer.Watch();
    RunController running(writer.managed());
    writer.Enqueue();
    Sleep(absl::Minutes(5));
    EXPECT_EQ(writer.calls.size(), 1u);
  });
}

TEST(KeyControllerTest, AWatchThatBeginsDuringTheReconcile_IsReconciledOnceMore) {
  Simulate([](World& world) {
    SecretWriter writer(world, absl::Seconds(10));
    RunController running(writer.managed());
    writer.Enqueue();
    Sleep(absl::Minutes(5));
    ASSERT_EQ(writer.calls.size(), 2u);
    EXPECT_THAT(writer.calls[1], ElementsAre(StartsWith("own write Secret ")));
  });
}

// As of an object that the selector of the watch does not match.
TEST(KeyControllerTest, AWriteThatNeverArrives_IsNotReconciledAgain) {
  Simulate([](World& world) {
    KeyController<std::string> names(world.Host(), {.name = "names"});
    const auto secrets = names.Watches<corev1::Secret>({.keys_of = NoKeys});
    int calls = 0;
    names.Reconciles([&](KeyRequest<std::string>& request) -> absl::Status {
      ++calls;
      request.NoteWrite(secrets.core(), "default", "1000000");
      return absl::OkStatus();
    });
    RunController running(names.managed());
    names.Enqueue("web");
    Sleep(absl::Minutes(10));
    EXPECT_EQ(calls, 1);
  });
}

// ---- keys of one's own

std::vector<int> ShardsOf(const corev1::ConfigMap& map) {
  return {static_cast<int>(map.metadata.name.view().size())};
}

absl::Status Balance(KeyRequest<int>& request, int shard) {
  return request.failures() > shard ? absl::InternalError("no") : absl::OkStatus();
}

// The example of the header; it is compiled only.
[[maybe_unused]] void MakeShards(Manager& manager) {
  KeyController<int> shards(manager, {.name = "shards"});
  const auto maps = shards.Watches<corev1::ConfigMap>({.keys_of = ShardsOf});
  shards.Reconciles([&](KeyRequest<int>& request) { return Balance(request, request.key()); });
}

// behaviour.md: CTRL-13
TEST(KeyControllerTest, KeysAreWhatTheTriggerSays) {
  Simulate([](World& world) {
    KeyController<int> shards(world.Host(), {.name = "shards"});
    const Watched<corev1::ConfigMap> maps =
        shards.Watches<corev1::ConfigMap>({.keys_of = ShardsOf});
    std::set<int> seen;
    shards.Reconciles([&seen](KeyRequest<int>& request) -> absl::StatusOr<Result> {
      seen.insert(request.key());
      EXPECT_EQ(request.name().name, absl::StrCat(request.key()));
      return Result();
    });
    RunController running(shards.managed());
    for (const char* name : {"a", "b", "long"}) {
      ASSERT_THAT(world.Maps().Create(Context(), MapOf(name)), IsOk());
    }
    shards.Enqueue(77);
    Sleep(absl::Seconds(1));
    EXPECT_TRUE(seen.contains(1));
    EXPECT_TRUE(seen.contains(4));
    EXPECT_TRUE(seen.contains(77));
  });
}

// behaviour.md: CTRL-9, CACHE-19
TEST(KeyControllerTest, WatchesComeAndGoWhileItRuns) {
  Simulate([](World& world) {
    KeyController<std::string> names(world.Host(), {.name = "names"});
    std::vector<std::string> seen;
    names.Reconciles([&seen](KeyRequest<std::string>& request) {
      seen.push_back(request.key());
      return absl::OkStatus();
    });
    RunController running(names.managed());
    {
      const Watched<corev1::Secret> secrets =
          names.Watches<corev1::Secret>({.keys_of = [](const corev1::Secret& secret) {
            return std::vector<std::string>{std::string(secret.metadata.name.view())};
          }});
      Sleep(absl::Seconds(1));
      ASSERT_THAT(world.Secrets().Create(Context(), SecretOf("first")), IsOk());
      Sleep(absl::Seconds(1));
    }
    ASSERT_THAT(world.Secrets().Create(Context(), SecretOf("second")), IsOk());
    Sleep(absl::Seconds(1));
    EXPECT_THAT(seen, ElementsAre("first"));
  });
}

}  // namespace
}  // namespace kube::controller
