// The property that makes a work queue one: while a worker waits, no key is handed out later than
// its time, whatever else happens to the queue.
//
// Some workers are always there and take no time; others come, hold keys, give up waiting, and add
// keys again; producers add at once, for soon and for much later; somebody asks how long the queue
// is; at the end, or in the midst of it all, it is drained. Virtual time moves on only when all
// threads wait, so a wake-up that is lost makes a key late by as long as the next event takes.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/queue_options.h"
#include "controller/workqueue/rate_limiter.h"
#include "gtest/gtest.h"

namespace kube::workqueue {
namespace {

using base::IsOk;
using base::MonotonicTime;

constexpr absl::Duration kTolerance = absl::Milliseconds(1);
constexpr absl::Duration kLongestWait = absl::Minutes(10);
constexpr absl::Duration kLongestHold = absl::Seconds(20);
constexpr int kKeys = 8;

absl::Duration UpTo(absl::Duration most) {
  return absl::Milliseconds(base::UniformInt(0, absl::ToInt64Milliseconds(most)));
}

// By when each key has to be handed out. It may know of less than the queue, when a key is taken
// between the call of Added and the queue's; never of more. Thread-safe.
class Deadlines {
 public:
  explicit Deadlines(QueueOrder order) : order_(order) {}

  // Before the queue is told. Of several times of one key the earliest counts.
  void Added(int key, absl::Duration after) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    if (shut_down_) return;
    Key& k = keys_[key];
    if (k.waits <= base::Now()) {
      // That wait is over, also if the key is in work and cannot come yet: this is another one.
      k.due = std::min(k.due, k.waits);
      k.waits = MonotonicTime::Infinite();
    }
    MonotonicTime& time = after > absl::ZeroDuration() ? k.waits : k.due;
    time = std::min(time, base::Now() + std::max(after, absl::ZeroDuration()));
  }

  void Taken(int key) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    Key& k = keys_[key];
    if (k.busy) Fail(absl::StrCat("key ", key, " is with two workers"));
    k.busy = true;
    // After ShutDown workers leave when the queue is empty, and nobody may be there.
    if (!shut_down_) CheckTime(key, k);
    k.due = MonotonicTime::Infinite();
    // A key has one wait, which by priority ends when the key is handed out.
    if (order_ == QueueOrder::kPriority || k.waits <= base::Now())
      k.waits = MonotonicTime::Infinite();
  }

  // Before the queue is told.
  void Finished(int key) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    keys_[key].busy = false;
    keys_[key].finished = base::Now();
  }

  // Before the queue is told: what waits for a later time is dropped.
  void ShutDown() ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    shut_down_ = true;
    for (auto& [key, k] : keys_) {
      // What is added just now comes in or not.
      if (k.due >= base::Now()) k.due = MonotonicTime::Infinite();
      if (k.waits >= base::Now()) k.waits = MonotonicTime::Infinite();
    }
  }

  // What went wrong so far, with keys whose time has passed and that have not come.
  absl::Status Check() ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    for (const auto& [key, k] : keys_) {
      if (!k.busy) CheckTime(key, k);
    }
    return outcome_;
  }

 private:
  struct Key {
    MonotonicTime due = MonotonicTime::Infinite();
    MonotonicTime waits = MonotonicTime::Infinite();
    MonotonicTime finished;
    bool busy = false;
  };

  void CheckTime(int key, const Key& k) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    // One that is in work comes again when that is finished.
    const MonotonicTime deadline = std::max(std::min(k.due, k.waits), k.finished);
    if (base::Now() > deadline + kTolerance) {
      Fail(
          absl::StrCat("key ", key, " is ", absl::FormatDuration(base::Now() - deadline), " late"));
    }
  }
  void Fail(std::string what) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (outcome_.ok()) outcome_ = absl::InternalError(std::move(what));
  }

  const QueueOrder order_;
  base::Mutex mutex_;
  std::map<int, Key> keys_ ABSL_GUARDED_BY(mutex_);
  bool shut_down_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status outcome_ ABSL_GUARDED_BY(mutex_);
};

// Delays at random, which the deadlines learn.
class RandomRateLimiter final : public RateLimiter {
 public:
  explicit RandomRateLimiter(Deadlines& deadlines) : deadlines_(deadlines) {}

  absl::Duration When(absl::string_view text) override {
    int key = 0;
    KUBE_CHECK(absl::SimpleAtoi(text, &key));
    const absl::Duration delay = UpTo(absl::Milliseconds(50));
    deadlines_.Added(key, delay);
    return delay;
  }
  void Forget(absl::string_view) override {}
  int NumRequeues(absl::string_view) const override { return 0; }

 private:
  Deadlines& deadlines_;
};

// A queue and those who use it.
class World {
 public:
  World(QueueOrder order, std::shared_ptr<base::MetricsProvider> metrics)
      : deadlines_(order),
        queue_({.name = metrics == nullptr ? "" : "due",
                .metrics = std::move(metrics),
                .rate_limiter = std::make_shared<RandomRateLimiter>(deadlines_),
                .order = order}) {}

