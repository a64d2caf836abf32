#include "controller/manager/internal/controller_run.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "controller/manager/manager_status.h"
#include "controller/manager/testing/fake_controller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void Simulate(const std::function<void()>& test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&test] { test(); }), IsOk());
}

// A controller and its run, with a start timeout of a minute.
struct Fixture {
  explicit Fixture(FakeControllerOptions options) : controller(journal, std::move(options)) {}

  Journal journal;
  FakeController controller;
  std::vector<std::string> failures = {};
  ControllerRun run{controller, absl::Minutes(1), [this](const absl::Status& error) {
                      failures.push_back(std::string(error.message()));
                    }};
};

Context In(absl::Duration time) { return WithTimeout(Context(), time); }

// behaviour.md: CTRL-6
TEST(ControllerRunTest, Work_Warm_WaitsForTheWatchesOfAnotherThread) {
  Simulate([] {
    Fixture fixture({.name = "a", .sync_takes = absl::Seconds(5)});
    EXPECT_EQ(fixture.run.status().waits_for, "the start of the informers");
    EXPECT_THAT(fixture.run.CheckWatched(), StatusIs(absl::StatusCode::kUnavailable));
    base::Thread watches;
    EXPECT_THAT(watches.Start(Context(), "watches",
                              [&fixture](const Context& ctx) {
                                EXPECT_THAT(fixture.run.Watch(ctx), IsOk());
                              }),
                IsOk());
    EXPECT_THAT(fixture.run.Work(In(absl::Seconds(20)), Context()), IsOk());
    EXPECT_THAT(fixture.journal.Lines(),
                ElementsAre("a watches", "a synced", "a works", "a takes no more", "a drained"));
    EXPECT_THAT(fixture.run.CheckWatched(), IsOk());
  });
}

// behaviour.md: CTRL-6, CTRL-10
TEST(ControllerRunTest, Work_NotWarm_StartsTheWatchesItself) {
  Simulate([] {
    Fixture fixture({.name = "a", .warm = false});
    EXPECT_FALSE(fixture.run.starts_early());
    EXPECT_EQ(fixture.run.status().waits_for, "leadership");
    EXPECT_THAT(fixture.run.CheckWatched(), IsOk());  // a follower is ready without them
    EXPECT_THAT(fixture.run.Work(In(absl::Seconds(20)), Context()), IsOk());
    EXPECT_THAT(fixture.journal.Lines(),
                ElementsAre("a watches", "a synced", "a works", "a takes no more", "a drained"));
  });
}

// behaviour.md: CTRL-7, SRC-6
TEST(ControllerRunTest, AFailedStart) {
  const struct {
    const char* name;
    FakeControllerOptions options;
    absl::StatusCode code;
    const char* error;
  } kRows[] = {
      {"forbidden",
       {.name = "a", .sync_error = absl::PermissionDeniedError("list pods: forbidden")},
       absl::StatusCode::kPermissionDenied,
       "start controller \"a\": list pods: forbidden"},
      {"never synced",
       {.name = "a", .sync_takes = absl::Hours(1)},
       absl::StatusCode::kDeadlineExceeded,
       "start controller \"a\": context deadline exceeded"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Simulate([&row] {
      Fixture fixture(row.options);
      EXPECT_THAT(fixture.run.Watch(Context()), IsOk());
      EXPECT_THAT(fixture.run.Work(In(absl::Hours(2)), Context()), IsOk());
      EXPECT_THAT(fixture.run.start_error(), StatusIs(row.code, row.error));
      EXPECT_THAT(fixture.run.CheckWatched(), StatusIs(row.code, row.error));
      EXPECT_EQ(fixture.run.status().waits_for, row.error);
      EXPECT_THAT(fixture.failures, ElementsAre(row.error));
      EXPECT_FALSE(fixture.journal.Has("a works"));
    });
  }
}

TEST(ControllerRunTest, Watch_ContextIsDone_IsNoFailure) {
  Simulate([] {
    Fixture fixture({.name = "a", .sync_takes = absl::Hours(1)});
    EXPECT_THAT(fixture.run.Watch(In(absl::Seconds(1))),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.run.start_error(), IsOk());
    EXPECT_THAT(fixture.failures, IsEmpty());
    EXPECT_THAT(fixture.run.WaitUntilWatched(In(absl::Seconds(1))),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
  });
}

TEST(ControllerRunTest, Work_WorkersFail_ReturnsTheirError) {
  Simulate([] {
    Fixture fixture({.name = "a",
                     .warm = false,
                     .work_error = absl::ResourceExhaustedError("no more threads")});
    EXPECT_THAT(fixture.run.Work(Context(), Context()),
                StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("no more threads")));
  });
}

TEST(ControllerRunTest, Where_NamesTheKeysInWork_UntilDetached) {
  Simulate([] {
    Fixture fixture({.name = "a", .warm = false});
    EXPECT_EQ(fixture.run.Where(), "");
    base::Thread worker;
    const Context take = In(absl::Seconds(20));
    EXPECT_THAT(worker.Start(Context(), "worker",
                             [&fixture, take](const Context& work) {
                               EXPECT_THAT(fixture.run.Work(take, work), IsOk());
                             }),
                IsOk());
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    EXPECT_EQ(fixture.run.Where(), "default/a");
    EXPECT_TRUE(fixture.run.status().running);
    worker.Join();
    fixture.run.Detach();
    EXPECT_EQ(fixture.run.Where(), "");
    EXPECT_EQ(fixture.run.status().name, "a");
  });
}

// A controller whose reconcile says what it does.
class TellingController final : public FakeController {
 public:
  using FakeController::FakeController;
  ControllerStatus status() const override {
    ControllerStatus told = FakeController::status();
    for (WorkerStatus& worker : told.workers) worker.where = "create bucket";
    return told;
  }
};

TEST(ControllerRunTest, Where_HasTheStepOfTheReconcile) {
  Simulate([] {
    Journal journal;
    TellingController controller(journal, {.name = "a", .warm = false});
    ControllerRun run(controller, absl::Minutes(1), [](const absl::Status&) {});
    base::Thread worker;
    const Context take = In(absl::Seconds(20));
    EXPECT_THAT(worker.Start(Context(), "worker",
                             [&run, take](const Context& work) {
                               EXPECT_THAT(run.Work(take, work), IsOk());
                             }),
                IsOk());
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    EXPECT_EQ(run.Where(), "default/a (create bucket)");
    worker.Join();
    run.Detach();
  });
}

}  // namespace
}  // namespace kube::controller::internal
