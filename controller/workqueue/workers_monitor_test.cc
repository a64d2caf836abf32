#include "controller/workqueue/workers_monitor.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/run_workers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::workqueue {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::IsEmpty;

// Runs a test's body in virtual time.
void Simulate(absl::AnyInvocable<void()> body) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run(std::move(body)), IsOk());
}

void Sleep(int seconds) { ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(seconds)), IsOk()); }

std::vector<std::string> KeysOf(const WorkersStatus& status) {
  std::vector<std::string> keys;
  for (const WorkInProgress& work : status.in_work) keys.push_back(work.key);
  return keys;
}

TEST(WorkersMonitorTest, Status_WhileWorkersRun_HasTheKeysInWorkTheLongestFirst) {
  const log::LogCapture capture;
  Simulate([] {
    WorkersMonitor monitor;
    Queue<std::string> queue;
    queue.Add("slow");
    const auto work = [](const Context& ctx, const std::string& key) {
      return base::SleepFor(ctx, key == "slow" ? absl::Seconds(10) : absl::Seconds(3));
    };
    base::Thread thread;
    ASSERT_THAT(thread.Start(WithTimeout(Context(), absl::Seconds(20)), "workers",
                             [&](const Context& ctx) {
                               EXPECT_THAT(RunWorkers(ctx, 3, queue, work, {.monitor = &monitor}),
                                           IsOk());
                             }),
                IsOk());
    Sleep(1);
    queue.Add("fast");
    Sleep(2);
    const WorkersStatus status = monitor.status();
    EXPECT_EQ(status.phase, WorkersPhase::kWorking);
    EXPECT_EQ(status.workers, 3);
    ASSERT_THAT(KeysOf(status), testing::ElementsAre("slow", "fast"));
    EXPECT_EQ(status.in_work[0].since, base::MonotonicTime());
    EXPECT_EQ(status.in_work[0].elapsed, absl::Seconds(3));
    EXPECT_EQ(status.in_work[1].since, base::MonotonicTime(absl::Seconds(1)));
    EXPECT_EQ(status.in_work[1].elapsed, absl::Seconds(2));
    EXPECT_NE(status.in_work[0].worker, status.in_work[1].worker);
    for (const WorkInProgress& in_work : status.in_work) {
      EXPECT_THAT(in_work.worker, testing::AllOf(testing::Ge(1), testing::Le(3)));
    }
    Sleep(2);
    EXPECT_THAT(KeysOf(monitor.status()), testing::ElementsAre("slow"));
    Sleep(7);
    EXPECT_THAT(KeysOf(monitor.status()), IsEmpty());
    EXPECT_EQ(monitor.status().phase, WorkersPhase::kWorking);
    thread.Join();
    EXPECT_EQ(monitor.status().phase, WorkersPhase::kStopped);
    EXPECT_EQ(monitor.status().workers, 0);
  });
}

// Waits as the example in the header does.
absl::Status WaitForEnd(const base::Event& ended, const WorkersMonitor& monitor) {
  if (!ended.Wait(WithTimeout(Context(), absl::Seconds(10))).ok()) {
    return absl::DeadlineExceededError(
        absl::StrCat("stop workers: in work: ", FormatWorkInProgress(monitor.status())));
  }
  return absl::OkStatus();
}

TEST(WorkersMonitorTest, Status_CallIgnoresItsContext_NamesItInEachPhaseOfTheEnd) {
  const log::LogCapture capture;
  Simulate([] {
    WorkersMonitor monitor;
    Queue<std::string> queue;
    queue.Add("prod/stuck");
    base::Event release;
    base::Event ended;
    const auto work = [&release](const Context&, const std::string&) {
      return release.Wait(Context());
    };
    base::Thread thread;
    ASSERT_THAT(thread.Start(WithTimeout(Context(), absl::Seconds(10)), "workers",
                             [&](const Context& ctx) {
                               EXPECT_THAT(RunWorkers(ctx, 2, queue, work,
                                                      {.drain_timeout = absl::Seconds(5),
                                                       .drain = Drain::kInWork,
                                                       .monitor = &monitor}),
                                           IsOk());
                               ended.Set();
                             }),
                IsOk());
    Sleep(11);
    EXPECT_EQ(monitor.status().phase, WorkersPhase::kDraining);
    EXPECT_THAT(KeysOf(monitor.status()), testing::ElementsAre("prod/stuck"));
    Sleep(5);
    EXPECT_EQ(monitor.status().phase, WorkersPhase::kCancelled);
    EXPECT_THAT(WaitForEnd(ended, monitor),
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         testing::MatchesRegex(
                             R"(stop workers: in work: "prod/stuck" \(26s, worker [12]\))")));
    release.Set();
    EXPECT_THAT(WaitForEnd(ended, monitor), IsOk());
    EXPECT_EQ(monitor.status().phase, WorkersPhase::kStopped);
    EXPECT_EQ(FormatWorkInProgress(monitor.status()), "nothing");
  });
}

