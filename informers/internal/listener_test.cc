// The property of a handler's queue: a handler that is free is told at once, whatever its options
// are and whatever others do. Virtual time moves on only when all threads wait, so a wake-up that
// is lost makes a call late by as long as the next event takes.

#include "informers/internal/listener.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_access.h"
#include "gtest/gtest.h"
#include "informers/delta.h"
#include "informers/handler_options.h"
#include "informers/internal/notification.h"

namespace kube::informers::internal {
namespace {

using api::core::v1::ConfigMap;
using base::MonotonicTime;

constexpr absl::Duration kTolerance = absl::Milliseconds(1);
constexpr absl::Duration kLongestCall = absl::Seconds(3);
constexpr int kBatches = 30;
constexpr int kObjects = 4;

absl::Duration UpTo(absl::Duration most) {
  return absl::Milliseconds(base::UniformInt(0, absl::ToInt64Milliseconds(most)));
}

// A listener, the one who pushes, and what they may expect of each other.
class World {
 public:
  // Of no time, now and then of up to kLongestCall, or always of some.
  enum class Handler { kQuick, kUneven, kSlow };

  World(HandlerOptions options, Handler handler)
      : merges_(options.max_pending > 0 && options.overflow == OverflowPolicy::kMerge),
        handler_(handler),
        listener_(this, [this](const AnyNotification& notification) { Tell(notification); },
                  std::move(options), meta::kObjectAccess<ConfigMap>, {}) {}

