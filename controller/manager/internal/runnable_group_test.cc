#include "controller/manager/internal/runnable_group.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void Simulate(const std::function<void()>& test) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&test] { test(); }), IsOk());
}

Context Soon() { return WithTimeout(Context(), absl::Seconds(1)); }

// A group whose failures are collected. Its members fail one after the other.
struct Fixture {
  std::vector<std::string> failures = {};
  RunnableGroup group{"always", [this](const absl::Status& error) {
                        failures.push_back(std::string(error.message()));
                      }};
};

absl::Status UntilDone(const Context& take, const Context&) { return base::WaitUntilDone(take); }

// behaviour.md: MGR-4, MGR-9
TEST(RunnableGroupTest, Stop_MembersHeedTheirContexts_AllEndInOrder) {
  Simulate([] {
    Fixture fixture;
    std::vector<std::string> seen;
    EXPECT_THAT(fixture.group.Add({.name = "drains",
                                   .run =
                                       [&seen](const Context& take, const Context& work) {
                                         base::WaitUntilDone(take).IgnoreError();
                                         seen.push_back(work.done() ? "both" : "take");
                                         base::WaitUntilDone(work).IgnoreError();
                                         seen.push_back("work");
                                         return work.status();
                                       }}),
                IsOk());
    EXPECT_THAT(fixture.group.Start(Context()), IsOk());
    EXPECT_FALSE(fixture.group.ended());
    fixture.group.StopTaking();
    EXPECT_THAT(fixture.group.Wait(Soon()), StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT(seen, ElementsAre("take"));
    fixture.group.Cancel();
    EXPECT_THAT(fixture.group.Wait(Soon()), IsOk());
    EXPECT_THAT(seen, ElementsAre("take", "work"));
    EXPECT_TRUE(fixture.group.ended());
    EXPECT_THAT(fixture.failures, IsEmpty());
  });
}

// behaviour.md: MGR-13, MGR-14
TEST(RunnableGroupTest, AMemberThatEndsEarly) {
  const struct {
    const char* name;
    absl::Status returns;
    bool may_end;
    std::vector<std::string> failures;
  } kRows[] = {
      {"OK, and it may", absl::OkStatus(), true, {}},
      {"OK, and it may not",
       absl::OkStatus(),
       false,
       {"run \"a\": it ended, but should run until its context is done"}},
      {"an error", absl::NotFoundError("boom"), false, {"run \"a\": boom"}},
      {"an error, and it may end", absl::NotFoundError("boom"), true, {"run \"a\": boom"}},
      {"a cancellation of its own",
       absl::CancelledError("by itself"),
       false,
       {"run \"a\": by itself"}},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Simulate([&row] {
      Fixture fixture;
      EXPECT_THAT(
          fixture.group.Add({.name = "a",
                             .run = [&row](const Context&, const Context&) { return row.returns; },
                             .may_end = row.may_end}),
          IsOk());
      EXPECT_THAT(fixture.group.Start(Context()), IsOk());
      EXPECT_THAT(fixture.group.Wait(Soon()), IsOk());
      EXPECT_EQ(fixture.failures, row.failures);
      ASSERT_EQ(fixture.group.status().size(), row.failures.size());
      if (row.failures.empty()) return;
      EXPECT_EQ(fixture.group.status()[0].state, "ended");
      EXPECT_FALSE(fixture.group.status()[0].error.empty());
    });
  }
}

// behaviour.md: MGR-14
TEST(RunnableGroupTest, AMemberThatHasEnded_IsForgotten) {
  Simulate([] {
    Fixture fixture;
    EXPECT_THAT(fixture.group.Add({.name = "stays", .run = UntilDone}), IsOk());
    EXPECT_THAT(fixture.group.Start(Context()), IsOk());
    std::weak_ptr<const int> held;
    for (int i = 0; i < 3; ++i) {
      const auto holds = std::make_shared<const int>(i);
      held = holds;
      EXPECT_THAT(fixture.group.Add({.name = "migrate",
                                     .run =
                                         [holds](const Context&, const Context&) {
                                           return base::SleepFor(Context(),
                                                                 absl::Seconds(*holds + 1));
                                         },
                                     .may_end = true}),
                  IsOk())
          << "the name is free again";
      EXPECT_EQ(fixture.group.status().size(), 2u);
      EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(5)), IsOk());
      EXPECT_EQ(fixture.group.status().size(), 1u);
    }
    EXPECT_TRUE(held.expired());
    fixture.group.Remove("migrate");
    EXPECT_FALSE(fixture.group.ended());
  });
}

TEST(RunnableGroupTest, MembersThatEndAtAnyTime_AreJoinedOnce) {
  EXPECT_THAT(base::SearchSeeds(
                  [](base::SimRuntime& sim) {
                    return sim.Run([] {
                      Fixture fixture;
                      EXPECT_THAT(fixture.group.Start(Context()), IsOk());
                      for (int i = 0; i < 8; ++i) {
                        const absl::Duration time = absl::Milliseconds(base::UniformInt(0, 3));
                        EXPECT_THAT(fixture.group.Add({.name = absl::StrCat(i),
                                                       .run =
                                                           [time](const Context&, const Context&) {
                                                             return base::SleepFor(Context(), time);
                                                           },
                                                       .may_end = true}),
                                    IsOk());
                        if (i % 3 == 2) fixture.group.Remove(absl::StrCat(i - 1));
                      }
                      fixture.group.Cancel();
                      EXPECT_THAT(fixture.group.Wait(Soon()), IsOk());
                      EXPECT_THAT(fixture.group.status(), IsEmpty());
                    });
                  },
                  {.seeds = base::SimulationSeeds(100)}),
              IsOk());
}

