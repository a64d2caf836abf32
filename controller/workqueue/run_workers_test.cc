#include "controller/workqueue/run_workers.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/context_fields.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/queue_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::workqueue {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;

absl::Duration Now() { return base::Now().since_epoch(); }

// The keys that were processed, and the times in milliseconds.
using Calls = std::vector<std::pair<std::string, int64_t>>;

// Runs a test's body in virtual time.
void Simulate(absl::AnyInvocable<void()> body) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run(std::move(body)), IsOk());
}

// behaviour.md: CR-3
TEST(RunWorkersTest, ErrorsAreTriedAgainEachLaterThanTheLastUntilItGoesWell) {
  Simulate([] {
    Queue<std::string> queue;
    queue.Add("a");
    Calls calls;
    std::vector<int> failures;
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Seconds(10)), 1, queue,
                           [&](const Context&, const std::string& key) -> absl::Status {
                             calls.emplace_back(key, absl::ToInt64Milliseconds(Now()));
                             if (calls.size() < 4) return absl::InternalError("no");
                             return absl::OkStatus();
                           },
                           {.on_error =
                                [&](const WorkError& error) {
                                  EXPECT_EQ(error.key, "a");
                                  EXPECT_THAT(error.status,
                                              StatusIs(absl::StatusCode::kInternal, "no"));
                                  EXPECT_FALSE(error.given_up);
                                  failures.push_back(error.failures);
                                }}),
                IsOk());
    EXPECT_THAT(calls, ElementsAre(std::pair("a", 0), std::pair("a", 5), std::pair("a", 15),
                                   std::pair("a", 35)));
    EXPECT_THAT(failures, ElementsAre(1, 2, 3));
    EXPECT_EQ(queue.NumRequeues("a"), 0);
    EXPECT_EQ(Now(), absl::Seconds(10));
    EXPECT_TRUE(queue.shutting_down());
  });
}

// behaviour.md: CR-3
TEST(RunWorkersTest, RequeueAfterForgetsFailures) {
  Simulate([] {
    Queue<std::string> queue;
    queue.Add("a");
    Calls calls;
    const auto work = [&](const Context&, const std::string& key) -> absl::StatusOr<Result> {
      calls.emplace_back(key, absl::ToInt64Milliseconds(Now()));
      switch (calls.size()) {
        case 1:
          return absl::InternalError("no");
        case 2:
          return Result{.requeue_after = absl::Seconds(1)};
        case 3:
          EXPECT_EQ(queue.NumRequeues("a"), 0);
          return absl::InternalError("no");
        default:
          return Result{};
      }
    };
    const auto silent = [](const WorkError&) {};
    ASSERT_THAT(
        RunWorkers(WithTimeout(Context(), absl::Seconds(10)), 2, queue, work, {.on_error = silent}),
        IsOk());
    EXPECT_THAT(calls, ElementsAre(std::pair("a", 0), std::pair("a", 5), std::pair("a", 1005),
                                   std::pair("a", 1010)));
  });
}

// behaviour.md: CR-3
TEST(RunWorkersTest, TerminalErrorsAndTooManyRetriesGiveUp) {
  Simulate([] {
    Queue<std::string> queue;
    queue.Add("terminal");
    queue.Add("stubborn");
    std::map<std::string, int> calls;
    std::vector<std::string> given_up;
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Seconds(10)), 1, queue,
                           [&](const Context&, const std::string& key) {
                             ++calls[key];
                             const absl::Status no = absl::InternalError("no");
                             return key == "terminal" ? TerminalError(no) : no;
                           },
                           {.max_retries = 2,
                            .on_error =
                                [&](const WorkError& e) {
                                  if (e.given_up) given_up.push_back(std::string(e.key));
                                }}),
                IsOk());
    EXPECT_EQ(calls["terminal"], 1);
    EXPECT_EQ(calls["stubborn"], 3);
    EXPECT_THAT(given_up, ElementsAre("terminal", "stubborn"));
    EXPECT_EQ(queue.NumRequeues("stubborn"), 0);
  });
}

