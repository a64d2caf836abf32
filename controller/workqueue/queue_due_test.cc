// Checks the main property of a work queue: while a worker waits, no key is handed out later than
// it is due, whatever else happens to the queue.
//
// Steady workers wait all the time and process keys in no time. Flaky workers hold keys, give up
// waiting, and add keys again. Producers add keys without a delay, with a short and with a long
// one. An observer asks for the length of the queue. At the end, or before, the queue is drained.
// Virtual time advances only when all threads wait, so after a lost wake-up a key is late until the
// next event.

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

// The latest time at which each key must be handed out. If a key is taken between a call of Added
// and the call that adds it to the queue, this expects less than the queue has, but never more.
// Thread-safe.
class Deadlines {
 public:
  explicit Deadlines(QueueOrder order) : order_(order) {}

  // Called before the key is added to the queue. The earliest time of a key counts.
  void Added(int key, absl::Duration after) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    if (shut_down_) return;
    Key& k = keys_[key];
    if (k.waits <= base::Now()) {
      // The previous delay is over, even if the key is in processing and was not handed out yet.
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
    // After ShutDown, workers leave when the queue is empty, so possibly no worker waits.
    if (!shut_down_) CheckTime(key, k);
    k.due = MonotonicTime::Infinite();
    // A key has one delay. In a priority queue it ends when the key is handed out.
    if (order_ == QueueOrder::kPriority || k.waits <= base::Now())
      k.waits = MonotonicTime::Infinite();
  }

  // Called before the queue knows that the key is done.
  void Finished(int key) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    keys_[key].busy = false;
    keys_[key].finished = base::Now();
  }

  // Called before the queue is shut down, which drops keys that are not due.
  void ShutDown() ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    shut_down_ = true;
    for (auto& [key, k] : keys_) {
      // Keys that are due at this moment may be dropped or not.
      if (k.due >= base::Now()) k.due = MonotonicTime::Infinite();
      if (k.waits >= base::Now()) k.waits = MonotonicTime::Infinite();
    }
  }

  // Returns the first failure. Keys that are overdue are failures too.
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
    // A key that was in processing can be handed out when it is finished.
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

// Returns random delays, and reports them to the deadlines.
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

// A queue with its workers, producers and observer.
class World {
 public:
  World(QueueOrder order, std::shared_ptr<base::MetricsProvider> metrics, absl::Duration ageing)
      : deadlines_(order),
        queue_({.name = metrics == nullptr ? "" : "due",
                .metrics = std::move(metrics),
                .rate_limiter = std::make_shared<RandomRateLimiter>(deadlines_),
                .order = order,
                .ageing = ageing}) {}

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
      // From now on keys only become due.
      base::SleepFor(Context(), 2 * kLongestWait).IgnoreError();
    }
    KUBE_RETURN_IF_ERROR(deadlines_.Check());
    deadlines_.ShutDown();
    const MonotonicTime begin = base::Now();
    // A key that was added during processing is handed out once more, and may be held again.
    KUBE_RETURN_IF_ERROR(
        queue_.ShutDownWithDrain(WithDeadline(Context(), begin + 3 * kLongestHold)));
    KUBE_RETURN_IF_ERROR(deadlines_.Check(), "drained");
    scope.Cancel();
    workers.Wait().IgnoreError();
    return others.Wait();
  }

 private:
  void Add(int key, const AddOptions& options) {
    // The rate limiter reports its own delay, which is the shorter one.
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
      if (queue_.status().next_due_in.value_or(absl::Seconds(1)) <= absl::ZeroDuration()) {
        return absl::InternalError("a key is delayed that is due");
      }
      queue_.Forget(static_cast<int>(base::UniformInt(0, kKeys)));
    }
    return absl::OkStatus();
  }

  Deadlines deadlines_;
  Queue<int> queue_;
};

absl::Status Search(QueueOrder order, bool metrics, absl::Duration ageing = absl::ZeroDuration()) {
  return base::SearchSeeds(
      [&](base::SimRuntime& sim) -> absl::Status {
        absl::Status outcome;
        KUBE_RETURN_IF_ERROR(sim.Run([&] {
          World world(order, metrics ? std::make_shared<base::PrometheusRegistry>() : nullptr,
                      ageing);
          outcome = world.Run();
        }));
        return outcome;
      },
      {.seeds = base::SimulationSeeds(50)});
}

TEST(QueueDue, Get_FifoQueue_NoKeyIsLate) { EXPECT_THAT(Search(QueueOrder::kFifo, false), IsOk()); }

// behaviour.md: CTRL-43
TEST(QueueDue, Get_PriorityQueue_NoKeyIsLate) {
  EXPECT_THAT(Search(QueueOrder::kPriority, false), IsOk());
}

TEST(QueueDue, Get_FifoQueueWithMetrics_NoKeyIsLate) {
  EXPECT_THAT(Search(QueueOrder::kFifo, true), IsOk());
}

TEST(QueueDue, Get_PriorityQueueWithMetrics_NoKeyIsLate) {
  EXPECT_THAT(Search(QueueOrder::kPriority, true), IsOk());
}

TEST(QueueDue, Get_PriorityQueueWithAgeing_NoKeyIsLate) {
  EXPECT_THAT(Search(QueueOrder::kPriority, false, absl::Seconds(5)), IsOk());
}

}  // namespace
}  // namespace kube::workqueue