  absl::Status Run() {
    const bool starts_late = base::UniformInt(0, 2) == 0;
    if (!starts_late) KUBE_RETURN_IF_ERROR(listener_.Start());
    PushInitial();
    if (starts_late) {
      base::SleepFor(Context(), UpTo(absl::Seconds(1))).IgnoreError();
      {
        base::MutexLock lock(mutex_);
        free_since_ = base::Now();
      }
      KUBE_RETURN_IF_ERROR(listener_.Start());
    }
    base::ThreadGroup group((Context()));
    group.Go("informer", [this](const Context& ctx) {
      for (int i = 0; i < kBatches; ++i) {
        Push(ctx);
        if (base::UniformInt(0, 3) > 0) {
          KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, UpTo(absl::Seconds(2))));
        }
      }
      return absl::OkStatus();
    });
    group.Go("observer", [this](const Context& ctx) {
      for (int i = 0; i < kBatches; ++i) {
        KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, UpTo(absl::Seconds(2))));
        listener_.status();
      }
      return absl::OkStatus();
    });
    KUBE_RETURN_IF_ERROR(group.Wait());
    const MonotonicTime marked = base::Now();
    listener_.PushSynced();
    // It has at most kBatches + 1 batches to tell.
    const int64_t most_calls = (kBatches + 1) * kObjects;
    KUBE_RETURN_IF_ERROR(
        listener_.synced().Wait(WithTimeout(Context(), most_calls * kLongestCall)));
    const MonotonicTime synced = base::Now();
    listener_.Close();
    listener_.Join();
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(outcome_);
    if (synced > std::max(free_since_, marked) + kTolerance) {
      return absl::InternalError("it has synced late");
    }
    return told_ == pushed_ ? absl::OkStatus() : absl::InternalError("something was not told");
  }

 private:
  // What was pushed and not told yet, of one object.
  struct Pending {
    MonotonicTime since = MonotonicTime::Infinite();
    int count = 0;
  };

  AnyNotification Change(int object) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const std::string name = absl::StrCat("m", object);
    std::shared_ptr<const ConfigMap>& last = last_[name];
    const std::shared_ptr<const ConfigMap> old = last;
    ++pushed_[name];
    last = std::make_shared<const ConfigMap>(
        ConfigMap{.metadata = {.name = name, .resource_version = absl::StrCat(pushed_[name])}});
    Pending& pending = pending_[name];
    pending.since = std::min(pending.since, base::Now());
    ++pending.count;
    return {.type = old == nullptr ? DeltaType::kAdded : DeltaType::kUpdated,
            .change = {.object = last, .old_object = old}};
  }

  NotificationBatch MakeBatch() ABSL_LOCKS_EXCLUDED(mutex_) {
    auto batch = std::make_shared<Notifications>();
    base::MutexLock lock(mutex_);
    for (int i = 0; i < kObjects; ++i) {
      if (base::UniformInt(0, 2) == 0) batch->all.push_back(Change(i));
    }
    return batch;
  }

  void PushInitial() { listener_.PushInitial(MakeBatch()); }

  void Push(const Context& ctx) {
    const NotificationBatch batch = MakeBatch();
    if (!batch->all.empty()) listener_.Push(ctx, batch, /*with_resyncs=*/true);
  }

  void Tell(const AnyNotification& notification) ABSL_LOCKS_EXCLUDED(mutex_) {
    const auto& object = *static_cast<const ConfigMap*>(notification.change.object.get());
    const std::string name(object.metadata.name.view());
    {
      base::MutexLock lock(mutex_);
      int& told = told_[name];
      // Without a merge each is told; with one, all up to the one that is told.
      do {
        ++told;
        --pending_[name].count;
      } while (merges_ && absl::StrCat(told) != object.metadata.resource_version.view());
      const MonotonicTime due = std::max(free_since_, pending_[name].since);
      if (base::Now() > due + kTolerance && outcome_.ok()) {
        outcome_ = absl::InternalError(absl::StrCat(
            "the handler is free, and is told ", absl::FormatDuration(base::Now() - due), " late"));
      }
      // Of what still waits no more is known than that it came after this.
      pending_[name].since =
          pending_[name].count == 0 ? MonotonicTime::Infinite() : pending_[name].since;
    }
    const bool takes_time =
        handler_ == Handler::kSlow || (handler_ == Handler::kUneven && base::UniformInt(0, 4) == 0);
    if (takes_time) base::SleepFor(Context(), UpTo(kLongestCall)).IgnoreError();
    base::MutexLock lock(mutex_);
    free_since_ = base::Now();
  }

  const bool merges_;
  const Handler handler_;
  base::Mutex mutex_;
  std::map<std::string, std::shared_ptr<const ConfigMap>> last_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, int> pushed_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, int> told_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, Pending> pending_ ABSL_GUARDED_BY(mutex_);
  MonotonicTime free_since_ ABSL_GUARDED_BY(mutex_);
  absl::Status outcome_ ABSL_GUARDED_BY(mutex_);
  Listener listener_;  // last: its thread uses the rest
};

absl::Status Search(OverflowPolicy overflow, bool bounded) {
  return base::SearchSeeds(
      [&](base::SimRuntime& sim) -> absl::Status {
        absl::Status outcome;
        KUBE_RETURN_IF_ERROR(sim.Run([&] {
          const size_t max_pending = bounded ? static_cast<size_t>(base::UniformInt(1, 5)) : 0;
          World world({.name = "h", .max_pending = max_pending, .overflow = overflow},
                      static_cast<World::Handler>(base::UniformInt(0, 3)));
          outcome = world.Run();
        }));
        return outcome;
      },
      {.seeds = base::SimulationSeeds(100)});
}

TEST(Listener, AFreeHandlerIsToldAtOnce) {
  EXPECT_THAT(Search(OverflowPolicy::kMerge, false), base::IsOk());
}

TEST(Listener, AFreeHandlerIsToldAtOnceWhereTheQueueMerges) {
  EXPECT_THAT(Search(OverflowPolicy::kMerge, true), base::IsOk());
}

TEST(Listener, AFreeHandlerIsToldAtOnceWhereTheInformerWaits) {
  EXPECT_THAT(Search(OverflowPolicy::kWait, true), base::IsOk());
}

}  // namespace
}  // namespace kube::informers::internal