TEST(RunWorkersTest, RetryAfterReplacesTheBackOffAndIsAnErrorOtherwise) {
  Simulate([] {
    Queue<std::string> queue;
    queue.Add("a");
    Calls calls;
    std::vector<int> failures;
    const auto work = [&](const Context&, const std::string& key) -> absl::Status {
      calls.emplace_back(key, absl::ToInt64Milliseconds(Now()));
      const absl::Status no = absl::InternalError("no");
      switch (calls.size()) {
        case 1:
          return RetryAfter(no, absl::Minutes(1));
        case 2:
          return no;  // the first failure that counts: the delay is 5 ms
        case 3:
          return RetryAfter(no, absl::ZeroDuration());
        default:
          return absl::OkStatus();
      }
    };
    ASSERT_THAT(
        RunWorkers(
            WithTimeout(Context(), absl::Minutes(10)), 2, queue, work,
            {.on_error = [&](const WorkError& error) { failures.push_back(error.failures); }}),
        IsOk());
    EXPECT_THAT(calls, ElementsAre(std::pair("a", 0), std::pair("a", 60000), std::pair("a", 60005),
                                   std::pair("a", 60005)));
    EXPECT_THAT(failures, ElementsAre(0, 1, 1));
    EXPECT_EQ(queue.NumRequeues("a"), 0);
  });
}

// The default rate limiter gives all keys together ten retries a second.
TEST(RunWorkersTest, RetryAfterDoesNotDelayOtherKeys) {
  Simulate([] {
    Queue<std::string> queue;
    for (int i = 0; i < 1000; ++i) queue.Add(absl::StrCat("late", i));
    queue.Add("other");
    std::vector<int64_t> others;
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Minutes(3)), 1, queue,
                           [&](const Context&, const std::string& key) -> absl::Status {
                             const absl::Status no = absl::InternalError("no");
                             if (key != "other") return RetryAfter(no, absl::Minutes(1));
                             others.push_back(absl::ToInt64Milliseconds(Now()));
                             return others.size() == 1 ? no : absl::OkStatus();
                           },
                           {.on_error = [](const WorkError&) {}}),
                IsOk());
    EXPECT_THAT(others, ElementsAre(0, 5));
  });
}

TEST(RunWorkersTest, OnlyATerminalErrorEndsRetryAfter) {
  Simulate([] {
    Queue<std::string> queue({.order = QueueOrder::kPriority});
    queue.Add("terminal");
    queue.Add("stubborn", {.priority = 7});
    std::map<std::string, int> calls;
    int given_up = 0;
    ASSERT_THAT(
        RunWorkers(WithTimeout(Context(), absl::Minutes(10)), 1, queue,
                   [&](const Context&, const std::string& key) {
                     ++calls[key];
                     const absl::Status no =
                         RetryAfter(absl::InternalError("no"), absl::Minutes(1));
                     return key == "terminal" ? TerminalError(no) : no;
                   },
                   {.max_retries = 2,
                    .on_error = [&](const WorkError& error) { given_up += error.given_up; }}),
        IsOk());
    EXPECT_EQ(calls["terminal"], 1);
    EXPECT_EQ(calls["stubborn"], 10);
    EXPECT_EQ(given_up, 1);
  });
}

// behaviour.md: CR-3
TEST(RunWorkersTest, AKeyKeepsItsPriority) {
  Simulate([] {
    Queue<std::string> queue({.order = QueueOrder::kPriority});
    queue.Add("high", {.priority = 5});
    queue.Add("low", {.priority = kLowPriority});
    queue.Add("slow", {.priority = kLowPriority - 1});
    queue.AddAfter("early", absl::Milliseconds(3));
    queue.AddAfter("late", absl::Milliseconds(7));
    std::vector<std::string> order;
    const auto work = [&](const Context& ctx, const std::string& key) -> absl::Status {
      order.push_back(key);
      // All other keys are due when this call ends: "early", both that have failed, "late".
      if (key == "slow") return base::SleepFor(ctx, absl::Milliseconds(10));
      if (order.size() <= 2) return absl::InternalError("no");
      return absl::OkStatus();
    };
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Seconds(10)), 1, queue, work,
                           {.on_error = [](const WorkError&) {}}),
                IsOk());
    EXPECT_THAT(order, ElementsAre("high", "low", "slow", "high", "early", "late", "low"));
  });
}

// behaviour.md: CR-3, CTRL-22
TEST(RunWorkersTest, ThePriorityOfAResultIsThatOfTheKeyAfterwards) {
  Simulate([] {
    Queue<std::string> queue({.order = QueueOrder::kPriority});
    queue.Add("demoted", {.priority = 5});
    queue.Add("slow", {.priority = 4});
    queue.AddAfter("other", absl::Milliseconds(5));
    std::vector<std::string> order;
    const auto work = [&](const Context& ctx, const std::string& key) -> absl::StatusOr<Result> {
      order.push_back(key);
      if (key == "demoted" && order.size() == 1) {
        return Result{.requeue_after = absl::Milliseconds(1), .priority = -1};
      }
      // "demoted" and "other" are due when this call ends.
      if (key == "slow") base::SleepFor(ctx, absl::Milliseconds(10)).IgnoreError();
      return Result{};
    };
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Seconds(1)), 1, queue, work), IsOk());
    EXPECT_THAT(order, ElementsAre("demoted", "slow", "other", "demoted"));
  });
}

