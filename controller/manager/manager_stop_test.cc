// How a manager ends: by request, by an error of what it runs, and when it loses the leadership.
#include <functional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apiserver/user.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/events/record/event_recorder.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/runnable.h"
#include "controller/manager/testing/manager_world.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using World = ManagerWorld;

Context In(absl::Duration time) { return WithTimeout(Context(), time); }

// behaviour.md: MGR-13
TEST(ManagerStopTest, AFunctionThatFailsOrHangs_InEachPhase) {
  const struct {
    const char* name;
    Phase phase;
  } kPhases[] = {{"servers", Phase::kServers},
                 {"before caches", Phase::kBeforeCaches},
                 {"always", Phase::kAlways},
                 {"leader", Phase::kLeader}};
  const struct {
    const char* name;
    std::function<absl::Status(const Context&)> run;
    bool may_end;
    absl::StatusCode code;
    const char* message;
  } kRows[] = {
      {"fails", [](const Context&) { return absl::NotFoundError("boom"); }, false,
       absl::StatusCode::kNotFound, "run \"it\": boom"},
      {"ends early", [](const Context&) { return absl::OkStatus(); }, false,
       absl::StatusCode::kFailedPrecondition, "run \"it\": it ended"},
      {"may end early", [](const Context&) { return absl::OkStatus(); }, true,
       absl::StatusCode::kOk, ""},
      {"hangs", [](const Context&) { return base::SleepFor(Context(), absl::Hours(1)); }, false,
       absl::StatusCode::kDeadlineExceeded, "these have not ended: \"it\""},
  };
  for (const auto& phase : kPhases) {
    for (const auto& row : kRows) {
      SCOPED_TRACE(absl::StrCat(phase.name, " ", row.name));
      Simulate([&phase, &row] {
        World world;
        world.AddController({.name = "one"});
        EXPECT_THAT(
            world.manager->Add("it", row.run, {.phase = phase.phase, .may_end = row.may_end}),
            IsOk());
        EXPECT_THAT(world.manager->Run(In(absl::Minutes(1))),
                    StatusIs(row.code, HasSubstr(row.message)));
        EXPECT_FALSE(world.journal.Has("one works") && !world.journal.Has("one drained"));
      });
    }
  }
}

// behaviour.md: MGR-18, MGR-19
TEST(ManagerStopTest, Stop_WithAReconcileInWork) {
  const struct {
    const char* name;
    absl::Duration in_work;
    bool heeds_context;
    absl::Status ends;
    const char* line;
  } kRows[] = {
      {"ends by itself", absl::Seconds(14), true, absl::OkStatus(), "one drained"},
      {"ends with its context", absl::Minutes(5), true, absl::OkStatus(), "one cancelled"},
      {"does not end", absl::Minutes(5), false,
       absl::DeadlineExceededError("stop leader: these have not ended: \"controller one\" in "
                                   "default/a"),
       "one takes no more"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Simulate([&row] {
      World world;
      world.AddRunnable("always", Phase::kAlways);
      world.AddController(
          {.name = "one", .in_work = row.in_work, .heeds_context = row.heeds_context});
      EXPECT_EQ(world.manager->Run(In(absl::Minutes(1))), row.ends);
      EXPECT_TRUE(world.journal.InOrder("one works", row.line));
      EXPECT_TRUE(world.journal.InOrder("one works", "always ends"));
    });
  }
}

// behaviour.md: MGR-17, MGR-22
TEST(ManagerStopTest, Stop_AsLeader_HoldsTheLeaseUntilTheLastWorkHasEnded) {
  Simulate([] {
    ManagerOptions options = WithElection();
    options.drain_timeout = absl::Minutes(2);
    World world(std::move(options));
    // Longer than the lease without a renewal.
    world.AddController({.name = "one", .in_work = absl::Seconds(60)});
    std::string while_draining;
    base::Thread looks;
    EXPECT_THAT(looks.Start(Context(), "looks",
                            [&](const Context&) {
                              EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(50)), IsOk());
                              while_draining = world.Holder();
                            }),
                IsOk());
    EXPECT_THAT(world.manager->Run(In(absl::Seconds(10))), IsOk());
    looks.Join();
    EXPECT_EQ(while_draining, "me");
    EXPECT_TRUE(world.journal.Has("one drained"));
    EXPECT_EQ(world.Holder(), "");
  });
}

// behaviour.md: MGR-10
TEST(ManagerStopTest, Add_WhileItEnds_IsRefusedInEachPhase) {
  Simulate([] {
    World world;
    const auto adds = [&world](const Context& ctx) {
      const absl::Status done = base::WaitUntilDone(ctx);
      const auto waits = [](const Context& own) { return base::WaitUntilDone(own); };
      for (const Phase phase :
           {Phase::kServers, Phase::kBeforeCaches, Phase::kAlways, Phase::kLeader}) {
        EXPECT_THAT(
            world.manager->Add("late", waits, {.phase = phase}),
            StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("is already engaged")));
      }
      return done;
    };
    EXPECT_THAT(world.manager->Add("adds", adds), IsOk());
    EXPECT_THAT(world.manager->Run(In(absl::Seconds(10))), IsOk());
  });
}

