// A controller that writes, fails at random and whose cache falls behind, over many schedules: each
// key is with one worker at a time, no key is lost, and nothing is created twice.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/labels/selector.h"
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
#include "controller/reconcile/client_of.h"
#include "controller/reconcile/controller_host.h"
#include "controller/reconcile/key_controller.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/testing/run_controller.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
using meta::ObjectName;

constexpr int kKeys = 4;
constexpr char kMapLabel[] = "map";
constexpr char kTurnLabel[] = "turn";

using Maps = typed::TypedClient<corev1::ConfigMap, ListOf<corev1::ConfigMap>>;
using Secrets = typed::TypedClient<corev1::Secret, ListOf<corev1::Secret>>;

// An API server, a cache of the namespace "default" and clients.
struct World {
  World()
      : client(*rest::MakeClient(envtest::InProcessConfig(server))),
        cache(client, {.namespaces = {"default"}}) {}

  Maps maps() const {
    return ClientOf<corev1::ConfigMap>(client, typed::ResourceTraits<corev1::ConfigMap>::kResource)
        .Namespace("default");
  }
  Secrets secrets() const {
    return ClientOf<corev1::Secret>(client, typed::ResourceTraits<corev1::Secret>::kResource)
        .Namespace("default");
  }

  apiserver::ApiHandler server;
  const rest::Client client;
  Cache cache;
};

std::vector<ObjectName> NameOfMap(const corev1::ConfigMap& map) {
  return {meta::ObjectNameOf(map)};
}

std::vector<ObjectName> MapOfSecret(const corev1::Secret& secret) {
  const auto map = secret.metadata.labels.value_or(kMapLabel, "");
  return {ObjectName{.namespace_name = "default", .name = std::string(map.view())}};
}

absl::Duration UpTo(int64_t milliseconds) {
  return absl::Milliseconds(base::UniformInt(0, milliseconds));
}

labels::Selector OfMap(absl::string_view name) {
  return *labels::Parse(absl::StrCat(kMapLabel, "=", name));
}

// Keeps one secret for each config map, with the same label "turn". The names of secrets are never
// the same, so that the server does not hide a second creation.
class Keeper {
 public:
  explicit Keeper(World& world, absl::Duration own_writes_timeout = absl::Minutes(10))
      : client_(world.secrets()),
        controller_(ControllerHost{.name = "test", .cache = &world.cache},
                    {.name = "keeper", .workers = 3, .own_writes_timeout = own_writes_timeout}),
        maps_(controller_.Watches<corev1::ConfigMap>({.keys_of = NameOfMap})),
        secrets_(controller_.Watches<corev1::Secret>({.keys_of = MapOfSecret})) {
    controller_.Reconciles([this](KeyRequest<ObjectName>& request) {
      Enter(request.key().name);
      const absl::Status status = Reconcile(request);
      Leave(request.key().name);
      return status;
    });
  }

  ManagedController& managed() { return controller_.managed(); }
  // Returns the first mistake, or OK.
  absl::Status mistake() const {
    base::MutexLock lock(mutex_);
    return mistake_;
  }

 private:
  void Enter(const std::string& key) {
    base::MutexLock lock(mutex_);
    if (!in_work_.insert(key).second) {
      mistake_.Update(absl::InternalError(absl::StrCat(key, " is with two workers")));
    }
  }
  void Leave(const std::string& key) {
    base::MutexLock lock(mutex_);
    in_work_.erase(key);
  }

  absl::Status Reconcile(KeyRequest<ObjectName>& request) {
    const ObjectName& key = request.key();
    const auto map = maps_.Get(request, key);
    if (errors::IsNotFound(map.status())) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(map.status());
    const auto found =
        secrets_.List(request, {.namespace_name = "default", .label_selector = OfMap(key.name)})
            .ToVector();
    const auto turn = (*map)->metadata.labels.value_or(kTurnLabel, "");
    if (!found.empty() && found[0]->metadata.labels.value_or(kTurnLabel, "") == turn) {
      return absl::OkStatus();
    }
    KUBE_RETURN_IF_ERROR(base::SleepFor(request.context(), UpTo(20)));
    corev1::Secret secret;
    if (found.empty()) {
      secret.metadata.generate_name = absl::StrCat(key.name, "-");
    } else {
      secret = *found[0];
    }
    secret.metadata.labels[kMapLabel] = key.name;
    secret.metadata.labels[kTurnLabel] = turn;
    const absl::StatusOr<corev1::Secret> written = found.empty()
                                                       ? client_.Create(request.context(), secret)
                                                       : client_.Update(request.context(), secret);
    KUBE_RETURN_IF_ERROR(written.status());
    request.NoteWrite(secrets_.core(), "default", written->metadata.resource_version.view());
    // The write is noted even if the reconcile fails.
    if (base::UniformInt(0, 3) == 0) return absl::UnavailableError("bad luck");
    return absl::OkStatus();
  }

  const Secrets client_;
  mutable base::Mutex mutex_;
  std::set<std::string> in_work_ ABSL_GUARDED_BY(mutex_);
  absl::Status mistake_ ABSL_GUARDED_BY(mutex_);
  KeyController<ObjectName> controller_;
  const Watched<corev1::ConfigMap> maps_;
  const Watched<corev1::Secret> secrets_;
};