TEST(RunWorkersTest, RunWorkers_Error_IsLoggedWithKeyWorkerAndFailures) {
  log::LogCapture capture;
  Simulate([] {
    Queue<std::string> queue;
    queue.Add("prod/web");
    ASSERT_THAT(
        RunWorkers(WithTimeout(Context(), absl::Milliseconds(2)), 1, queue,
                   [](const Context&, const std::string&) { return absl::InternalError("no"); },
                   {.name = "webs"}),
        IsOk());
  });
  EXPECT_THAT(
      capture.Lines(),
      ElementsAre(
          testing::HasSubstr("starting workers"),
          testing::AllOf(testing::HasSubstr(R"("error syncing; requeuing for later retry")"),
                         testing::HasSubstr(R"(key="prod/web")"),
                         testing::HasSubstr(R"(worker="webs")"), testing::HasSubstr("failures=1")),
          testing::HasSubstr("shutting down workers"), testing::HasSubstr("all workers finished")));
}

TEST(RunWorkersTest, RunWorkers_ContextWithLogFields_LinesAndWorkHaveThem) {
  for (const absl::Duration drain : {absl::ZeroDuration(), absl::Seconds(1)}) {
    SCOPED_TRACE(absl::FormatDuration(drain));
    log::LogCapture capture;
    Simulate([drain] {
      Queue<std::string> queue;
      queue.Add("prod/web");
      const Context ctx = WithLogFields(Context(), {{"controller", "webs"}});
      ASSERT_THAT(RunWorkers(WithTimeout(ctx, absl::Milliseconds(2)), 1, queue,
                             [](const Context& work, const std::string&) {
                               log::Info(work, "working");
                               return TerminalError(absl::InternalError("no"));
                             },
                             {.name = "webs", .drain_timeout = drain}),
                  IsOk());
    });
    EXPECT_THAT(
        capture.Lines(),
        ElementsAre(
            R"(I "starting workers" controller="webs" worker="webs" count=1)",
            R"(I "working" controller="webs")",
            R"(E "error syncing; dropping out of the queue" err="INTERNAL: no" controller="webs" )"
            R"(worker="webs" key="prod/web" failures=1)",
            R"(I "shutting down workers" controller="webs" worker="webs")",
            R"(I "all workers finished" controller="webs" worker="webs")"));
  }
}

TEST(RunWorkersTest, ItsBeginningAndItsEndAreLogged) {
  const auto run = [] {
    Simulate([] {
      Queue<int> queue;
      EXPECT_THAT(
          RunWorkers(WithTimeout(Context(), absl::Seconds(1)), 3, queue,
                     [](const Context&, const int&) { return absl::OkStatus(); }, {.name = "webs"}),
          IsOk());
      EXPECT_FALSE(RunWorkers(Context(), 0, queue, [](const Context&, const int&) {
                     return absl::OkStatus();
                   }).ok());
    });
  };
  log::LogCapture capture;
  run();
  EXPECT_THAT(capture.Lines(), ElementsAre(R"(I "starting workers" worker="webs" count=3)",
                                           R"(I "shutting down workers" worker="webs")",
                                           R"(I "all workers finished" worker="webs")"));
  log::SetVerbosity(-1);
  run();
  log::SetVerbosity(0);
  EXPECT_THAT(capture.Lines(), testing::SizeIs(3)) << "turned off";
}

// The message of an API server's error contains its reason, so the code is not logged as well.
TEST(RunWorkersTest, ErrorsOfTheServerAreLoggedWithoutACode) {
  log::LogCapture capture;
  Simulate([] {
    Queue<std::string> queue;
    queue.Add("prod/web");
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Milliseconds(7)), 1, queue,
                           [calls = 0](const Context&, const std::string&) mutable {
                             const absl::Status not_found =
                                 errors::NotFound({.resource = "namespaces"}, "prod");
                             return ++calls == 1 ? base::Annotate(not_found, "create config map")
                                                 : absl::NotFoundError("no such index");
                           }),
                IsOk());
  });
  EXPECT_THAT(
      capture.Lines(),
      testing::IsSupersetOf(
          {testing::HasSubstr(R"( err="create config map: namespaces \"prod\" not found" worker=)"),
           testing::HasSubstr(R"( err="NOT_FOUND: no such index" worker=)")}));
}

