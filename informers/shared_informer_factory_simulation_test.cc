// One informer of a factory comes and goes a thousand times, in virtual time: writers write at
// random, all kinds of faults happen one after the other, and it is removed wherever it is, by its
// owner, by two threads or by its own handler. Each time nothing may be left of it, and none of its
// functions may be called afterwards. Meanwhile another informer of the factory stays: it must
// notice nothing.
//
// The search uses seeds 1, 2, 3 ...; KUBE_SIM_SEEDS says how many, and KUBE_SIM_SEED=N replays one.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "clientset/typed/resource.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "informers/handler_options.h"
#include "informers/shared_informer.h"
#include "informers/shared_informer_factory_core.h"
#include "informers/store_advanced_registration.h"
#include "informers/testing/checking_handler.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_trouble.h"
#include "listers/indexer.h"

namespace kube::informers {
namespace {

namespace metav1 = api::meta::v1;

constexpr int kRounds = 1000;
constexpr absl::Duration kPatience = absl::Minutes(30);
constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};

SharedInformer<ConfigMap>& ConfigMapsOf(SharedInformerFactoryCore& factory) {
  return factory.InformerFor<ConfigMap, api::core::v1::ConfigMapList>(kConfigMaps);
}

// Threads of the whole process, those of the simulation included.
size_t CountThreads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

enum class RemovedBy { kOwner, kTwoThreads, kItsHandler };

// The informer that comes and goes: what uses it in one round.
class Round {
 public:
  explicit Round(SharedInformerFactoryCore& factory)
      : factory_(factory),
        removed_by_(static_cast<RemovedBy>(base::UniformInt(0, 3))),
        informer_(ConfigMapsOf(factory)),
        store_(informer_.store()),
        checking_(
            std::make_unique<CheckingHandler<ConfigMap>>(informer_.store(), absl::Seconds(2))) {}

  // Returns an error if something of the informer is left.
  absl::Status RunAndRemove() {
    auto captured = std::make_shared<int>(0);
    const std::weak_ptr<int> watched = captured;
    {
      const auto registration = informer_.AddEventHandler(Handler(std::move(captured)), Options());
      KUBE_RETURN_IF_ERROR(registration.status());
      const StoreAdvancedRegistration advanced = informer_.OnStoreAdvanced([this] { OnAdvance(); });
      KUBE_RETURN_IF_ERROR(factory_.Start(Context()));
      std::optional<base::Thread> waits;
      if (Chance(20)) {
        KUBE_RETURN_IF_ERROR(WaitForSync(waits.emplace()));
      }
      base::SleepFor(Context(), Chance(20) ? absl::ZeroDuration() : UpTo(absl::Seconds(20)))
          .IgnoreError();
      KUBE_RETURN_IF_ERROR(Remove());
      removed_ = true;
      checking_->SetRemoved();
      if (!registration->IsStopped()) return absl::DataLossError("its handler has not stopped");
    }
    KUBE_RETURN_IF_ERROR(checking_->mistake());
    KUBE_RETURN_IF_ERROR(mistake_);
    checking_ = nullptr;  // refers to the store
    if (!watched.expired()) return absl::DataLossError("its handler was not destroyed");
    if (!store_.expired()) return absl::DataLossError("its store was not destroyed");
    return absl::OkStatus();
  }

 private:
  static HandlerOptions Options() {
    HandlerOptions options;
    if (Chance(50)) {
      options.max_pending = static_cast<size_t>(base::UniformInt(1, 4));
      options.overflow = Chance(50) ? OverflowPolicy::kMerge : OverflowPolicy::kWait;
    }
    return options;
  }

  EventHandler<ConfigMap> Handler(std::shared_ptr<int> captured) {
    EventHandler<ConfigMap> handler = checking_->Handler();
    if (removed_by_ != RemovedBy::kItsHandler) {
      handler.on_add = [add = handler.on_add, captured](const AddEvent<ConfigMap>& event) {
        ++*captured;
        add(event);
      };
      return handler;
    }
    // The first call removes the informer, and is the last one of it.
    handler.on_add = [this, captured](const AddEvent<ConfigMap>&) {
      if (++*captured > 1) mistake_ = absl::DataLossError("a call after the removal");
      factory_.Remove(informer_);
      if (Chance(30)) base::SleepFor(Context(), UpTo(absl::Seconds(2))).IgnoreError();
    };
    return handler;
  }

  void OnAdvance() {
    if (removed_) mistake_ = absl::DataLossError("a call of OnStoreAdvanced after the removal");
    if (store_.expired()) mistake_ = absl::DataLossError("there is no store");
  }

  absl::Status WaitForSync(base::Thread& thread) {
    return thread.Start(Context(), "waits", [this](const Context& ctx) {
      factory_.WaitForCacheSync(WithTimeout(ctx, absl::Seconds(5))).IgnoreError();
    });
  }