// Creates the config map, or sets its label "turn".
absl::Status Turn(const Maps& maps, absl::string_view name, int turn) {
  absl::StatusOr<corev1::ConfigMap> map = maps.Get(Context(), name);
  const bool is_new = errors::IsNotFound(map.status());
  if (is_new) map = corev1::ConfigMap{.metadata = {.name = name}};
  KUBE_RETURN_IF_ERROR(map.status());
  map->metadata.labels[kTurnLabel] = absl::StrCat(turn);
  return (is_new ? maps.Create(Context(), *map) : maps.Update(Context(), *map)).status();
}

// Returns OK if each config map has one secret, of the same turn.
absl::Status Audit(const World& world) {
  KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMapList maps, world.maps().List(Context()));
  KUBE_ASSIGN_OR_RETURN(const corev1::SecretList secrets, world.secrets().List(Context()));
  if (maps.items.empty()) return absl::InternalError("there are no config maps");
  for (const corev1::ConfigMap& map : maps.items) {
    int of_map = 0;
    for (const corev1::Secret& secret : secrets.items) {
      if (secret.metadata.labels.value_or(kMapLabel, "") != map.metadata.name) continue;
      ++of_map;
      if (secret.metadata.labels.value_or(kTurnLabel, "") !=
          map.metadata.labels.value_or(kTurnLabel, "")) {
        return absl::InternalError(
            absl::StrCat("a change of ", map.metadata.name.view(), " was lost"));
      }
    }
    if (of_map != 1) {
      return absl::InternalError(
          absl::StrCat(map.metadata.name.view(), " has ", of_map, " secrets"));
    }
  }
  return absl::OkStatus();
}

// Changes config maps at random. Meanwhile the watch of secrets stands still for a while.
absl::Status ChangeMaps(World& world) {
  apiserver::FaultId lag = 0;
  for (int turn = 0; turn < 30; ++turn) {
    if (turn % 10 == 3) {
      lag = world.server.faults().Add({.verbs = {"watch"},
                                       .resource = "secrets",
                                       .fault = apiserver::fault::Lag{.revisions = 1'000'000}});
    }
    if (turn % 10 == 8) world.server.faults().Remove(lag);
    KUBE_RETURN_IF_ERROR(
        Turn(world.maps(), absl::StrCat("map-", base::UniformInt(1, kKeys)), turn));
    KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), UpTo(500)));
  }
  return absl::OkStatus();
}

absl::Status Program() {
  World world;
  Keeper keeper(world);
  {
    RunController running(keeper.managed());
    KUBE_RETURN_IF_ERROR(ChangeMaps(world));
    KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), absl::Minutes(5)));
  }
  KUBE_RETURN_IF_ERROR(keeper.mistake());
  return Audit(world);
}

TEST(ParkingSimulation, ACacheThatFallsBehindAndErrors_LoseNoKeyAndCreateNothingTwice) {
  const log::LogCapture quiet;
  const auto program = [](base::SimRuntime& sim) -> absl::Status {
    absl::Status outcome;
    KUBE_RETURN_IF_ERROR(sim.Run([&outcome] { outcome = Program(); }));
    return outcome;
  };
  EXPECT_THAT(base::SearchSeeds(program, {.seeds = base::SimulationSeeds(20)}), base::IsOk());
}

// What was created and deleted while the watch stood still is in no event if the cache then lists.
absl::Status LoseASecret(absl::Duration own_writes_timeout, absl::Duration stall) {
  World world;
  Keeper keeper(world, own_writes_timeout);
  RunController running(keeper.managed());
  KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), absl::Seconds(1)));
  apiserver::FaultRule rule = {.verbs = {"watch"},
                               .resource = "secrets",
                               .fault = apiserver::fault::Lag{.revisions = 1'000'000}};
  const apiserver::FaultId lag = world.server.faults().Add(rule);
  KUBE_RETURN_IF_ERROR(Turn(world.maps(), "map-1", 1));
  KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), stall));
  KUBE_ASSIGN_OR_RETURN(const corev1::SecretList created, world.secrets().List(Context()));
  for (const corev1::Secret& secret : created.items) {
    KUBE_RETURN_IF_ERROR(world.secrets().Delete(Context(), secret.metadata.name.view()));
  }
  rule.fault = apiserver::fault::ExpireWatch{};
  const apiserver::FaultId expired = world.server.faults().Add(rule);
  world.server.faults().Remove(lag);
  KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), absl::Seconds(1)));
  world.server.faults().Remove(expired);
  KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), absl::Minutes(5)));
  KUBE_RETURN_IF_ERROR(keeper.mistake());
  return Audit(world);
}

TEST(ParkingSimulation, ADeletionThatNoEventTells_IsSeenAfterTheList) {
  const log::LogCapture quiet;
  const struct {
    const char* name;
    absl::Duration own_writes_timeout;
    absl::Duration stall;
  } kRows[] = {
      {"the key is parked", absl::Minutes(10), absl::Seconds(10)},
      {"its wait has timed out", absl::Seconds(10), absl::Seconds(65)},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const auto program = [&row](base::SimRuntime& sim) -> absl::Status {
      absl::Status outcome;
      KUBE_RETURN_IF_ERROR(
          sim.Run([&] { outcome = LoseASecret(row.own_writes_timeout, row.stall); }));
      return outcome;
    };
    EXPECT_THAT(base::SearchSeeds(program, {.seeds = base::SimulationSeeds(20)}), base::IsOk());
  }
}

}  // namespace
}  // namespace kube::controller
