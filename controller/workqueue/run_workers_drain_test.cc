// What RunWorkers does between the end of its Context and the end of its workers.

#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/run_workers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::workqueue {
namespace {

using base::IsOk;
using testing::ElementsAre;

absl::Duration Now() { return base::Now().since_epoch(); }

// Runs a test's body in virtual time.
void Simulate(absl::AnyInvocable<void()> body) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run(std::move(body)), IsOk());
}

TEST(RunWorkersDrainTest, DrainTimeout_QueuedKeys_AreProcessedAfterTheContextEnds) {
  Simulate([] {
    Queue<int> queue;
    for (int i = 0; i < 10; ++i) queue.Add(i);
    queue.AddAfter(99, absl::Seconds(5));  // not due before the drain, so dropped
    int well = 0;
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Seconds(1)), 2, queue,
                           [&](const Context& ctx, const int&) {
                             const absl::Status status = base::SleepFor(ctx, absl::Seconds(1));
                             well += status.ok();
                             return status;
                           },
                           {.drain_timeout = absl::Seconds(30)}),
                IsOk());
    EXPECT_EQ(well, 10);
    EXPECT_EQ(Now(), absl::Seconds(5));
  });
}

TEST(RunWorkersDrainTest, DrainInWork_QueuedKeys_AreNotTakenAfterTheContextEnds) {
  Simulate([] {
    Queue<int> queue;
    for (int i = 0; i < 10; ++i) queue.Add(i);
    int well = 0;
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Milliseconds(2500)), 2, queue,
                           [&](const Context& ctx, const int&) {
                             const absl::Status status = base::SleepFor(ctx, absl::Seconds(1));
                             well += status.ok();
                             return status;
                           },
                           {.drain_timeout = absl::Seconds(30), .drain = Drain::kInWork}),
                IsOk());
    EXPECT_EQ(well, 6);  // two each at 1, 2 and 3 seconds
    EXPECT_EQ(queue.length(), 4u);
    EXPECT_EQ(Now(), absl::Seconds(3));
  });
}

TEST(RunWorkersDrainTest, DrainInWork_TimeoutIsOver_EndsTheContextsOfWhatIsInWork) {
  log::LogCapture capture;
  Simulate([] {
    Queue<int> queue;
    for (int i = 0; i < 10; ++i) queue.Add(i);
    std::vector<absl::Duration> ends;
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Seconds(1)), 2, queue,
                           [&](const Context& ctx, const int&) {
                             base::WaitUntilDone(ctx).IgnoreError();
                             ends.push_back(Now());
                             return absl::OkStatus();
                           },
                           {.drain_timeout = absl::Seconds(2), .drain = Drain::kInWork}),
                IsOk());
    EXPECT_THAT(ends, ElementsAre(absl::Seconds(3), absl::Seconds(3)));
    EXPECT_EQ(queue.length(), 8u);
  });
  EXPECT_THAT(capture.Lines(), testing::Contains(testing::HasSubstr("not all workers finished")));
}

// Without a drain timeout, `drain` has no effect.
TEST(RunWorkersDrainTest, DrainInWork_NoTimeout_EndsWhatIsInWorkWithTheContext) {
  Simulate([] {
    Queue<int> queue;
    for (int i = 0; i < 3; ++i) queue.Add(i);
    int begun = 0;
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Seconds(1)), 1, queue,
                           [&](const Context& ctx, const int&) {
                             ++begun;
                             return base::WaitUntilDone(ctx);
                           },
                           {.drain = Drain::kInWork}),
                IsOk());
    EXPECT_EQ(begun, 1);
    EXPECT_EQ(Now(), absl::Seconds(1));
  });
}

TEST(RunWorkersDrainTest, DrainTimeout_IsOver_EndsTheWorkersAndIsLogged) {
  log::LogCapture capture;
  Simulate([] {
    Queue<int> queue;
    for (int i = 0; i < 10; ++i) queue.Add(i);
    int well = 0;
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Seconds(1)), 1, queue,
                           [&](const Context& ctx, const int&) {
                             const absl::Status status = base::SleepFor(ctx, absl::Seconds(1));
                             well += status.ok();
                             return status;
                           },
                           {.drain_timeout = absl::Milliseconds(2500)}),
                IsOk());
    EXPECT_EQ(well, 3);
    EXPECT_EQ(Now(), absl::Milliseconds(3500));
  });
  EXPECT_THAT(capture.Lines(), testing::Contains(testing::HasSubstr("not all workers finished")));
}

}  // namespace
}  // namespace kube::workqueue
