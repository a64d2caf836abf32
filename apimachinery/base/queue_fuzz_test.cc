// Tests BoundedQueue, Context and Event under SimRuntime. The input is a seed and a program for
// each thread. For every input all threads end, items come out in the order of each producer, and
// only the policy drops items.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"

namespace kube::base {
namespace {

constexpr size_t kMaxThreads = 4;
constexpr size_t kMaxSteps = 64;

struct Item {
  size_t producer;
  int number;
};

// What the input decides.
struct Plan {
  uint64_t seed = 0;
  size_t capacity = 1;
  WhenFull when_full = WhenFull::kBlock;
  absl::Duration timeout;  // how long the consumer waits; zero: for ever
  std::vector<std::vector<uint8_t>> programs;
};

// Returns zeros after the end of the input.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : rest_(data, size) {}
  uint8_t Next() {
    if (rest_.empty()) return 0;
    const uint8_t byte = rest_.front();
    rest_.remove_prefix(1);
    return byte;
  }
  bool empty() const { return rest_.empty(); }

 private:
  absl::Span<const uint8_t> rest_;
};

Plan Parse(Input input) {
  Plan plan;
  plan.seed = input.Next();
  const uint8_t shape = input.Next();
  plan.capacity = 1 + shape % 4;
  plan.when_full = static_cast<WhenFull>(shape / 4 % 4);
  plan.programs.resize(1 + shape / 16 % kMaxThreads);
  plan.timeout = absl::Milliseconds(input.Next());
  for (size_t i = 0; i < kMaxSteps && !input.empty(); ++i) {
    plan.programs[i % plan.programs.size()].push_back(input.Next());
  }
  return plan;
}

class Run {
 public:
  explicit Run(const Plan& plan) : plan_(plan), queue_(plan.capacity, plan.when_full) {}

  // The first thread of the simulation.
  void Main() {
    CancelScope scope = WithCancel(Context());
    ThreadGroup producers(scope.context());
    for (size_t i = 0; i < plan_.programs.size(); ++i) {
      producers.Go(absl::StrCat("producer ", i), [this, i, &scope](const Context& ctx) {
        for (const uint8_t step : plan_.programs[i]) Do(i, step, ctx, scope);
        return absl::OkStatus();
      });
    }
    Thread consumer;
    KUBE_CHECK_OK(consumer.Start(Context(), "consumer", [this](const Context& ctx) { Pop(ctx); }));
    KUBE_CHECK_OK(producers.Wait());
    queue_.Close();
    consumer.Join();
    Audit();
  }

 private:
  // One step of a producer: what it does, and how long it sleeps or waits.
  void Do(size_t self, uint8_t step, const Context& ctx, CancelScope& scope) {
    const absl::Duration time = absl::Milliseconds(step / 8);
    switch (step % 8) {
      case 0:
      case 1:
        return Push(self, ctx);
      case 2:
        return Push(self, WithTimeout(ctx, time));
      case 3:
        return Sleep(ctx, time);
      case 4:
        if (std::optional<Item> item = queue_.TryPop(); item.has_value()) Note(*item);
        return;
      case 5:
        KUBE_CHECK_LE(queue_.size(), plan_.capacity) << "size of the queue";
        return;
      case 6:
        if (time > absl::Milliseconds(28)) scope.Cancel();
        return;
      default:
        if (time > absl::Milliseconds(28)) queue_.Close();
    }
  }

  void Push(size_t self, const Context& ctx) {
    // Counted before Push, because a consumer may pop it before Push returns.
    const int number = next_[self]++;
    const absl::Status status = queue_.Push(ctx, {self, number});
    MutexLock lock(mutex_);
    if (status.ok()) {
      ++accepted_;
      return;
    }
    const bool full = absl::IsResourceExhausted(status);
    KUBE_CHECK(!full || plan_.when_full == WhenFull::kReject) << status.ToString();
    KUBE_CHECK(full || absl::IsFailedPrecondition(status) || !ctx.status().ok())
        << status.ToString();
  }

  static void Sleep(const Context& ctx, absl::Duration time) {
    Mutex mutex;
    CondVar never;
    MutexLock lock(mutex);
    const MonotonicTime until = Now() + time;
    KUBE_CHECK(!never.WaitUntil(ctx, mutex, until, [] { return false; }));
  }

  // Runs until the queue is closed and drained. A consumer whose timeout has passed starts again.
  void Pop(const Context& ctx) {
    for (;;) {
      const bool patient = plan_.timeout == absl::ZeroDuration();
      const Context wait = patient ? ctx : WithTimeout(ctx, plan_.timeout);
      const absl::StatusOr<Item> item = queue_.Pop(wait);
      if (absl::IsOutOfRange(item.status())) return;
      if (item.ok()) {
        Note(*item);
      } else {
        KUBE_CHECK(absl::IsDeadlineExceeded(item.status())) << item.status().ToString();
      }
    }
  }

  // TryPop makes every producer a consumer, so two items may be noted in either order; the consumer
  // is the only one when no program pops.
  void Note(const Item& item) {
    MutexLock lock(mutex_);
    ++taken_;
    std::vector<bool>& seen = seen_[item.producer];
    if (seen.size() <= static_cast<size_t>(item.number)) seen.resize(item.number + 1);
    KUBE_CHECK(!seen[item.number]) << "item " << item.number << " came twice";
    seen[item.number] = true;
    KUBE_CHECK(OthersPop() || item.number >= last_[item.producer])
        << "item " << item.number << " came after " << last_[item.producer];
    last_[item.producer] = item.number;
  }

  bool OthersPop() const {
    for (const auto& program : plan_.programs) {
      for (const uint8_t step : program) {
        if (step % 8 == 4) return true;
      }
    }
    return false;
  }

  void Audit() {
    MutexLock lock(mutex_);
    KUBE_CHECK_EQ(queue_.size(), 0) << "after the end";
    KUBE_CHECK_EQ(accepted_, taken_ + queue_.dropped())
        << "items accepted, and what became of them";
    if (plan_.when_full == WhenFull::kBlock || plan_.when_full == WhenFull::kReject) {
      KUBE_CHECK_EQ(queue_.dropped(), 0) << "by a policy that drops nothing";
    }
  }

  const Plan& plan_;
  BoundedQueue<Item> queue_;
  std::array<int, kMaxThreads> next_ = {};  // each used by its own producer
  Mutex mutex_;
  uint64_t accepted_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t taken_ ABSL_GUARDED_BY(mutex_) = 0;
  std::array<int, kMaxThreads> last_ ABSL_GUARDED_BY(mutex_) = {};
  std::array<std::vector<bool>, kMaxThreads> seen_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace
}  // namespace kube::base

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kube::base::SimRuntime;
  const kube::base::Plan plan = kube::base::Parse(kube::base::Input(data, size));
  kube::base::Run run(plan);
  SimRuntime sim({.seed = plan.seed, .max_steps_without_time = 100'000});
  // Aborts at once: a run that is stuck leaves its threads behind.
  KUBE_CHECK_OK(sim.Run([&] { run.Main(); }));
  return 0;
}