// behaviour.md: MGR-18
TEST(ManagerStopTest, Stop_TheLeadersWorkDoesNotEnd_OtherWorkersStillHaveTime) {
  Simulate([] {
    World world;
    world.AddController({.name = "one", .in_work = absl::Minutes(5), .heeds_context = false});
    world.AddController({.name = "two", .needs_leadership = false, .in_work = absl::Minutes(5)});
    EXPECT_THAT(world.manager->Run(In(absl::Seconds(10))),
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         AllOf(HasSubstr("controller one"), Not(HasSubstr("controller two")))));
    EXPECT_TRUE(world.journal.Has("two cancelled"));
  });
}

// behaviour.md: MGR-17
TEST(ManagerStopTest, Stop_TheLeadersWorkDoesNotEnd_LeaseIsNotReleased) {
  Simulate([] {
    World world(WithElection());
    world.AddController({.name = "one", .in_work = absl::Minutes(5), .heeds_context = false});
    EXPECT_THAT(world.manager->Run(In(absl::Seconds(10))),
                StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("default/a")));
    EXPECT_EQ(world.Holder(), "me");
  });
}

// behaviour.md: MGR-21
TEST(ManagerStopTest, LeadershipIsLost_ContextsEndAtOnce) {
  Simulate([] {
    World world(WithElection());
    world.AddController({.name = "one", .in_work = absl::Minutes(5)});
    world.AddController({.name = "two", .needs_leadership = false, .in_work = absl::Minutes(5)});
    EXPECT_THAT(world.manager->Add("thief",
                                   [&world](const Context& ctx) {
                                     world.server.SetDenyRules(
                                         {{.group = "coordination.k8s.io", .resource = "leases"}});
                                     return base::WaitUntilDone(ctx);
                                   }),
                IsOk());
    const Context ctx = In(absl::Seconds(30));
    EXPECT_THAT(world.manager->Run(ctx),
                StatusIs(absl::StatusCode::kAborted, HasSubstr("leader election lost")));
    EXPECT_FALSE(ctx.done());
    EXPECT_TRUE(world.journal.Has("one cancelled"));
    EXPECT_TRUE(world.journal.Has("two cancelled"));
  });
}

// behaviour.md: MGR-5, MGR-23, CTRL-10
TEST(ManagerStopTest, Stop_NeverElected_TheLeadersPhaseIsNotStarted) {
  Simulate([] {
    World world(WithElection());
    ManagerOptions other = WithElection();
    other.name = "operator";
    other.health.reset();
    other.leader_election->lease.identity = "other";
    const auto leader = Manager::Make(envtest::InProcessConfig(world.server), std::move(other));
    ASSERT_THAT(leader, IsOk());
    base::Thread first;
    EXPECT_THAT(
        first.Start(Context(), "leader",
                    [&leader](const Context& ctx) { EXPECT_THAT((*leader)->Run(ctx), IsOk()); }),
        IsOk());
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(5)), IsOk());
    world.AddController({.name = "cold", .warm = false});
    world.AddController({.name = "warm"});
    world.AddRunnable("leader", Phase::kLeader);
    world.AddRunnable("always", Phase::kAlways);
    EXPECT_THAT(world.manager->Run(In(absl::Minutes(1))), IsOk());
    EXPECT_TRUE(world.journal.Has("warm synced"));
    EXPECT_TRUE(world.journal.Has("always ends"));
    EXPECT_FALSE(world.journal.Has("cold watches"));
    EXPECT_FALSE(world.journal.Has("warm works"));
    EXPECT_FALSE(world.journal.Has("leader begins"));
    EXPECT_EQ(world.manager->status().leader.holder, "other");
    first.RequestStop();
    first.Join();
  });
}

// behaviour.md: MGR-35
TEST(ManagerStopTest, Recorder_EventsAreWrittenBeforeTheEnd) {
  Simulate([] {
    World world;
    EXPECT_THAT(world.manager->Add("records",
                                   [&world](const Context& ctx) {
                                     const absl::Status done = base::WaitUntilDone(ctx);
                                     const corev1::ObjectReference node = {.kind = "Node",
                                                                           .name = "n1"};
                                     world.manager->recorder().Event(node, record::kEventTypeNormal,
                                                                     "Ended", "by request");
                                     return done;
                                   }),
                IsOk());
    EXPECT_THAT(world.manager->Run(In(absl::Seconds(10))), IsOk());
    const auto client = kubernetes::Clientset::Make(envtest::InProcessConfig(world.server));
    const auto events = client->CoreV1().Events("default").List(Context());
    ASSERT_THAT(events, IsOk());
    ASSERT_EQ(events->items.size(), 1u);
    EXPECT_EQ(events->items[0].reason, "Ended");
    EXPECT_EQ(events->items[0].source.component, "operator");
  });
}

}  // namespace
}  // namespace kube::controller