TEST(RunWorkersTest, EachItemHasAContextWithItsTimeout) {
  Simulate([] {
    Queue<std::string> queue;
    queue.Add("a");
    std::vector<std::pair<int64_t, int64_t>> calls;  // from when to when, in milliseconds
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Milliseconds(2500)), 1, queue,
                           [&](const Context& ctx, const std::string&) {
                             const int64_t begin = absl::ToInt64Milliseconds(Now());
                             const absl::Status end = base::WaitUntilDone(ctx);
                             EXPECT_THAT(end, StatusIs(absl::StatusCode::kDeadlineExceeded));
                             calls.emplace_back(begin, absl::ToInt64Milliseconds(Now()));
                             return end;
                           },
                           {.item_timeout = absl::Seconds(1), .on_error = [](const WorkError&) {}}),
                IsOk());
    // The third call ends with the workers.
    EXPECT_THAT(calls,
                ElementsAre(std::pair(0, 1000), std::pair(1005, 2005), std::pair(2015, 2500)));
  });
}

TEST(RunWorkersTest, TheEndOfTheContextEndsWhatIsInWorkAndLeavesTheRest) {
  Simulate([] {
    Queue<int> queue;
    for (int i = 0; i < 10; ++i) queue.Add(i);
    int begun = 0;
    bool told = false;
    ASSERT_THAT(RunWorkers(WithTimeout(Context(), absl::Seconds(1)), 3, queue,
                           [&](const Context& ctx, const int&) {
                             ++begun;
                             return base::WaitUntilDone(ctx);
                           },
                           {.on_error = [&](const WorkError&) { told = true; }}),
                IsOk());
    EXPECT_EQ(begun, 3);
    EXPECT_EQ(queue.length(), 7u);
    EXPECT_FALSE(told);
    EXPECT_EQ(Now(), absl::Seconds(1));
  });
}

TEST(RunWorkersTest, EndsWhenTheQueueIsShutDownAndEmpty) {
  Simulate([] {
    Queue<int> queue;
    queue.Add(1);
    int calls = 0;
    ASSERT_THAT(RunWorkers(Context(), 3, queue,
                           [&](const Context&, const int& key) {
                             ++calls;
                             if (key < 5) queue.Add(key + 1);
                             if (key == 5) queue.ShutDown();
                             return absl::OkStatus();
                           }),
                IsOk());
    EXPECT_EQ(calls, 5);
  });
}

TEST(RunWorkersTest, RunWorkers_ZeroWorkers_IsInvalidArgument) {
  Queue<int> queue;
  EXPECT_THAT(
      RunWorkers(Context(), 0, queue, [](const Context&, const int&) { return absl::OkStatus(); }),
      StatusIs(absl::StatusCode::kInvalidArgument));
}

// Each key fails a random number of times. In the end each has succeeded, and no two workers had
// the same key at any time.
TEST(RunWorkersTest, RunWorkers_KeysFailAtRandom_EachSucceedsWithOneWorkerAtATime) {
  EXPECT_THAT(
      base::SearchSeeds(
          [](base::SimRuntime& sim) -> absl::Status {
            absl::Status result;
            const absl::Status end = sim.Run([&] {
              Queue<int> queue;
              base::Mutex mutex;
              std::set<int> busy;
              std::map<int, int> left;
              for (int i = 0; i < 8; ++i) {
                left[i] = static_cast<int>(base::UniformInt(1, 5));
                queue.Add(i);
              }
              const auto work = [&](const Context& ctx, const int& key) -> absl::Status {
                {
                  base::MutexLock lock(mutex);
                  if (!busy.insert(key).second) result = absl::InternalError("two workers");
                }
                base::SleepFor(ctx, absl::Milliseconds(base::UniformInt(0, 20))).IgnoreError();
                base::MutexLock lock(mutex);
                busy.erase(key);
                return --left[key] > 0 ? absl::InternalError("not yet") : absl::OkStatus();
              };
              const absl::Status status =
                  RunWorkers(WithTimeout(Context(), absl::Seconds(30)), 3, queue, work,
                             {.on_error = [](const WorkError&) {}});
              if (result.ok()) result = status;
              for (const auto& [key, n] : left) {
                if (n != 0) result = absl::InternalError(absl::StrCat(key, ": ", n));
              }
            });
            return end.ok() ? result : end;
          },
          {.seeds = base::SimulationSeeds(100)}),
      IsOk());
}

}  // namespace
}  // namespace kube::workqueue
