// Parts of apimachinery/base. go/main.go has their twins, under the same names.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/log/log_sink.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/thread.h"
#include "benchmark/benchmark.h"

namespace kube::base {
namespace {

// Number of operations per iteration in parts with several threads, so that starting the threads,
// which is included, does not dominate.
constexpr int64_t kBatch = 200000;

void Start(Thread& thread, absl::AnyInvocable<void(const Context&)> body) {
  KUBE_CHECK_OK(thread.Start(Context(), "benchmark", std::move(body)));
}

// Lock and unlock without contention.
void MutexUncontended(benchmark::State& state) {
  Mutex mutex;
  for (auto _ : state) {
    MutexLock lock(mutex);
  }
}
BENCHMARK(MutexUncontended)->Name("mutex_uncontended");

// Two threads contend all the time; the time is per lock.
void MutexContended(benchmark::State& state) {
  Mutex mutex;
  int64_t count = 0;
  while (state.KeepRunningBatch(kBatch)) {
    std::array<Thread, 2> threads;
    for (Thread& thread : threads) {
      Start(thread, [&](const Context&) {
        for (int64_t i = 0; i < kBatch / 2; ++i) {
          MutexLock lock(mutex);
          ++count;
        }
      });
    }
  }
  benchmark::DoNotOptimize(count);
}
BENCHMARK(MutexContended)->Name("mutex_contended")->UseRealTime();

// A ball that two threads pass to each other; each sleeps until it arrives.
class Court {
 public:
  // Blocks until the ball is on `side`, and passes it to the other side. Returns false if ctx is
  // done.
  bool Hit(const Context& ctx, int side) {
    MutexLock lock(mutex_);
    if (!changed_
             .Wait(ctx, mutex_,
                   [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return side_ == side; })
             .ok()) {
      return false;
    }
    side_ = 1 - side;
    changed_.NotifyOne();
    return true;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  int side_ ABSL_GUARDED_BY(mutex_) = 0;
};

// One round trip of the ball.
void CondVarRoundTrip(benchmark::State& state) {
  Court court;
  Thread partner;
  Start(partner, [&](const Context& ctx) {
    while (court.Hit(ctx, 1)) {
    }
  });
  for (auto _ : state) court.Hit(Context(), 0);
}
BENCHMARK(CondVarRoundTrip)->Name("condvar_round_trip")->UseRealTime();

// Makes, sets and waits for an event, so the wait never blocks.
void EventSetWait(benchmark::State& state) {
  for (auto _ : state) {
    Event event;
    event.Set();
    KUBE_CHECK_OK(event.Wait(Context()));
  }
}
BENCHMARK(EventSetWait)->Name("event_set_wait");

void QueuePushPop(benchmark::State& state) {
  BoundedQueue<int64_t> queue(1000, WhenFull::kBlock);
  for (auto _ : state) {
    KUBE_CHECK_OK(queue.Push(Context(), 1));
    benchmark::DoNotOptimize(queue.Pop(Context()));
  }
}
BENCHMARK(QueuePushPop)->Name("queue_push_pop");

// Four producers, one consumer and a capacity of a thousand; the time is per item.
void QueueFourProducers(benchmark::State& state) {
  while (state.KeepRunningBatch(kBatch)) {
    BoundedQueue<int64_t> queue(1000, WhenFull::kBlock);
    std::array<Thread, 4> producers;
    for (Thread& producer : producers) {
      Start(producer, [&](const Context& ctx) {
        for (int64_t i = 0; i < kBatch / 4; ++i) KUBE_CHECK_OK(queue.Push(ctx, i));
      });
    }
    for (int64_t i = 0; i < kBatch; ++i) KUBE_CHECK_OK(queue.Pop(Context()));
  }
}
BENCHMARK(QueueFourProducers)->Name("queue_four_producers")->UseRealTime();

// Starts and joins a thread; the Go twin uses a goroutine, which is necessarily faster.
void ThreadStartJoin(benchmark::State& state) {
  for (auto _ : state) {
    Thread thread;
    Start(thread, [](const Context&) {});
    thread.Join();
  }
}
BENCHMARK(ThreadStartJoin)->Name("thread_start_join")->UseRealTime();

// The check that loops make before each step.
void ContextDone(benchmark::State& state) {
  const CancelScope scope = WithCancel(Context());
  for (auto _ : state) benchmark::DoNotOptimize(scope.context().done());
}
BENCHMARK(ContextDone)->Name("context_done");

CounterVec MakeRequests(PrometheusRegistry& registry) {
  absl::StatusOr<CounterVec> requests = registry.MakeCounter(
      {.name = "requests_total", .help = "Requests.", .label_names = {"code"}});
  KUBE_CHECK_OK(requests.status());
  return *std::move(requests);
}

// Increments a counter through a stored handle.
void CounterAdd(benchmark::State& state) {
  PrometheusRegistry registry;
  const Counter ok = MakeRequests(registry).WithLabelValues({"200"});
  for (auto _ : state) ok.Increment();
}
BENCHMARK(CounterAdd)->Name("counter_add");

// Finds a counter by its label value, and increments it.
void CounterFindAndAdd(benchmark::State& state) {
  PrometheusRegistry registry;
  const CounterVec requests = MakeRequests(registry);
  for (auto _ : state) requests.WithLabelValues({"200"}).Increment();
}
BENCHMARK(CounterFindAndAdd)->Name("counter_find_and_add");

// A message whose verbosity is not enabled.
void LogOff(benchmark::State& state) {
  int attempt = 3;
  for (auto _ : state) {
    benchmark::DoNotOptimize(attempt);
    KUBE_VLOG(5, "synced", {"pod", "default/web-0"}, {"attempt", attempt});
  }
}
BENCHMARK(LogOff)->Name("log_off");

// Writes a line in klog's format to /dev/null, including the system call.
void LogLine(benchmark::State& state) {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  KUBE_CHECK(nowhere >= 0) << "open /dev/null";
  const auto previous = log::SetSink(std::make_shared<log::TextSink>(nowhere));
  for (auto _ : state) log::Info("synced", {{"pod", "default/web-0"}, {"attempt", 3}});
  log::SetSink(previous);
  close(nowhere);
}
BENCHMARK(LogLine)->Name("log_line");

}  // namespace
}  // namespace kube::base
