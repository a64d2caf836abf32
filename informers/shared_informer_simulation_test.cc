// Informers of each kind against the embedded server, in virtual time: writers write at random, one
// thing after the other goes wrong, handlers come and go, some of them slow. When it is quiet every
// store, and every handler, must know what the server has; on the way there no handler may be told
// what cannot be. And whenever they are stopped, they stop.
//
// Each kind of fault is searched with seeds 1, 2, 3 ...; KUBE_SIM_SEEDS says how many, and
// KUBE_SIM_SEED=N replays one.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_access.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gtest/gtest.h"
#include "informers/any_shared_informer.h"
#include "informers/handler_options.h"
#include "informers/lister_watcher.h"
#include "informers/reflector_status.h"
#include "informers/shared_informer.h"
#include "informers/shared_informer_options.h"
#include "informers/testing/checking_handler.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_trouble.h"

namespace kube::informers {
namespace {

namespace metav1 = api::meta::v1;

constexpr absl::Duration kTroubles = absl::Minutes(10);
constexpr absl::Duration kPatience = absl::Minutes(30);

// An informer and its handlers.
class Follower {
 public:
  virtual ~Follower() = default;
  virtual AnySharedInformer& informer() = 0;
  // Adds and removes handlers until `ctx` is done.
  virtual absl::Status ChangeHandlers(const Context& ctx) = 0;
  // OK: it and its handlers have what the server has.
  virtual absl::Status Compare(const std::map<std::string, std::string>& versions) const = 0;
  virtual absl::Status mistake() const = 0;
};

HandlerOptions AnyOptions() {
  HandlerOptions options;
  if (Chance(30)) options.resync_period = absl::Minutes(2);
  if (Chance(50)) {
    options.max_pending = static_cast<size_t>(base::UniformInt(1, 4));
    options.overflow = Chance(50) ? OverflowPolicy::kMerge : OverflowPolicy::kWait;
  }
  return options;
}

template <typename T>
class FollowerOf final : public Follower {
 public:
  FollowerOf(const char* name, TypedListerWatcher<T> source, SharedInformerOptions options)
      : name_(name), informer_(std::move(source), std::move(options)) {
    Add({}, absl::ZeroDuration());
    Add({.max_pending = 2}, absl::Seconds(20));
    Add({.max_pending = 2, .overflow = OverflowPolicy::kWait}, absl::Seconds(2));
  }

  AnySharedInformer& informer() override { return informer_; }

  absl::Status ChangeHandlers(const Context& ctx) override {
    while (true) {
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, UpTo(absl::Minutes(1))));
      auto handler = std::make_unique<CheckingHandler<T>>(informer_.store(), absl::Seconds(5));
      CheckingHandler<T>& checking = *handler;
      passing_.push_back(std::move(handler));
      const auto registration = informer_.AddEventHandler(checking.Handler(), AnyOptions());
      if (!registration.ok()) return base::WaitUntilDone(ctx);  // the informer has stopped
      const absl::Status status = base::SleepFor(ctx, UpTo(absl::Minutes(2)));
      informer_.RemoveEventHandler(*registration);
      checking.SetRemoved();
      KUBE_RETURN_IF_ERROR(status);
    }
  }

  absl::Status Compare(const std::map<std::string, std::string>& versions) const override {
    KUBE_RETURN_IF_ERROR(mistake());
    std::map<std::string, std::string> has;
    for (const T& object : informer_.store()->List()) {
      has[meta::MetaNamespaceKey(object)] =
          std::string(meta::kObjectAccess<T>.resource_version(&object));
    }
    if (has != versions) {
      const ReflectorStatus status = informer_.status().reflector;
      return absl::UnavailableError(absl::StrCat(name_, ": the store is not the server's; ",
                                                 ToString(status.state), ", ",
                                                 status.error.message()));
    }
    for (size_t i = 0; i < staying_.size(); ++i) {
      if (staying_[i]->Versions() == versions) continue;
      return absl::UnavailableError(absl::StrCat(name_, ": handler ", i, " lacks something"));
    }
    return absl::OkStatus();
  }

  absl::Status mistake() const override {
    for (const auto* handlers : {&staying_, &passing_}) {
      for (const auto& handler : *handlers) KUBE_RETURN_IF_ERROR(handler->mistake(), name_);
    }
    return absl::OkStatus();
  }

 private:
  void Add(HandlerOptions options, absl::Duration slow) {
    staying_.push_back(std::make_unique<CheckingHandler<T>>(informer_.store(), slow));
    const auto registration =
        informer_.AddEventHandler(staying_.back()->Handler(), std::move(options));
    KUBE_CHECK_OK(registration.status());
  }

  const char* const name_;
  // They outlive the informer.
  std::vector<std::unique_ptr<CheckingHandler<T>>> staying_;
  std::vector<std::unique_ptr<CheckingHandler<T>>> passing_;
  SharedInformer<T> informer_;
};

template <typename T, typename Client>
std::unique_ptr<Follower> Follow(const char* name, const Client& client,
                                 SharedInformerOptions options) {
  return std::make_unique<FollowerOf<T>>(name, *MakeListerWatcher(client), std::move(options));
}