  absl::Status Run() {
    CancelScope scope = WithCancel(Context());
    base::ThreadGroup workers(scope.context());
    const int64_t steady = base::UniformInt(1, 4);
    for (int64_t i = 0; i < steady; ++i) {
      workers.Go("steady", [this](const Context& ctx) { return WorkAtOnce(ctx); });
    }
    for (int i = 0; i < 3; ++i) {
      workers.Go("flaky", [this](const Context& ctx) { return WorkNowAndThen(ctx); });
    }
    base::ThreadGroup others((Context()));
    for (int i = 0; i < 2; ++i) {
      others.Go("producer", [this](const Context& ctx) { return Produce(ctx); });
    }
    others.Go("observer", [this](const Context& ctx) { return Observe(ctx); });
    if (base::UniformInt(0, 2) == 0) {
      base::SleepFor(Context(), UpTo(absl::Minutes(2))).IgnoreError();
    } else {
      KUBE_RETURN_IF_ERROR(others.Wait());
      // Nothing happens any more but what is due.
      base::SleepFor(Context(), 2 * kLongestWait).IgnoreError();
    }
    KUBE_RETURN_IF_ERROR(deadlines_.Check());
    deadlines_.ShutDown();
    const MonotonicTime begin = base::Now();
    // A key that was added while it was in work comes once more, and may be held again.
    KUBE_RETURN_IF_ERROR(
        queue_.ShutDownWithDrain(WithDeadline(Context(), begin + 3 * kLongestHold)));
    KUBE_RETURN_IF_ERROR(deadlines_.Check(), "drained");
    scope.Cancel();
    workers.Wait().IgnoreError();
    return others.Wait();
  }

 private:
  void Add(int key, const AddOptions& options) {
    // The rate limiter tells of its own delay, the shorter one of the two.
    if (!options.rate_limited) deadlines_.Added(key, options.after);
    queue_.Add(key, options);
  }

  AddOptions AnyOptions() {
    AddOptions options = {.priority = static_cast<int16_t>(base::UniformInt(-1, 2))};
    switch (base::UniformInt(0, 6)) {
      case 0:
        options.after = UpTo(absl::Milliseconds(100));
        break;
      case 1:
        options.after = UpTo(absl::Minutes(1));
        break;
      case 2:
        options.after = UpTo(kLongestWait);
        break;
      case 3:
        options.rate_limited = true;
        break;
      case 4:
        options.after = kLongestWait;
        options.rate_limited = true;
        break;
      default:
        break;
    }
    return options;
  }

  absl::Status WorkAtOnce(const Context& ctx) {
    while (true) {
      absl::StatusOr<Item<int>> item = queue_.Get(ctx);
      if (!item.ok()) return absl::OkStatus();
      deadlines_.Taken(item->key());
      deadlines_.Finished(item->key());
    }
  }

  absl::Status WorkNowAndThen(const Context& ctx) {
    while (!ctx.done()) {
      absl::StatusOr<Item<int>> item = queue_.Get(WithTimeout(ctx, UpTo(absl::Seconds(3))));
      if (absl::IsOutOfRange(item.status())) return absl::OkStatus();
      if (item.ok()) {
        const int key = item->key();
        deadlines_.Taken(key);
        if (base::UniformInt(0, 2) == 0) Add(key, AnyOptions());
        if (base::UniformInt(0, 2) == 0) {
          base::SleepFor(Context(), UpTo(kLongestHold)).IgnoreError();
        }
        if (base::UniformInt(0, 2) == 0) queue_.Forget(key);
        deadlines_.Finished(key);
      } else {
        base::SleepFor(ctx, UpTo(absl::Seconds(3))).IgnoreError();
      }
    }
    return absl::OkStatus();
  }

  absl::Status Produce(const Context& ctx) {
    for (int n = 0; n < 20; ++n) {
      Add(static_cast<int>(base::UniformInt(0, kKeys)), AnyOptions());
      if (base::UniformInt(0, 2) == 0) {
        KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, UpTo(absl::Seconds(10))));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Observe(const Context& ctx) {
    for (int n = 0; n < 20; ++n) {
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, UpTo(absl::Seconds(5))));
      if (queue_.length() + queue_.delayed() > 2 * kKeys) {
        return absl::InternalError("the queue has more than all keys");
      }
      queue_.Forget(static_cast<int>(base::UniformInt(0, kKeys)));
    }
    return absl::OkStatus();
  }

  Deadlines deadlines_;
  Queue<int> queue_;
};

absl::Status Search(QueueOrder order, bool metrics) {
  return base::SearchSeeds(
      [&](base::SimRuntime& sim) -> absl::Status {
        absl::Status outcome;
        KUBE_RETURN_IF_ERROR(sim.Run([&] {
          World world(order, metrics ? std::make_shared<base::PrometheusRegistry>() : nullptr);
          outcome = world.Run();
        }));
        return outcome;
      },
      {.seeds = base::SimulationSeeds(50)});
}

TEST(QueueDue, NoKeyIsLateFifo) { EXPECT_THAT(Search(QueueOrder::kFifo, false), IsOk()); }

TEST(QueueDue, NoKeyIsLatePriority) { EXPECT_THAT(Search(QueueOrder::kPriority, false), IsOk()); }

TEST(QueueDue, NoKeyIsLateFifoWithMetrics) { EXPECT_THAT(Search(QueueOrder::kFifo, true), IsOk()); }

TEST(QueueDue, NoKeyIsLatePriorityWithMetrics) {
  EXPECT_THAT(Search(QueueOrder::kPriority, true), IsOk());
}

}  // namespace
}  // namespace kube::workqueue