  // If its handler has removed it, this waits for its end, or finds that it has ended.
  absl::Status Remove() {
    base::Thread other;
    if (removed_by_ == RemovedBy::kTwoThreads) {
      KUBE_RETURN_IF_ERROR(
          other.Start(Context(), "other", [this](const Context&) { factory_.Remove(informer_); }));
    }
    factory_.Remove(informer_);
    other.Join();
    return absl::OkStatus();
  }

  SharedInformerFactoryCore& factory_;
  const RemovedBy removed_by_;
  SharedInformer<ConfigMap>& informer_;
  const std::weak_ptr<const listers::Indexer<ConfigMap>> store_;
  std::unique_ptr<CheckingHandler<ConfigMap>> checking_;
  // The threads of a simulation run one at a time.
  bool removed_ = false;
  absl::Status mistake_;
};

// Causes one kind of fault after the other until `ctx` is done.
absl::Status CauseAllTrouble(const Context& ctx, TestCluster& cluster,
                             const std::vector<FaultKind>& kinds) {
  while (!ctx.done()) {
    const size_t kind =
        static_cast<size_t>(base::UniformInt(0, static_cast<int64_t>(kinds.size())));
    CauseTrouble(WithTimeout(ctx, UpTo(absl::Minutes(10))), cluster, kinds[kind]).IgnoreError();
    cluster.transport().SetFault(nullptr);
  }
  return absl::OkStatus();
}

// Waits until the server has this number of watches, of those who stay.
absl::Status AwaitWatches(TestCluster& cluster, size_t watches) {
  return base::PollUntilTimeout(Context(), absl::Seconds(1), kPatience, base::FirstPoll::kAtOnce,
                                [&](const Context&) -> absl::StatusOr<bool> {
                                  return cluster.server().watches() == watches;
                                });
}

absl::Status ComeAndGo(TestCluster& cluster, const std::vector<FaultKind>& kinds,
                       SharedInformerFactoryCore& factory) {
  base::ThreadGroup others{Context()};
  others.Go("writer", [&](const Context& ctx) { return WriteAtRandom(ctx, cluster, 0); });
  others.Go("trouble", [&](const Context& ctx) { return CauseAllTrouble(ctx, cluster, kinds); });
  size_t threads = 0;
  for (int i = 0; i < kRounds; ++i) {
    Round one(factory);
    KUBE_RETURN_IF_ERROR(one.RunAndRemove(), absl::StrCat("round ", i));
    if (factory.Informers().size() != 1) return absl::DataLossError("it is still in the factory");
    if (i == 0) threads = CountThreads();
  }
  // Each informer has at least two threads. The system may count a thread for a moment after it was
  // joined.
  if (const size_t now = CountThreads(); now > threads + 20) {
    return absl::DataLossError(absl::StrCat("there are ", now, " threads, not ", threads));
  }
  others.Cancel();
  others.Wait().IgnoreError();
  return absl::OkStatus();
}

absl::Status Program() {
  using Metadata = metav1::PartialObjectMetadata;
  const std::vector<FaultKind> kinds = FaultKinds();
  TestCluster cluster({.bookmark_interval = absl::Seconds(30)});
  std::unique_ptr<CheckingHandler<Metadata>> checking;  // outlives the factory
  SharedInformerFactoryCore factory(cluster.config_maps().client());
  auto& stays = factory.InformerFor<Metadata, metav1::PartialObjectMetadataList>(kConfigMaps);
  checking = std::make_unique<CheckingHandler<Metadata>>(stays.store());
  KUBE_RETURN_IF_ERROR(stays.AddEventHandler(checking->Handler()).status());
  KUBE_RETURN_IF_ERROR(factory.Start(Context()));
  KUBE_RETURN_IF_ERROR(ComeAndGo(cluster, kinds, factory));
  KUBE_RETURN_IF_ERROR(AwaitWatches(cluster, 1), "watches of those who stay");
  KUBE_RETURN_IF_ERROR(
      base::PollUntilTimeout(Context(), absl::Seconds(1), kPatience, base::FirstPoll::kAtOnce,
                             [&](const Context&) -> absl::StatusOr<bool> {
                               return checking->Versions() == VersionsOf(cluster);
                             }),
      "the handler that stays");
  KUBE_RETURN_IF_ERROR(factory.CheckSynced());
  factory.Shutdown();
  return checking->mistake();
}

TEST(SharedInformerFactorySimulation, NothingIsLeftOfAnInformerThatWasRemoved) {
  const log::LogCapture quiet;
  const auto program = [](base::SimRuntime& sim) -> absl::Status {
    absl::Status outcome;
    KUBE_RETURN_IF_ERROR(sim.Run([&] { outcome = Program(); }));
    return outcome;
  };
  EXPECT_THAT(base::SearchSeeds(program, {.seeds = base::SimulationSeeds(1)}), base::IsOk());
}

}  // namespace
}  // namespace kube::informers
