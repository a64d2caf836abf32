// Runs producers and workers at the same time: no change is missed, no two workers have the same
// key, and no worker sleeps while a key is ready.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/queue_options.h"
#include "gtest/gtest.h"

namespace kube::workqueue {
namespace {

using base::IsOk;

struct Program {
  QueueOrder order = QueueOrder::kFifo;
  bool metrics = false;
  absl::Duration ageing = absl::ZeroDuration();
  int producers = 2;
  int workers = 3;
  int leavers = 1;  // workers that stop early
  int keys = 5;
  int adds = 20;                                // by each producer
  absl::Duration pause = absl::ZeroDuration();  // maximum length of random pauses
};

// The version of each key's state, and the version that workers have seen.
class Board {
 public:
  explicit Board(int keys) : wanted_(keys), seen_(keys), busy_(keys) {}

  void Change(int key) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    if (wanted_[key] == seen_[key]) ++behind_;
    ++wanted_[key];
  }
  void ProducersHaveEnded() ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    complete_ = true;
    if (behind_ == 0) reached_.Set();
  }
  absl::Status Begin(int key) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    if (busy_[key]) return absl::InternalError("two workers have a key");
    busy_[key] = true;
    if (wanted_[key] != seen_[key]) --behind_;
    seen_[key] = wanted_[key];
    return absl::OkStatus();
  }
  void End(int key) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    busy_[key] = false;
    if (complete_ && behind_ == 0) reached_.Set();
  }
  const base::Event& reached() const { return reached_; }

 private:
  base::Mutex mutex_;
  std::vector<int> wanted_ ABSL_GUARDED_BY(mutex_);
  std::vector<int> seen_ ABSL_GUARDED_BY(mutex_);
  std::vector<bool> busy_ ABSL_GUARDED_BY(mutex_);
  int behind_ ABSL_GUARDED_BY(mutex_) = 0;
  bool complete_ ABSL_GUARDED_BY(mutex_) = false;
  base::Event reached_;
};

absl::Status Pause(const Context& ctx, const Program& program) {
  if (program.pause == absl::ZeroDuration() || base::UniformInt(0, 4) != 0) return absl::OkStatus();
  return base::SleepFor(ctx, program.pause * base::UniformDouble());
}

absl::Status Produce(const Context& ctx, const Program& program, Queue<int>& queue, Board& board) {
  for (int i = 0; i < program.adds; ++i) {
    const int key = static_cast<int>(base::UniformInt(0, program.keys));
    board.Change(key);
    // Most keys are added without a delay. Delayed ones come in addition to those.
    switch (base::UniformInt(0, 4)) {
      case 0:
        queue.AddAfter(key, program.pause * base::UniformDouble());
        break;
      case 1:
        queue.Add(key, {.priority = kLowPriority});
        break;
      default:
        queue.Add(key);
    }
    if (base::UniformInt(0, 8) == 0) {
      const size_t most = static_cast<size_t>(program.workers + program.leavers);
      if (queue.status().processing > most) return absl::InternalError("more keys than workers");
    }
    absl::Status status = Pause(ctx, program);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Work(const Context& ctx, const Program& program, Queue<int>& queue, Board& board) {
  while (true) {
    absl::StatusOr<Item<int>> item = queue.Get(ctx);
    if (!item.ok()) return absl::OkStatus();
    absl::Status status = board.Begin(item->key());
    if (!status.ok()) return status;
    Pause(Context(), program).IgnoreError();
    if (base::UniformInt(0, 8) == 0) queue.AddAfter(item->key(), program.pause);
    board.End(item->key());
  }
}

absl::Status RunProgram(const Program& program) {
  QueueOptions options = {.order = program.order, .ageing = program.ageing};
  if (program.metrics) {
    options.name = "threads";
    options.metrics = std::make_shared<base::PrometheusRegistry>();
  }
  Queue<int> queue(options);
  Board board(program.keys);
  base::ThreadGroup workers((Context()));
  CancelScope leave = WithCancel(Context());
  for (int i = 0; i < program.workers + program.leavers; ++i) {
    workers.Go("worker", [&, i](const Context& ctx) {
      return Work(i < program.workers ? ctx : leave.context(), program, queue, board);
    });
  }
  base::ThreadGroup producers((Context()));
  for (int i = 0; i < program.producers; ++i) {
    producers.Go("producer",
                 [&](const Context& ctx) { return Produce(ctx, program, queue, board); });
  }
  Pause(Context(), program).IgnoreError();
  leave.Cancel();
  absl::Status status = producers.Wait();
  board.ProducersHaveEnded();
  // Waits before ShutDown, which wakes all workers, so a lost wake-up is a deadlock here.
  if (status.ok()) status = board.reached().Wait(WithTimeout(Context(), absl::Minutes(2)));
  const absl::Status drained = queue.ShutDownWithDrain(WithTimeout(Context(), absl::Minutes(2)));
  const absl::Status worked = workers.Wait();
  if (!status.ok()) return status;
  return worked.ok() ? drained : worked;
}

TEST(QueueThreads, Threads_WithoutPauses_ProcessEveryAddedKey) {
  for (const QueueOrder order : {QueueOrder::kFifo, QueueOrder::kPriority}) {
    for (const bool metrics : {false, true}) {
      EXPECT_THAT(RunProgram({.order = order,
                              .metrics = metrics,
                              .ageing = metrics ? absl::Microseconds(50) : absl::ZeroDuration(),
                              .producers = 8,
                              .workers = 8,
                              .leavers = 2,
                              .keys = 50,
                              .adds = 3000}),
                  IsOk());
    }
  }
}

TEST(QueueThreads, Threads_WithPauses_ProcessEveryAddedKey) {
  EXPECT_THAT(RunProgram({.producers = 4,
                          .workers = 4,
                          .leavers = 4,
                          .keys = 20,
                          .adds = 200,
                          .pause = absl::Microseconds(100)}),
              IsOk());
}

TEST(QueueThreads, Threads_InSimulation_ProcessEveryAddedKey) {
  EXPECT_THAT(
      base::SearchSeeds(
          [](base::SimRuntime& sim) -> absl::Status {
            absl::Status result;
            const absl::Status end = sim.Run([&] {
              const auto dice = static_cast<int>(base::UniformInt(0, 16));
              result = RunProgram(
                  {.order = (dice & 1) != 0 ? QueueOrder::kPriority : QueueOrder::kFifo,
                   .ageing = (dice & 8) != 0 ? absl::Milliseconds(300) : absl::ZeroDuration(),
                   .workers = 1 + (dice & 2),
                   .pause = (dice & 4) != 0 ? absl::Seconds(1) : absl::ZeroDuration()});
            });
            return end.ok() ? result : end;
          },
          {.seeds = base::SimulationSeeds(100)}),
      IsOk());
}

}  // namespace
}  // namespace kube::workqueue
