// Watches of one cache come and go on several threads while writers write and one thing after the
// other goes wrong. Some share the informers of two watches that stay. No handler may be told what
// cannot be, or anything after its watch has ended; those that stay must learn the last state of
// each object; and when the last watch has ended, nothing is left: no watch on the server, no
// informer in the cache, no thread.
//
// Each kind of fault is searched with seeds 1, 2, 3 ...; KUBE_SIM_SEEDS says how many, and
// KUBE_SIM_SEED=N replays one.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/cache/cache.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/view.h"
#include "controller/cache/watched.h"
#include "gtest/gtest.h"
#include "informers/shared_informer.h"
#include "informers/testing/checking_handler.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_trouble.h"
#include "listers/indexer.h"

namespace kube::controller {
namespace {

using informers::Chance;
using informers::CheckingHandler;
using informers::ConfigMap;
using informers::FaultKind;
using informers::TestCluster;
using informers::UpTo;

constexpr absl::Duration kPatience = absl::Minutes(30);
constexpr int kThreads = 4;

std::shared_ptr<const listers::Indexer<ConfigMap>> StoreOf(const Watched<ConfigMap>& watched) {
  return static_cast<informers::SharedInformer<ConfigMap>&>(watched.core()->informer(0)).store();
}

// A watch, and a handler that checks what it is told.
class Follower {
 public:
  Follower(Cache& cache, const WatchOptions& options, absl::Duration slow)
      : Follower(cache.Watch<ConfigMap>(options), slow) {}

  // The handler is told nothing afterwards.
  void End() {
    watched_.reset();
    handler_.SetRemoved();
  }
  const CheckingHandler<ConfigMap>& handler() const { return handler_; }
  bool Has(const std::map<std::string, std::string>& versions) const {
    std::map<std::string, std::string> stored;
    for (const ConfigMap& object : watched_->List(View())) {
      stored[meta::MetaNamespaceKey(object)] = std::string(object.metadata.resource_version.view());
    }
    return stored == versions && handler_.Versions() == versions;
  }

 private:
  Follower(Watched<ConfigMap> watched, absl::Duration slow)
      : handler_(StoreOf(watched), slow), watched_(std::move(watched)) {
    watched_->AddIndex("name", [](const ConfigMap& object) {
      return std::vector<std::string>{std::string(object.metadata.name.view())};
    });
    KUBE_CHECK_OK(watched_->AddEventHandler(handler_.Handler()));
    watched_->core()->Start();
  }

  // Outlives the watch.
  CheckingHandler<ConfigMap> handler_;
  std::optional<Watched<ConfigMap>> watched_;
};

WatchOptions AnyOptions() {
  WatchOptions options;
  if (Chance(30)) options.label_selector = "value=1";
  if (Chance(30)) options.namespaces = {"default"};
  if (Chance(20)) options.projection.drop = {"data"};
  return options;
}

// Adds and removes watches. What they were told is checked when all have ended: a call too many
// would come late.
absl::Status AddAndRemove(const Context& ctx, Cache& cache, int rounds,
                          std::vector<std::unique_ptr<Follower>>& ended) {
  for (int i = 0; i < rounds; ++i) {
    auto follower = std::make_unique<Follower>(cache, AnyOptions(), absl::Seconds(2));
    const absl::Status status =
        base::SleepFor(ctx, Chance(30) ? absl::ZeroDuration() : UpTo(absl::Seconds(20)));
    follower->End();
    ended.push_back(std::move(follower));
    KUBE_RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

// Waits until `condition` returns OK, and returns its last result.
template <typename Condition>
absl::Status Eventually(Condition condition) {
  absl::Status state;
  base::PollUntilTimeout(Context(), absl::Seconds(1), kPatience, base::FirstPoll::kAtOnce,
                         [&](const Context&) -> absl::StatusOr<bool> {
                           state = condition();
                           return state.ok();
                         })
      .IgnoreError();
  return state;
}

absl::Status Program(const FaultKind& fault, int rounds) {
  TestCluster cluster({.bookmark_interval = absl::Seconds(30)});
  std::vector<std::unique_ptr<Follower>> ended[kThreads];
  Cache cache(cluster.config_maps().client());
  Follower all(cache, {}, absl::ZeroDuration());
  Follower some(cache, {.namespaces = {"default", "kube-system"}}, absl::Seconds(1));
  {
    base::ThreadGroup trouble{Context()};
    for (int i = 0; i < 2; ++i) {
      trouble.Go("writer", [&, i](const Context& ctx) { return WriteAtRandom(ctx, cluster, i); });
    }
    trouble.Go("trouble", [&](const Context& ctx) { return CauseTrouble(ctx, cluster, fault); });
    base::ThreadGroup watches{Context()};
    for (int i = 0; i < kThreads; ++i) {
      watches.Go("watches", [&, i](const Context& ctx) {
        return AddAndRemove(ctx, cache, rounds / kThreads, ended[i]);
      });
    }
    const absl::Status status = watches.Wait();
    trouble.Cancel();
    trouble.Wait().IgnoreError();
    cluster.transport().SetFault(nullptr);
    KUBE_RETURN_IF_ERROR(status);
  }
  KUBE_RETURN_IF_ERROR(Eventually([&]() -> absl::Status {
    const auto versions = informers::VersionsOf(cluster);
    if (all.Has(versions) && some.Has(versions)) return absl::OkStatus();
    return absl::UnavailableError("a watch that stays lacks something");
  }));
  all.End();
  some.End();
  KUBE_RETURN_IF_ERROR(Eventually([&]() -> absl::Status {
    const size_t left = cluster.server().watches();
    if (left == 0 && cache.Summaries().empty()) return absl::OkStatus();
    return absl::InternalError(absl::StrCat(left, " watches are left"));
  }));
  KUBE_RETURN_IF_ERROR(all.handler().mistake());
  KUBE_RETURN_IF_ERROR(some.handler().mistake());
  for (const auto& followers : ended) {
    for (const auto& follower : followers) KUBE_RETURN_IF_ERROR(follower->handler().mistake());
  }
  return absl::OkStatus();
}

// A thread that does not end is an error of the simulation.
absl::Status RunOnce(base::SimRuntime& sim, const FaultKind& fault, int rounds) {
  absl::Status outcome;
  KUBE_RETURN_IF_ERROR(sim.Run([&] { outcome = Program(fault, rounds); }));
  return outcome;
}

// behaviour.md: SRC-15, CACHE-10
TEST(CacheSimulation, ThousandWatchesComeAndGoAndLeaveNothing) {
  const log::LogCapture quiet;
  for (const FaultKind& fault : informers::FaultKinds()) {
    SCOPED_TRACE(fault.name);
    // Each kind of fault a few, one kind all of them.
    const bool is_long = fault.name == std::string("connections are lost");
    EXPECT_THAT(base::SearchSeeds(
                    [&](base::SimRuntime& sim) { return RunOnce(sim, fault, is_long ? 1000 : 80); },
                    {.seeds = base::SimulationSeeds(1)}),
                base::IsOk());
  }
}

TEST(CacheSimulation, ASeedReplaysExactly) {
  const log::LogCapture quiet;
  const std::vector<FaultKind> kinds = informers::FaultKinds();
  uint64_t fingerprints[2];
  for (uint64_t& fingerprint : fingerprints) {
    base::SimRuntime sim({.seed = 7});
    EXPECT_THAT(RunOnce(sim, kinds[4], 40), base::IsOk());
    fingerprint = sim.fingerprint();
  }
  EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

}  // namespace
}  // namespace kube::controller