TEST(WorkersMonitorTest, RunWorkers_MonitorInUse_IsFailedPrecondition) {
  const log::LogCapture capture;
  Simulate([] {
    WorkersMonitor monitor;
    Queue<int> queue;
    queue.Add(1);
    const auto nothing = [](const Context&, const int&) { return absl::OkStatus(); };
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Seconds(1)), 1, queue,
                           [&](const Context& ctx, const int&) {
                             Queue<int> other;
                             EXPECT_THAT(RunWorkers(ctx, 1, other, nothing, {.monitor = &monitor}),
                                         StatusIs(absl::StatusCode::kFailedPrecondition));
                             EXPECT_FALSE(other.shutting_down());
                             EXPECT_EQ(monitor.status().phase, WorkersPhase::kWorking)
                                 << "untouched";
                             return absl::OkStatus();
                           },
                           {.monitor = &monitor}),
                IsOk());
    Queue<int> next;
    EXPECT_THAT(RunWorkers(WithTimeout(Context(), absl::Seconds(1)), 1, next, nothing,
                           {.monitor = &monitor}),
                IsOk());
  });
}

TEST(WorkersMonitorTest, FormatWorkInProgress_SomeKeys_QuotesThemAndLimitsTheirNumber) {
  const WorkInProgress web = {.key = "prod/web", .worker = 2, .elapsed = absl::Seconds(95)};
  const WorkInProgress odd = {.key = "a\"b", .worker = 1, .elapsed = absl::Milliseconds(1999)};
  const struct {
    const char* name;
    std::vector<WorkInProgress> in_work;
    size_t limit;
    const char* text;
  } rows[] = {
      {"no key", {}, 10, "nothing"},
      {"one key", {web}, 10, R"("prod/web" (1m35s, worker 2))"},
      {"two keys", {web, odd}, 2, R"("prod/web" (1m35s, worker 2), "a\"b" (1s, worker 1))"},
      {"more than the limit", {web, odd, odd}, 1, R"("prod/web" (1m35s, worker 2) and 2 more)"},
      {"limit of zero", {odd, web}, 0, R"("a\"b" (1s, worker 1) and 1 more)"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(FormatWorkInProgress({.in_work = row.in_work}, row.limit), row.text);
  }
}

// On real threads, for ThreadSanitizer.
TEST(WorkersMonitorTest, Status_ThousandsOfShortCalls_NeverHasMoreKeysThanWorkers) {
  const log::LogCapture capture;
  WorkersMonitor monitor;
  Queue<std::string> queue;
  for (int i = 0; i < 5000; ++i) queue.Add(absl::StrCat("key", i));
  queue.ShutDown();  // RunWorkers ends when all are done
  base::Event ended;
  base::Thread thread;
  ASSERT_THAT(thread.Start(Context(), "workers",
                           [&](const Context& ctx) {
                             EXPECT_THAT(RunWorkers(ctx, 4, queue,
                                                    [](const Context&, const std::string&) {
                                                      return absl::OkStatus();
                                                    },
                                                    {.monitor = &monitor}),
                                         IsOk());
                             ended.Set();
                           }),
              IsOk());
  while (!ended.IsSet()) {
    const WorkersStatus status = monitor.status();
    ASSERT_LE(status.in_work.size(), static_cast<size_t>(status.workers));
    for (const WorkInProgress& work : status.in_work) {
      ASSERT_THAT(work.key, testing::StartsWith("key"));
    }
  }
  thread.Join();
  EXPECT_EQ(monitor.status().phase, WorkersPhase::kStopped);
}

}  // namespace
}  // namespace kube::workqueue
