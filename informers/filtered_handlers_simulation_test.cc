// Handlers with a filter, of each overflow policy, in virtual time: writers write at random, one
// thing after the other goes wrong, the handlers are slow. A handler must not be told of an object
// that it does not know, nor again of one that it knows; and when it is quiet it must know what
// passes its filter.
//
// Each kind of fault is searched with seeds 1, 2, 3 ...; KUBE_SIM_SEEDS says how many, and
// KUBE_SIM_SEED=N replays one.

#include <map>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_name.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "informers/handler_options.h"
#include "informers/lister_watcher.h"
#include "informers/shared_informer.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_trouble.h"

namespace kube::informers {
namespace {

constexpr absl::Duration kTroubles = absl::Minutes(10);
constexpr absl::Duration kQuiet = absl::Hours(1);

// Objects change between passing and not passing all the time.
bool Passes(const ConfigMap& object) {
  int number = 1;
  return absl::SimpleAtoi(object.data.find("v")->view(), &number) && number % 2 == 0;
}

using Versions = std::map<std::string, std::string>;

void Put(const ConfigMap& object, Versions& versions) {
  versions[meta::MetaNamespaceKey(object)] = std::string(object.metadata.resource_version.view());
}

// What a filtered handler knows. Thread-safe. It outlives the handler.
class Known {
 public:
  // Some calls take a random time up to this.
  Known(const char* name, absl::Duration slow) : name_(name), slow_(slow) {}

  EventHandler<ConfigMap> Handler() {
    EventHandler<ConfigMap> handler = {
        .on_add = [this](const AddEvent<ConfigMap>& e) { Tell("add", *e.object, false); },
        .on_update = [this](const UpdateEvent<ConfigMap>& e) { Tell("update", *e.object, true); },
        .on_delete = [this](const DeleteEvent<ConfigMap>& e) { Tell("delete", *e.object, true); }};
    return FilteringEventHandler<ConfigMap>(Passes, std::move(handler));
  }

  absl::Status Compare(const Versions& wanted) const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(mistake_, name_);
    if (versions_ == wanted) return absl::OkStatus();
    return absl::InternalError(absl::StrCat(name_, ": it knows of ", versions_.size(),
                                            " objects, or versions, that are others than the ",
                                            wanted.size(), " that pass"));
  }

 private:
  void Tell(const char* what, const ConfigMap& object, bool must_know) ABSL_LOCKS_EXCLUDED(mutex_) {
    {
      base::MutexLock lock(mutex_);
      const std::string key = meta::MetaNamespaceKey(object);
      if (versions_.contains(key) != must_know && mistake_.ok()) {
        mistake_ = absl::InternalError(
            absl::StrCat(what, " of ", key, must_know ? ", which it does not know" : " again"));
      }
      Put(object, versions_);
      if (absl::string_view(what) == "delete") versions_.erase(key);
    }
    if (Chance(30)) base::SleepFor(Context(), UpTo(slow_)).IgnoreError();
  }

  const char* const name_;
  const absl::Duration slow_;
  mutable base::Mutex mutex_;
  Versions versions_ ABSL_GUARDED_BY(mutex_);
  absl::Status mistake_ ABSL_GUARDED_BY(mutex_);
};

absl::Status Program(const FaultKind& fault) {
  TestCluster cluster({.bookmark_interval = absl::Seconds(30)});
  Known unbounded("without a bound", absl::Seconds(30));
  Known merging("kMerge", absl::Seconds(30));
  Known waiting("kWait", absl::Seconds(2));
  SharedInformer<ConfigMap> informer(*MakeListerWatcher(cluster.config_maps()),
                                     {.resync_period = absl::Minutes(2)});
  KUBE_RETURN_IF_ERROR(informer.AddEventHandler(unbounded.Handler()).status());
  KUBE_RETURN_IF_ERROR(informer.AddEventHandler(merging.Handler(), {.max_pending = 2}).status());
  KUBE_RETURN_IF_ERROR(
      informer
          .AddEventHandler(waiting.Handler(), {.max_pending = 2, .overflow = OverflowPolicy::kWait})
          .status());
  base::ThreadGroup run{Context()};
  run.Go("informer", [&](const Context& ctx) { return informer.Run(ctx); });
  {
    base::ThreadGroup others{WithTimeout(Context(), kTroubles)};
    for (int i = 0; i < 2; ++i) {
      others.Go("writer", [&, i](const Context& ctx) { return WriteAtRandom(ctx, cluster, i); });
    }
    others.Go("trouble", [&](const Context& ctx) { return CauseTrouble(ctx, cluster, fault); });
    base::SleepFor(Context(), kTroubles).IgnoreError();
    others.Wait().IgnoreError();
    cluster.transport().SetFault(nullptr);
  }
  base::SleepFor(Context(), kQuiet).IgnoreError();
  Versions wanted;
  for (const ConfigMap& object : informer.store()->List()) {
    if (Passes(object)) Put(object, wanted);
  }
  absl::Status status;
  for (const Known* known : {&unbounded, &merging, &waiting}) status.Update(known->Compare(wanted));
  run.Cancel();
  run.Wait().IgnoreError();
  return status;
}

TEST(FilteredHandlersSimulation, TheyKnowWhatPasses) {
  const log::LogCapture quiet;
  for (const FaultKind& fault : FaultKinds()) {
    SCOPED_TRACE(fault.name);
    EXPECT_THAT(base::SearchSeeds(
                    [&](base::SimRuntime& sim) -> absl::Status {
                      absl::Status outcome;
                      KUBE_RETURN_IF_ERROR(sim.Run([&] { outcome = Program(fault); }));
                      return outcome;
                    },
                    {.seeds = base::SimulationSeeds(3)}),
                base::IsOk());
  }
}

}  // namespace
}  // namespace kube::informers
