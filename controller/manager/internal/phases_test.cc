#include "controller/manager/internal/phases.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "controller/manager/manager_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::Field;

// What a phase of a test does. A phase that hangs waits for its context.
struct Script {
  std::string name = {};
  absl::Status start = {};
  absl::Status stop = {};
  bool start_hangs = false;
  bool stop_hangs = false;
};

// The phases of `scripts`, which write what is called into `trace`.
std::vector<PhaseSteps> StepsFor(const std::vector<Script>& scripts,
                                 std::vector<std::string>& trace) {
  std::vector<PhaseSteps> steps;
  for (const Script& script : scripts) {
    steps.push_back({.name = script.name,
                     .start =
                         [script, &trace](const Context& ctx) {
                           trace.push_back(absl::StrCat("start ", script.name));
                           return script.start_hangs ? base::WaitUntilDone(ctx) : script.start;
                         },
                     .stop =
                         [script, &trace](const Context& ctx) {
                           trace.push_back(absl::StrCat("stop ", script.name));
                           return script.stop_hangs ? base::WaitUntilDone(ctx) : script.stop;
                         }});
  }
  return steps;
}

std::vector<std::string> StatesOf(const Phases& phases) {
  std::vector<std::string> states;
  for (const PhaseStatus& status : phases.status()) states.push_back(status.state);
  return states;
}

// behaviour.md: CR-1, MGR-7, MGR-16
TEST(PhasesTest, EachPhaseThatFails) {
  const absl::Status failed = absl::NotFoundError("boom");
  const struct {
    const char* name;
    std::vector<Script> scripts;
    const char* start_error;
    const char* stop_error;
    const char* trace;
    const char* states;
  } kRows[] = {
      {"none",
       {{.name = "a"}, {.name = "b"}, {.name = "c"}},
       "",
       "",
       "start a, start b, start c, stop c, stop b, stop a",
       "ended ended ended"},
      {"the first start",
       {{.name = "a", .start = failed}, {.name = "b"}, {.name = "c"}},
       "start a: boom",
       "",
       "start a, stop a",
       "ended waiting waiting"},
      {"the second start",
       {{.name = "a"}, {.name = "b", .start = failed}, {.name = "c"}},
       "start b: boom",
       "",
       "start a, start b, stop b, stop a",
       "ended ended waiting"},
      {"the last start",
       {{.name = "a"}, {.name = "b"}, {.name = "c", .start = failed}},
       "start c: boom",
       "",
       "start a, start b, start c, stop c, stop b, stop a",
       "ended ended ended"},
      {"a start that waits",
       {{.name = "a"}, {.name = "b", .start_hangs = true}, {.name = "c"}},
       "start b: context deadline exceeded",
       "",
       "start a, start b, stop b, stop a",
       "ended ended waiting"},
      {"the first stop",
       {{.name = "a"}, {.name = "b"}, {.name = "c", .stop = failed}},
       "",
       "stop c: boom",
       "start a, start b, start c, stop c, stop b, stop a",
       "ended ended stopping"},
      {"the last stop",
       {{.name = "a", .stop = failed}, {.name = "b"}, {.name = "c"}},
       "",
       "stop a: boom",
       "start a, start b, start c, stop c, stop b, stop a",
       "stopping ended ended"},
      {"two stops",
       {{.name = "a", .stop_hangs = true}, {.name = "b", .stop = failed}, {.name = "c"}},
       "",
       "[stop b: boom, stop a: context deadline exceeded]",
       "start a, start b, start c, stop c, stop b, stop a",
       "stopping stopping ended"},
      {"start and stop",
       {{.name = "a"}, {.name = "b", .start = failed, .stop = failed}, {.name = "c"}},
       "start b: boom",
       "stop b: boom",
       "start a, start b, stop b, stop a",
       "ended stopping waiting"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    base::SimRuntime sim;
    EXPECT_THAT(sim.Run([&row] {
      std::vector<std::string> trace;
      Phases phases(StepsFor(row.scripts, trace));
      const absl::Status started = phases.Start(WithTimeout(Context(), absl::Minutes(1)));
      EXPECT_EQ(started.message(), row.start_error);
      const absl::Status stopped = phases.Stop(WithTimeout(Context(), absl::Minutes(1)));
      EXPECT_EQ(stopped.message(), row.stop_error);
      EXPECT_EQ(absl::StrJoin(trace, ", "), row.trace);
      EXPECT_EQ(absl::StrJoin(StatesOf(phases), " "), row.states);
    }),
                IsOk());
  }
}

// behaviour.md: MGR-24
TEST(PhasesTest, Start_ContextIsDone_StartsNothing) {
  std::vector<std::string> trace;
  Phases phases(StepsFor({{.name = "a"}}, trace));
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_THAT(phases.Start(scope.context()), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(phases.Stop(Context()), IsOk());
  EXPECT_TRUE(trace.empty());
}

TEST(PhasesTest, Start_ContextEndsBetweenPhases_StartsNoMore) {
  CancelScope scope = WithCancel(Context());
  std::vector<std::string> trace;
  std::vector<PhaseSteps> steps = StepsFor({{.name = "a"}, {.name = "b"}}, trace);
  steps[0].start = [&scope](const Context&) {
    scope.Cancel();
    return absl::OkStatus();
  };
  Phases phases(std::move(steps));
  EXPECT_THAT(phases.Start(scope.context()), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(phases.Stop(Context()), IsOk());
  EXPECT_THAT(trace, ElementsAre("stop a"));
}

TEST(PhasesTest, Status_WhileAPhaseStarts_SaysWhatItWaitsFor) {
  std::vector<PhaseStatus> seen;
  Phases* phases = nullptr;
  std::vector<PhaseSteps> steps = {
      {.name = "a"},
      {.name = "b",
       .start =
           [&](const Context&) {
             seen = phases->status();
             return absl::OkStatus();
           },
       .waits_for = [] { return std::string("a lease"); }},
      {.name = "c", .waits_for = [] { return std::string("nobody"); }}};
  Phases made(std::move(steps));
  phases = &made;
  EXPECT_THAT(made.Start(Context()), IsOk());
  EXPECT_THAT(seen, ElementsAre(Field(&PhaseStatus::state, "running"),
                                testing::AllOf(Field(&PhaseStatus::state, "starting"),
                                               Field(&PhaseStatus::waits_for, "a lease")),
                                testing::AllOf(Field(&PhaseStatus::state, "waiting"),
                                               Field(&PhaseStatus::waits_for, ""))));
}

}  // namespace
}  // namespace kube::controller::internal
