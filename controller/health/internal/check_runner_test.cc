#include "controller/health/internal/check_runner.h"

#include <memory>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gtest/gtest.h"

namespace kube::health::internal {
namespace {

using base::IsOk;
using base::StatusIs;

constexpr absl::Duration kTimeout = absl::Seconds(5);

absl::Duration Elapsed() { return base::Now().since_epoch(); }

// What comes of asking. Blocks.
absl::Status Await(CheckRunner& runner) {
  absl::Status result;
  base::Event done;
  runner.Ask([&](const absl::Status& status) {
    result = status;
    done.Set();
  });
  EXPECT_THAT(done.Wait(Context()), IsOk());
  return result;
}

void Simulate(absl::AnyInvocable<void()> test) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run(std::move(test)), IsOk());
}

TEST(CheckRunner, RunsOnceForEachQuestion) {
  Simulate([] {
    int runs = 0;
    CheckRunner runner({"check",
                        [&](const Context&) {
                          return ++runs == 2 ? absl::InternalError("bad") : absl::OkStatus();
                        }},
                       kTimeout);
    ASSERT_THAT(runner.Start(Context()), IsOk());
    EXPECT_THAT(Await(runner), IsOk());
    EXPECT_THAT(Await(runner), StatusIs(absl::StatusCode::kInternal, "bad"));
    EXPECT_THAT(Await(runner), IsOk());
    EXPECT_EQ(runs, 3);
  });
}

TEST(CheckRunner, WhoAsksMeanwhileSharesTheRun) {
  Simulate([] {
    int runs = 0;
    CheckRunner runner({"check",
                        [&](const Context& ctx) {
                          ++runs;
                          return base::SleepFor(ctx, absl::Seconds(3));
                        }},
                       kTimeout);
    ASSERT_THAT(runner.Start(Context()), IsOk());
    base::ThreadGroup group{Context()};
    for (int i = 0; i < 20; ++i) {
      group.Go("asks", [&, i](const Context& ctx) {
        base::SleepFor(ctx, absl::Milliseconds(100) * i).IgnoreError();
        return Await(runner);
      });
    }
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(Elapsed(), absl::Seconds(3));
  });
}

TEST(CheckRunner, ASlowCheckIsToldToEnd) {
  Simulate([] {
    CheckRunner runner({"check", [](const Context& ctx) { return base::WaitUntilDone(ctx); }},
                       kTimeout);
    ASSERT_THAT(runner.Start(Context()), IsOk());
    EXPECT_THAT(Await(runner), StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(Elapsed(), kTimeout);
  });
}

TEST(CheckRunner, ACheckThatHangsHoldsNobodyUp) {
  Simulate([] {
    base::Event release;
    int runs = 0;
    CheckRunner runner({"check",
                        [&](const Context&) {
                          ++runs;
                          return release.Wait(Context());
                        }},
                       kTimeout);
    ASSERT_THAT(runner.Start(Context()), IsOk());
    EXPECT_THAT(Await(runner), StatusIs(absl::StatusCode::kDeadlineExceeded, "no result after 5s"));
    EXPECT_EQ(Elapsed(), kTimeout);
    // It still hangs: who asks now need not wait to hear that.
    EXPECT_THAT(Await(runner), StatusIs(absl::StatusCode::kDeadlineExceeded, "no result after 5s"));
    EXPECT_EQ(Elapsed(), kTimeout);
    EXPECT_EQ(runs, 1);
    release.Set();
    base::SleepFor(Context(), absl::Seconds(1)).IgnoreError();
    EXPECT_THAT(Await(runner), IsOk());
    EXPECT_EQ(runs, 2);
  });
}

TEST(CheckRunner, AskingDoesNotWait) {
  Simulate([] {
    base::Event release;
    int answers = 0;
    CheckRunner runner({"check", [&](const Context& ctx) { return release.Wait(ctx); }}, kTimeout);
    ASSERT_THAT(runner.Start(Context()), IsOk());
    for (int i = 0; i < 1000; ++i) {
      runner.Ask([&](const absl::Status& status) {
        EXPECT_THAT(status, IsOk());
        ++answers;
      });
    }
    EXPECT_EQ(answers, 0);
    EXPECT_EQ(Elapsed(), absl::ZeroDuration());
    release.Set();
    EXPECT_THAT(Await(runner), IsOk());
    EXPECT_EQ(answers, 1000);
  });
}

// A late run's result is for those who ask after its end, not for those who were told already.
TEST(CheckRunner, Ask_RunEndsAfterItsTimeout_IsToldOnce) {
  Simulate([] {
    base::Event release;
    int answers = 0;
    CheckRunner runner({"check", [&](const Context&) { return release.Wait(Context()); }},
                       kTimeout);
    ASSERT_THAT(runner.Start(Context()), IsOk());
    runner.Ask([&](const absl::Status& status) {
      EXPECT_THAT(status, StatusIs(absl::StatusCode::kDeadlineExceeded));
      ++answers;
    });
    base::SleepFor(Context(), 2 * kTimeout).IgnoreError();
    EXPECT_EQ(answers, 1);
    release.Set();
    base::SleepFor(Context(), kTimeout).IgnoreError();
    EXPECT_THAT(Await(runner), IsOk());
    EXPECT_EQ(answers, 1);
  });
}

TEST(CheckRunner, Destructor_WithAnOpenQuestion_EndsTheCheck) {
  Simulate([] {
    auto asked = std::make_shared<int>(1);
    {
      CheckRunner runner({"check", [](const Context& ctx) { return base::WaitUntilDone(ctx); }},
                         absl::Hours(1));
      ASSERT_THAT(runner.Start(Context()), IsOk());
      runner.Ask([asked](const absl::Status&) {});
      EXPECT_EQ(asked.use_count(), 2);
    }
    EXPECT_EQ(asked.use_count(), 1);
    EXPECT_EQ(Elapsed(), absl::ZeroDuration());
  });
}

}  // namespace
}  // namespace kube::health::internal