// behaviour.md: MGR-20
TEST(RunnableGroupTest, AnErrorAfterTheStop_IsLoggedOnly) {
  const log::LogCapture capture;
  Simulate([] {
    Fixture fixture;
    EXPECT_THAT(fixture.group.Add({.name = "a",
                                   .run =
                                       [](const Context& take, const Context&) {
                                         base::WaitUntilDone(take).IgnoreError();
                                         return absl::DataLossError("not flushed");
                                       }}),
                IsOk());
    EXPECT_THAT(fixture.group.Start(Context()), IsOk());
    fixture.group.Cancel();
    EXPECT_THAT(fixture.group.Wait(Soon()), IsOk());
    EXPECT_THAT(fixture.failures, IsEmpty());
  });
  EXPECT_THAT(capture.Lines(),
              Contains(HasSubstr("error received after stop sequence was engaged")));
}

// behaviour.md: MGR-23
TEST(RunnableGroupTest, Stop_NeverStarted_StartsNothing) {
  Simulate([] {
    Fixture fixture;
    bool ran = false;
    EXPECT_THAT(fixture.group.Add({.name = "a",
                                   .run =
                                       [&ran](const Context&, const Context&) {
                                         ran = true;
                                         return absl::OkStatus();
                                       }}),
                IsOk());
    fixture.group.Cancel();
    EXPECT_THAT(fixture.group.Wait(Context()), IsOk());
    EXPECT_THAT(fixture.group.Start(Context()), StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_FALSE(ran);
  });
}

// behaviour.md: MGR-38
TEST(RunnableGroupTest, Wait_AMemberDoesNotEnd_NamesItAndWhereItIs) {
  Simulate([] {
    Fixture fixture;
    const auto hangs = [](const Context&, const Context&) {
      return base::SleepFor(Context(), absl::Hours(1));
    };
    EXPECT_THAT(fixture.group.Add({.name = "ends", .run = UntilDone}), IsOk());
    EXPECT_THAT(fixture.group.Add(
                    {.name = "hangs", .run = hangs, .where = [] { return std::string("a/b"); }}),
                IsOk());
    EXPECT_THAT(fixture.group.Add({.name = "too", .run = hangs}), IsOk());
    EXPECT_THAT(fixture.group.Start(Context()), IsOk());
    fixture.group.Cancel();
    EXPECT_THAT(fixture.group.Wait(Soon()),
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         "these have not ended: \"hangs\" in a/b, \"too\""));
    EXPECT_FALSE(fixture.group.ended());
  });
}

// behaviour.md: MGR-10
TEST(RunnableGroupTest, Add_AtAnyTime) {
  Simulate([] {
    Fixture fixture;
    EXPECT_THAT(fixture.group.Add({.name = "a", .run = UntilDone}), IsOk());
    EXPECT_THAT(fixture.group.Add({.name = "a", .run = UntilDone}),
                StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("\"a\"")));
    EXPECT_EQ(fixture.group.status()[0].state, "waiting");
    EXPECT_THAT(fixture.group.Start(Context()), IsOk());
    EXPECT_THAT(fixture.group.Add({.name = "b", .run = UntilDone}), IsOk());
    EXPECT_EQ(fixture.group.status()[1].state, "running");
    fixture.group.StopTaking();
    EXPECT_THAT(fixture.group.Add({.name = "c", .run = UntilDone}),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("stop procedure is already engaged")));
    EXPECT_THAT(fixture.group.Wait(Soon()), IsOk());
  });
}

TEST(RunnableGroupTest, Remove_EndsThatMemberAlone) {
  Simulate([] {
    Fixture fixture;
    std::string ended;
    const auto slow = [&ended](const Context& take, const Context&) {
      base::WaitUntilDone(take).IgnoreError();
      base::SleepFor(Context(), absl::Seconds(5)).IgnoreError();
      ended = "slow";
      return absl::OkStatus();
    };
    EXPECT_THAT(fixture.group.Add({.name = "stays", .run = UntilDone}), IsOk());
    EXPECT_THAT(fixture.group.Add({.name = "slow", .run = slow}), IsOk());
    EXPECT_THAT(fixture.group.Start(Context()), IsOk());
    fixture.group.Remove("nobody");
    fixture.group.Remove("slow");
    EXPECT_EQ(ended, "slow");
    ASSERT_EQ(fixture.group.status().size(), 1u);
    EXPECT_EQ(fixture.group.status()[0].state, "running");
    EXPECT_THAT(fixture.failures, IsEmpty());
  });
}

// behaviour.md: MGR-9
TEST(RunnableGroupTest, TheParentIsDone_MembersEndWithoutAFailure) {
  Simulate([] {
    Fixture fixture;
    EXPECT_THAT(fixture.group.Add({.name = "a", .run = UntilDone}), IsOk());
    CancelScope parent = WithCancel(Context());
    EXPECT_THAT(fixture.group.Start(parent.context()), IsOk());
    parent.Cancel();
    EXPECT_THAT(fixture.group.Wait(Soon()), IsOk());
    EXPECT_THAT(fixture.failures, IsEmpty());
  });
}

}  // namespace
}  // namespace kube::controller::internal
