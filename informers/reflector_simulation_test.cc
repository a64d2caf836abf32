// Reflectors of each kind against the embedded server, in virtual time: writers write at random
// while something goes wrong again and again. When it is quiet, every store must be what the server
// has, and on the way there no store may have gone back.
//
// Each kind of fault is searched with seeds 1, 2, 3 ...; KUBE_SIM_SEEDS says how many, and
// KUBE_SIM_SEED=N replays one.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gtest/gtest.h"
#include "informers/delta.h"
#include "informers/lister_watcher.h"
#include "informers/reflector.h"
#include "informers/reflector_options.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_trouble.h"
#include "listers/indexer.h"

namespace kube::informers {
namespace {

namespace metav1 = api::meta::v1;

constexpr absl::Duration kTroubles = absl::Minutes(10);
constexpr absl::Duration kPatience = absl::Minutes(30);

// ---- who takes part

// A reflector whose store must not go back.
class Follower {
 public:
  virtual ~Follower() = default;
  virtual absl::Status Run(const Context& ctx) = 0;
  // OK: it has what the server has.
  virtual absl::Status Compare(const std::map<std::string, std::string>& versions) const = 0;
};

std::string VersionOf(const ConfigMap& object) {
  return std::string(object.metadata.resource_version.view());
}
std::string VersionOf(const metav1::PartialObjectMetadata& object) {
  return std::string(object.metadata.resource_version.view());
}
std::string VersionOf(const unstructured::Unstructured& object) {
  return std::string(object.resource_version());
}

template <typename T>
class FollowerOf final : public Follower {
 public:
  FollowerOf(const char* name, TypedListerWatcher<T> source, ReflectorOptions options)
      : name_(name), reflector_(std::move(source), Watched(), std::move(options)) {}

  absl::Status Run(const Context& ctx) override { return reflector_.Run(ctx); }

  absl::Status Compare(const std::map<std::string, std::string>& versions) const override {
    if (!mistake_.empty()) return absl::DataLossError(absl::StrCat(name_, ": ", mistake_));
    std::map<std::string, std::string> has;
    for (const T& object : store_.List()) {
      has[meta::MetaNamespaceKey(object)] = VersionOf(object);
    }
    if (has == versions) return absl::OkStatus();
    const ReflectorStatus status = reflector_.status();
    return absl::UnavailableError(
        absl::StrCat(name_, " has ", has.size(), " objects that are not the server's ",
                     versions.size(), "; ", ToString(status.state), " at ",
                     status.last_sync_resource_version, ", ", status.error.message()));
  }

 private:
  DeltaSink<T> Watched() {
    return [this, into = IntoStore(store_)](const Context& ctx, Delta<T> delta) {
      if (delta.object != nullptr) CheckOrder(*delta.object, delta.type);
      return into(ctx, std::move(delta));
    };
  }

  // A server tells of each object's changes in their order, and begins after the last one told.
  void CheckOrder(const T& object, DeltaType type) {
    const std::shared_ptr<const T> old = store_.GetByKey(meta::MetaNamespaceKey(object));
    if (old == nullptr) return;
    int64_t before = 0;
    int64_t now = 0;
    if (absl::SimpleAtoi(VersionOf(*old), &before) && absl::SimpleAtoi(VersionOf(object), &now) &&
        now > before) {
      return;
    }
    mistake_ = absl::StrCat(ToString(type), " of ", meta::MetaNamespaceKey(object), " goes from ",
                            VersionOf(*old), " to ", VersionOf(object));
  }

  const char* const name_;
  std::string mistake_;
  listers::Indexer<T> store_;
  Reflector<T> reflector_;
};

template <typename T, typename Client>
std::unique_ptr<Follower> Follow(const char* name, const Client& client, ReflectorOptions options) {
  return std::make_unique<FollowerOf<T>>(name, *MakeListerWatcher(client), std::move(options));
}

absl::Status CompareAll(const TestCluster& cluster,
                        const std::vector<std::unique_ptr<Follower>>& followers) {
  const std::map<std::string, std::string> versions = VersionsOf(cluster);
  for (const auto& follower : followers) KUBE_RETURN_IF_ERROR(follower->Compare(versions));
  return absl::OkStatus();
}

absl::Status Converge(const FaultKind& fault) {
  TestCluster cluster({.bookmark_interval = absl::Seconds(30)});
  std::vector<std::unique_ptr<Follower>> followers;
  followers.push_back(Follow<ConfigMap>("watch-list", cluster.config_maps(), {}));
  followers.push_back(Follow<ConfigMap>("list", cluster.config_maps(), {.watch_list = false}));
  followers.push_back(
      Follow<ConfigMap>("pages", cluster.config_maps(), {.watch_list = false, .page_size = 3}));
  followers.push_back(
      Follow<unstructured::Unstructured>("unstructured", cluster.any_config_maps(), {}));
  followers.push_back(
      Follow<metav1::PartialObjectMetadata>("metadata", cluster.metadata(), {.watch_list = false}));
  base::ThreadGroup reflectors{Context()};
  for (const auto& follower : followers) {
    reflectors.Go("reflector", [&](const Context& ctx) { return follower->Run(ctx); });
  }
  {
    base::ThreadGroup others{WithTimeout(Context(), kTroubles)};
    for (int i = 0; i < 2; ++i) {
      others.Go("writer", [&, i](const Context& ctx) { return WriteAtRandom(ctx, cluster, i); });
    }
    others.Go("trouble", [&](const Context& ctx) { return CauseTrouble(ctx, cluster, fault); });
    base::SleepFor(Context(), kTroubles).IgnoreError();
    others.Wait().IgnoreError();
  }
  cluster.transport().SetFault(nullptr);
  absl::Status state;
  base::PollUntilTimeout(Context(), absl::Seconds(1), kPatience, base::FirstPoll::kAtOnce,
                         [&](const Context&) -> absl::StatusOr<bool> {
                           state = CompareAll(cluster, followers);
                           return state.ok() || absl::IsDataLoss(state);
                         })
      .IgnoreError();
  reflectors.Cancel();
  reflectors.Wait().IgnoreError();
  return state;
}

absl::Status RunOnce(base::SimRuntime& sim, const FaultKind& fault) {
  absl::Status outcome;
  KUBE_RETURN_IF_ERROR(sim.Run([&] { outcome = Converge(fault); }));
  return outcome;
}

TEST(ReflectorSimulation, EveryStoreBecomesWhatTheServerHas) {
  const log::LogCapture quiet;
  for (const FaultKind& fault : FaultKinds()) {
    SCOPED_TRACE(fault.name);
    EXPECT_THAT(base::SearchSeeds([&](base::SimRuntime& sim) { return RunOnce(sim, fault); },
                                  {.seeds = base::SimulationSeeds(2)}),
                base::IsOk());
  }
}

TEST(ReflectorSimulation, ASeedReplaysExactly) {
  const log::LogCapture quiet;
  const std::vector<FaultKind> kinds = FaultKinds();
  for (const size_t kind : {size_t{3}, size_t{4}, kinds.size() - 1}) {
    const FaultKind& fault = kinds[kind];
    SCOPED_TRACE(fault.name);
    uint64_t fingerprints[2];
    for (uint64_t& fingerprint : fingerprints) {
      base::SimRuntime sim({.seed = 7});
      EXPECT_THAT(RunOnce(sim, fault), base::IsOk());
      fingerprint = sim.fingerprint();
    }
    EXPECT_EQ(fingerprints[0], fingerprints[1]);
  }
}

}  // namespace
}  // namespace kube::informers