std::vector<std::unique_ptr<Follower>> MakeFollowers(const TestCluster& cluster) {
  std::vector<std::unique_ptr<Follower>> followers;
  followers.push_back(Follow<ConfigMap>("watch-list", cluster.config_maps(), {}));
  followers.push_back(Follow<unstructured::Unstructured>("unstructured", cluster.any_config_maps(),
                                                         {.resync_period = absl::Minutes(1)}));
  followers.push_back(Follow<metav1::PartialObjectMetadata>(
      "metadata", cluster.metadata(),
      {.resync_period = absl::Minutes(3), .reflector = {.watch_list = false, .page_size = 3}}));
  return followers;
}

absl::Status MistakeOf(const std::vector<std::unique_ptr<Follower>>& followers) {
  for (const auto& follower : followers) KUBE_RETURN_IF_ERROR(follower->mistake());
  return absl::OkStatus();
}

// Runs writers, faults and handlers that come and go for this time.
void MakeTrouble(TestCluster& cluster, const std::vector<std::unique_ptr<Follower>>& followers,
                 const FaultKind& fault, absl::Duration time) {
  base::ThreadGroup others{WithTimeout(Context(), time)};
  for (int i = 0; i < 2; ++i) {
    others.Go("writer", [&, i](const Context& ctx) { return WriteAtRandom(ctx, cluster, i); });
  }
  others.Go("trouble", [&](const Context& ctx) { return CauseTrouble(ctx, cluster, fault); });
  for (const auto& follower : followers) {
    others.Go("handlers", [&](const Context& ctx) { return follower->ChangeHandlers(ctx); });
  }
  base::SleepFor(Context(), time).IgnoreError();
  others.Wait().IgnoreError();
  cluster.transport().SetFault(nullptr);
}

absl::Status Converge(const FaultKind& fault) {
  TestCluster cluster({.bookmark_interval = absl::Seconds(30)});
  const std::vector<std::unique_ptr<Follower>> followers = MakeFollowers(cluster);
  base::ThreadGroup informers{Context()};
  for (const auto& follower : followers) {
    informers.Go("informer", [&](const Context& ctx) { return follower->informer().Run(ctx); });
  }
  MakeTrouble(cluster, followers, fault, kTroubles);
  absl::Status state;
  base::PollUntilTimeout(Context(), absl::Seconds(1), kPatience, base::FirstPoll::kAtOnce,
                         [&](const Context&) -> absl::StatusOr<bool> {
                           const auto versions = VersionsOf(cluster);
                           state = absl::OkStatus();
                           for (const auto& follower : followers) {
                             state.Update(follower->Compare(versions));
                           }
                           return state.ok() || absl::IsDataLoss(state);
                         })
      .IgnoreError();
  informers.Cancel();
  informers.Wait().IgnoreError();
  KUBE_RETURN_IF_ERROR(MistakeOf(followers));
  return state;
}

// Each informer is stopped at a moment of its own, in the midst of it all. A deadlock is an error
// of the simulation.
absl::Status StopAnywhere(const FaultKind& fault) {
  TestCluster cluster({.bookmark_interval = absl::Seconds(30)});
  const std::vector<std::unique_ptr<Follower>> followers = MakeFollowers(cluster);
  base::ThreadGroup informers{Context()};
  for (const auto& follower : followers) {
    const Context limited = WithTimeout(Context(), UpTo(absl::Minutes(2)));
    informers.Go("informer", [&follower, limited](const Context&) -> absl::Status {
      if (!absl::IsDeadlineExceeded(follower->informer().Run(limited))) {
        return absl::InternalError("it has ended by itself");
      }
      return absl::OkStatus();
    });
  }
  MakeTrouble(cluster, followers, fault, absl::Minutes(3));
  KUBE_RETURN_IF_ERROR(informers.Wait());
  return MistakeOf(followers);
}

using Program = absl::Status (*)(const FaultKind&);

absl::Status RunOnce(base::SimRuntime& sim, Program program, const FaultKind& fault) {
  absl::Status outcome;
  KUBE_RETURN_IF_ERROR(sim.Run([&] { outcome = program(fault); }));
  return outcome;
}

void Search(Program program, int64_t seeds) {
  const log::LogCapture quiet;
  for (const FaultKind& fault : FaultKinds()) {
    SCOPED_TRACE(fault.name);
    EXPECT_THAT(
        base::SearchSeeds([&](base::SimRuntime& sim) { return RunOnce(sim, program, fault); },
                          {.seeds = seeds}),
        base::IsOk());
  }
}

TEST(SharedInformerSimulation, StoresAndHandlersLearnWhatTheServerHas) {
  Search(Converge, base::SimulationSeeds(1));
}

TEST(SharedInformerSimulation, TheyStopWheneverTheyAreTold) {
  Search(StopAnywhere, base::SimulationSeeds(2));
}

TEST(SharedInformerSimulation, ASeedReplaysExactly) {
  const log::LogCapture quiet;
  const std::vector<FaultKind> kinds = FaultKinds();
  uint64_t fingerprints[2];
  for (uint64_t& fingerprint : fingerprints) {
    base::SimRuntime sim({.seed = 7});
    EXPECT_THAT(RunOnce(sim, Converge, kinds[4]), base::IsOk());
    fingerprint = sim.fingerprint();
  }
  EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

}  // namespace
}  // namespace kube::informers
