#include "controller/leaderelection/leader_elector.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/coordination/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/context_fields.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "controller/health/health_check.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/healthz_adaptor.h"
#include "controller/leaderelection/lease_lock.h"
#include "controller/leaderelection/resource_lock.h"
#include "envtest/fake/action.h"
#include "envtest/fake/clientset.h"
#include "envtest/fake/reaction.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::leaderelection {
namespace {

namespace coordinationv1 = api::coordination::v1;

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::Lt;
using testing::SizeIs;

absl::Duration Elapsed() { return base::Now().since_epoch(); }
void Sleep(absl::Duration duration) { base::SleepFor(Context(), duration).IgnoreError(); }

void RunController(const Context& leading) { base::WaitUntilDone(leading).IgnoreError(); }

// The example of LeaderElector.
absl::Status Lead(const Context& ctx, const std::shared_ptr<ResourceLock>& lock) {
  const auto work = [](const Context& leading, const FencingToken&) { RunController(leading); };
  KUBE_ASSIGN_OR_RETURN(
      const auto elector,
      LeaderElector::Make(lock, {.on_started_leading = work, .on_stopped_leading = [] {}},
                          {.release_on_cancel = true}));
  return elector->Run(ctx);  // ABORTED: leadership was lost. End the program.
}

// The example of HealthzAdaptor.
absl::Status LeadWatched(const Context& ctx, const std::shared_ptr<ResourceLock>& lock,
                         const LeaderCallbacks& callbacks) {
  const auto watch_dog = std::make_shared<HealthzAdaptor>(absl::Seconds(20));
  const health::HealthCheck leads = {
      .name = "leaderElection",
      .check = [watch_dog](const Context&) { return watch_dog->Check(); }};
  KUBE_RETURN_IF_ERROR(leads.check(ctx));
  KUBE_ASSIGN_OR_RETURN(const auto elector,
                        LeaderElector::Make(lock, callbacks, {.watch_dog = watch_dog}));
  KUBE_RETURN_IF_ERROR(leads.check(ctx));
  return elector->Run(ctx);
}

// A candidate with all its callbacks, and what they were told. In a simulation.
class Program {
 public:
  Program(fake::Clientset& fake, std::string identity, LeaderElectionOptions options = {},
          std::function<void(const Context&)> work = nullptr)
      : elector_(*LeaderElector::Make(
            std::make_shared<LeaseLock>(fake.client().CoordinationV1().Leases("default"), "lock",
                                        std::move(identity)),
            {.on_started_leading =
                 [this, work = std::move(work)](const Context& ctx, const FencingToken& token) {
                   tokens.push_back(token);
                   history.push_back("started");
                   if (work != nullptr) {
                     work(ctx);
                   } else {
                     base::WaitUntilDone(ctx).IgnoreError();
                   }
                   history.push_back("work ended");
                 },
             .on_stopped_leading = [this] { history.push_back("stopped"); },
             .on_new_leader = [this](const std::string& leader) { leaders.push_back(leader); }},
            std::move(options))) {}

  void Start() {
    ASSERT_THAT(thread_.Start(Context(), "program",
                              [this](const Context& ctx) { result = elector_->Run(ctx); }),
                IsOk());
  }
  void Stop() {
    thread_.RequestStop();
    thread_.Join();
  }
  void Join() { thread_.Join(); }

  LeaderElector& elector() { return *elector_; }

  std::vector<std::string> history;
  std::vector<std::string> leaders;
  std::vector<FencingToken> tokens;
  absl::Status result;

 private:
  const std::unique_ptr<LeaderElector> elector_;
  base::Thread thread_;
};

class LeaderElectorTest : public testing::Test {
 protected:
  // Nothing is written to the log.
  void Simulate(std::function<void(fake::Clientset&)> test) {
    const log::LogCapture quiet;
    base::SimRuntime sim;
    ASSERT_THAT(sim.Run([&] {
      fake::Clientset fake;
      test(fake);
    }),
                IsOk());
  }

  static coordinationv1::Lease Lease(const fake::Clientset& fake) {
    return *fake.client().CoordinationV1().Leases("default").Get(Context(), "lock");
  }
  static std::string Holder(const fake::Clientset& fake) {
    return std::string(Lease(fake).spec.holder_identity->view());
  }
};

// From now on the server cannot be reached, or says nothing.
void Cut(fake::Clientset& fake, bool silently = false) {
  fake.PrependReactor("*", "leases", [silently](fake::Action&) {
    if (silently) Sleep(absl::Hours(1));
    return fake::Reaction::Fail(absl::UnavailableError("no route to host"));
  });
}

std::vector<std::string> Verbs(const fake::Clientset& fake) {
  std::vector<std::string> verbs;
  for (const fake::Action& action : fake.Actions()) verbs.push_back(action.verb);
  return verbs;
}

// behaviour.md: LE-1, MGR-2
TEST(LeaderElectionOptions, DefaultsAreThoseOfComponents) {
  const LeaderElectionOptions options;
  EXPECT_EQ(options.lease_duration, absl::Seconds(15));
  EXPECT_EQ(options.renew_deadline, absl::Seconds(10));
  EXPECT_EQ(options.retry_period, absl::Seconds(2));
  EXPECT_FALSE(options.release_on_cancel);
}

// behaviour.md: LE-2
TEST(LeaderElector, Make_InvalidOptions_IsInvalidArgument) {
  fake::Clientset fake;
  const auto lock = [&fake](std::string identity) {
    return std::make_shared<LeaseLock>(fake.client().CoordinationV1().Leases("default"), "lock",
                                       std::move(identity));
  };
  const LeaderCallbacks good = {.on_started_leading = [](const Context&, const FencingToken&) {},
                                .on_stopped_leading = [] {}};
  LeaderCallbacks no_start = good;
  no_start.on_started_leading = nullptr;
  LeaderCallbacks no_stop = good;
  no_stop.on_stopped_leading = nullptr;
  const auto seconds = [](double lease, double renew, double retry) {
    return LeaderElectionOptions{.lease_duration = absl::Seconds(lease),
                                 .renew_deadline = absl::Seconds(renew),
                                 .retry_period = absl::Seconds(retry)};
  };
  const struct {
    const char* name;
    std::shared_ptr<ResourceLock> lock;
    LeaderCallbacks callbacks;
    LeaderElectionOptions options;
    const char* error;
  } cases[] = {
      {"lease is not longer", lock("me"), good, seconds(10, 10, 2),
       "lease_duration must be greater than renew_deadline"},
      {"renewal is not longer than a jittered try", lock("me"), good, seconds(15, 2.4, 2),
       "renew_deadline must be greater than retry_period * 1.2"},
      {"no time between tries", lock("me"), good, seconds(15, 10, 0),
       "retry_period must be greater than zero"},
      {"negative", lock("me"), good, seconds(-1, -2, -3), "retry_period must be greater than zero"},
      {"more than a lease can say", lock("me"), good, seconds(3e9, 10, 2),
       "lease_duration must be at most 2147483647s"},
      {"negative time for requests",
       lock("me"),
       good,
       {.request_timeout = -absl::Seconds(1)},
       "request_timeout must not be negative"},
      {"nothing to start", lock("me"), no_start, {}, "on_started_leading must not be null"},
      {"nothing to stop", lock("me"), no_stop, {}, "on_stopped_leading must not be null"},
      {"no metrics", lock("me"), good, {.metrics = nullptr}, "metrics must not be null"},
      {"no lock", nullptr, good, {}, "lock must not be null"},
      {"nobody", lock(""), good, {}, "lock identity is empty"},
  };
  for (const auto& test : cases) {
    EXPECT_THAT(LeaderElector::Make(test.lock, test.callbacks, test.options),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         absl::StrCat("make leader elector: ", test.error)))
        << test.name;
  }
  EXPECT_THAT(LeaderElector::Make(lock("me"), good, seconds(2.5, 2.41, 2)), IsOk());
}

TEST_F(LeaderElectorTest, Run_OnlyCandidate_LeadsUntilStopped) {
  Simulate([](fake::Clientset& fake) {
    Program me(fake, "me");
    EXPECT_FALSE(me.elector().IsLeader());
    EXPECT_EQ(me.elector().GetLeader(), "");
    me.Start();
    Sleep(absl::Seconds(60));
    EXPECT_TRUE(me.elector().IsLeader());
    EXPECT_EQ(me.elector().GetLeader(), "me");
    ASSERT_EQ(me.tokens.size(), 1u);
    EXPECT_EQ(me.elector().GetFencingToken(), me.tokens[0]);
    EXPECT_THAT(me.history, ElementsAre("started"));
    me.Stop();
    EXPECT_THAT(me.result, StatusIs(absl::StatusCode::kCancelled));
    EXPECT_FALSE(me.elector().IsLeader());
    EXPECT_EQ(me.elector().GetFencingToken(), std::nullopt);
    EXPECT_THAT(me.leaders, ElementsAre("me"));
    EXPECT_EQ(Holder(fake), "me");  // it runs out
  });
}

// behaviour.md: LE-5
TEST_F(LeaderElectorTest, Renew_OwnLease_UpdatesWithoutReading) {
  Simulate([](fake::Clientset& fake) {
    Program me(fake, "me");
    me.Start();
    Sleep(absl::Seconds(7));
    EXPECT_THAT(Verbs(fake), ElementsAre("get", "create", "update", "update", "update"));
    me.Stop();
  });
}

// behaviour.md: LE-4
TEST_F(LeaderElectorTest, Run_LeaseOfAnother_FollowsUntilItRunsOut) {
  Simulate([](fake::Clientset& fake) {
    Program first(fake, "first");
    Program second(fake, "second");
    first.Start();
    Sleep(absl::Seconds(1));
    second.Start();
    Sleep(absl::Minutes(1));
    EXPECT_TRUE(first.elector().IsLeader());
    EXPECT_FALSE(second.elector().IsLeader());
    EXPECT_EQ(second.elector().GetLeader(), "first");
    EXPECT_TRUE(second.history.empty());
    first.Stop();
    const absl::Duration stopped = Elapsed();
    while (!second.elector().IsLeader()) Sleep(absl::Milliseconds(10));
    // Since its last renewal, which the second one saw within 2.2 retry periods.
    EXPECT_THAT(Elapsed() - stopped,
                AllOf(Ge(absl::Seconds(13)), Lt(absl::Seconds(15 + 4.4 * 2 + 0.1))));
    EXPECT_EQ(Lease(fake).spec.lease_transitions.value_or(0), 1);
    EXPECT_EQ(second.tokens.size(), 1u);
    EXPECT_TRUE(*CompareFencingTokens(first.tokens[0], second.tokens[0]) < 0);
    second.Stop();
    EXPECT_THAT(second.leaders, ElementsAre("first", "second"));
  });
}

// behaviour.md: LE-6
TEST_F(LeaderElectorTest, ARestartUnderTheSameNameNeedsNoWait) {
  Simulate([](fake::Clientset& fake) {
    Program first(fake, "me");
    first.Start();
    Sleep(absl::Seconds(5));
    first.Stop();
    const coordinationv1::Lease before = Lease(fake);
    Program second(fake, "me", {.lease_duration = absl::Seconds(30)});
    second.Start();
    Sleep(absl::Seconds(1));
    EXPECT_TRUE(second.elector().IsLeader());
    const coordinationv1::Lease after = Lease(fake);
    EXPECT_EQ(after.spec.acquire_time, before.spec.acquire_time);
    EXPECT_EQ(after.spec.lease_transitions, before.spec.lease_transitions);
    EXPECT_EQ(after.spec.lease_duration_seconds.value_or(0), 30);
    EXPECT_TRUE(*CompareFencingTokens(first.tokens[0], second.tokens[0]) < 0);
    second.Stop();
  });
}

// behaviour.md: LE-3, LE-11
TEST_F(LeaderElectorTest, Renew_ServerUnreachable_EndsAtTheRenewDeadline) {
  for (const bool silently : {false, true}) {
    SCOPED_TRACE(silently ? "no answer" : "errors");
    Simulate([silently](fake::Clientset& fake) {
      Program me(fake, "me", {.release_on_cancel = true});
      me.Start();
      Sleep(absl::Seconds(7));  // renewed at 6
      Cut(fake, silently);
      Sleep(absl::Seconds(8.9));
      EXPECT_TRUE(me.elector().IsLeader());
      EXPECT_THAT(me.history, ElementsAre("started"));
      Sleep(absl::Seconds(0.2));
      EXPECT_FALSE(me.elector().IsLeader());
      if (!silently) {  // this transport does not hear of contexts
        EXPECT_THAT(me.history, testing::UnorderedElementsAre("started", "stopped", "work ended"));
      }
      me.Join();
      EXPECT_THAT(me.result, StatusIs(absl::StatusCode::kAborted,
                                      "leader election lost: lease \"default/lock\""));
    });
  }
}

TEST_F(LeaderElectorTest, Renew_AnotherHolder_StepsDown) {
  Simulate([](fake::Clientset& fake) {
    Program me(fake, "me");
    me.Start();
    Sleep(absl::Seconds(1));
    coordinationv1::Lease lease = Lease(fake);
    lease.spec.holder_identity = "you";
    ASSERT_THAT(fake.client().CoordinationV1().Leases("default").Update(Context(), lease), IsOk());
    Sleep(absl::Seconds(1.5));
    me.Join();
    EXPECT_LT(Elapsed(), absl::Seconds(3));
    EXPECT_THAT(me.result, StatusIs(absl::StatusCode::kAborted));
    EXPECT_THAT(me.leaders, ElementsAre("me", "you"));
    EXPECT_EQ(me.elector().GetLeader(), "you");
  });
}

// behaviour.md: LE-7
TEST_F(LeaderElectorTest, Run_NeverLed_StillCallsOnStoppedLeading) {
  Simulate([](fake::Clientset& fake) {
    Cut(fake);
    Program me(fake, "me");
    me.Start();
    Sleep(absl::Seconds(30));
    EXPECT_TRUE(me.history.empty());
    me.Stop();
    EXPECT_THAT(me.history, ElementsAre("stopped"));
    EXPECT_TRUE(me.leaders.empty());
  });
}

TEST_F(LeaderElectorTest, AfterALossOnStoppedLeadingDoesNotWaitForTheWork) {
  Simulate([](fake::Clientset& fake) {
    Program me(fake, "me", {}, [](const Context& ctx) {
      base::WaitUntilDone(ctx).IgnoreError();
      Sleep(absl::Minutes(5));
    });
    me.Start();
    Sleep(absl::Seconds(1));
    Cut(fake);
    Sleep(absl::Seconds(15));
    EXPECT_THAT(me.history, ElementsAre("started", "stopped"));
    me.Join();
    EXPECT_THAT(me.history, ElementsAre("started", "stopped", "work ended"));
    EXPECT_GT(Elapsed(), absl::Minutes(5));
  });
}

TEST_F(LeaderElectorTest, Run_ContextWithLogFields_LinesAndRequestsHaveThem) {
  Simulate([](fake::Clientset& fake) {
    const auto lock =
        std::make_shared<LeaseLock>(fake.client().CoordinationV1().Leases("default"), "lock", "me");
    const log::LogCapture capture;
    const Context ctx = WithLogFields(Context(), {{"component", "scheduler"}});
    log::SetVerbosity(6);
    EXPECT_FALSE(Lead(WithTimeout(ctx, absl::Seconds(1)), lock).ok());
    log::SetVerbosity(0);
    int requests = 0;
    for (const std::string& line : capture.Lines()) {
      if (line.find(R"("response")") == std::string::npos) continue;
      ++requests;
      EXPECT_THAT(line, HasSubstr(R"( component="scheduler")"));
    }
    EXPECT_GE(requests, 3) << "reads, creates and releases the lease";
    for (const absl::string_view message :
         {"attempting to acquire leader lease", "successfully acquired lease", "stopped leading"}) {
      EXPECT_THAT(capture.Lines(),
                  testing::Contains(HasSubstr(absl::StrCat(
                      "\"", message, "\" component=\"scheduler\" lock=\"default/lock\""))));
    }
  });
}

// behaviour.md: LE-8
TEST_F(LeaderElectorTest, GivesTheLeaseUpWhenItsWorkHasEnded) {
  Simulate([](fake::Clientset& fake) {
    Program me(fake, "me", {.release_on_cancel = true}, [&fake](const Context& ctx) {
      base::WaitUntilDone(ctx).IgnoreError();
      Sleep(absl::Seconds(3));
      EXPECT_EQ(Holder(fake), "me");
    });
    Program next(fake, "next");
    me.Start();
    Sleep(absl::Seconds(1));
    next.Start();
    Sleep(absl::Seconds(9));
    fake.ClearActions();
    me.Stop();
    EXPECT_THAT(me.history, ElementsAre("started", "work ended", "stopped"));
    const absl::Duration released = Elapsed();
    EXPECT_THAT(released, AllOf(Ge(absl::Seconds(13)), Lt(absl::Seconds(13.1))));
    // Not the lease as it is now: the other one may have taken it.
    std::vector<coordinationv1::LeaseSpec> releases;
    for (const fake::Action& action : fake.Actions()) {
      if (!action.Matches("update", "leases")) continue;
      const absl::StatusOr<coordinationv1::Lease> sent = action.Object<coordinationv1::Lease>();
      ASSERT_THAT(sent, IsOk());
      if (sent->spec.holder_identity->view().empty()) releases.push_back(sent->spec);
    }
    ASSERT_THAT(releases, SizeIs(1));
    EXPECT_EQ(releases[0].lease_duration_seconds.value_or(0), 1);
    EXPECT_EQ(releases[0].acquire_time, releases[0].renew_time);
    while (!next.elector().IsLeader()) Sleep(absl::Milliseconds(10));
    EXPECT_LT(Elapsed() - released, absl::Seconds(2.2 * 2 + 0.1));
    EXPECT_EQ(Lease(fake).spec.lease_transitions.value_or(0), 1);
    next.Stop();
  });
}

TEST_F(LeaderElectorTest, KeepsTheLeaseIfItsWorkDoesNotEndInTime) {
  Simulate([](fake::Clientset& fake) {
    Program me(fake, "me", {.release_on_cancel = true}, [](const Context& ctx) {
      base::WaitUntilDone(ctx).IgnoreError();
      Sleep(absl::Minutes(1));
    });
    me.Start();
    Sleep(absl::Seconds(1));
    me.Stop();
    EXPECT_EQ(Holder(fake), "me");
    EXPECT_THAT(me.history, ElementsAre("started", "stopped", "work ended"));
  });
}

TEST_F(LeaderElectorTest, LeadsUntilTheContextIsDone_AsInTheHeaders) {
  Simulate([](fake::Clientset& fake) {
    const auto lock =
        std::make_shared<LeaseLock>(fake.client().CoordinationV1().Leases("default"), "lock", "me");
    EXPECT_THAT(Lead(WithTimeout(Context(), absl::Minutes(1)), lock),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(Holder(fake), "") << "released";
    bool started = false;
    const LeaderCallbacks callbacks = {
        .on_started_leading = [&](const Context&, const FencingToken&) { started = true; },
        .on_stopped_leading = [] {}};
    EXPECT_THAT(LeadWatched(WithTimeout(Context(), absl::Minutes(1)), lock, callbacks),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_TRUE(started);
  });
}

// behaviour.md: LE-9
TEST_F(LeaderElectorTest, WatchDog_RenewalHangs_FailsAfterLeaseAndTolerance) {
  Simulate([](fake::Clientset& fake) {
    auto watch_dog = std::make_shared<HealthzAdaptor>(absl::Seconds(5));
    EXPECT_THAT(watch_dog->Check(), IsOk());
    {
      Program me(fake, "me", {.watch_dog = watch_dog, .name = "the-lease"});
      me.Start();
      Sleep(absl::Seconds(1));
      EXPECT_THAT(watch_dog->Check(), IsOk());
      // The next renewal, at 2 s, hangs and hears of no context.
      Cut(fake, /*silently=*/true);
      Sleep(absl::Seconds(18.9));
      EXPECT_FALSE(me.elector().IsLeader());
      EXPECT_THAT(watch_dog->Check(), IsOk());
      Sleep(absl::Seconds(0.2));
      EXPECT_THAT(watch_dog->Check(),
                  StatusIs(absl::StatusCode::kDeadlineExceeded,
                           "failed election to renew leadership on lease the-lease"));
      me.Join();
      EXPECT_THAT(watch_dog->Check(), IsOk());
    }
    EXPECT_THAT(watch_dog->Check(), IsOk());  // the elector is gone
  });
}

// behaviour.md: LE-5, MGR-56
TEST_F(LeaderElectorTest, Metrics_LeadingAndConflict_CountAsClientGo) {
  Simulate([](fake::Clientset& fake) {
    const auto metrics = std::make_shared<base::PrometheusRegistry>();
    Program me(fake, "me", {.name = "sched", .metrics = metrics});
    EXPECT_THAT(metrics->Render(), HasSubstr("leader_election_master_status{name=\"sched\"} 0\n"));
    me.Start();
    Sleep(absl::Seconds(1));
    EXPECT_THAT(metrics->Render(), HasSubstr("leader_election_master_status{name=\"sched\"} 1\n"));
    EXPECT_THAT(metrics->Render(), HasSubstr("leader_election_slowpath_total{name=\"sched\"} 0\n"));
    // Somebody writes the lease, so that the quick way is a conflict.
    coordinationv1::Lease lease = Lease(fake);
    lease.metadata.labels["a"] = "b";
    ASSERT_THAT(fake.client().CoordinationV1().Leases("default").Update(Context(), lease), IsOk());
    Sleep(absl::Seconds(2));
    EXPECT_TRUE(me.elector().IsLeader());
    EXPECT_THAT(metrics->Render(), HasSubstr("leader_election_slowpath_total{name=\"sched\"} 1\n"));
    me.Stop();
    EXPECT_THAT(metrics->Render(), HasSubstr("leader_election_master_status{name=\"sched\"} 0\n"));
  });
}

TEST_F(LeaderElectorTest, Run_AgainAfterStop_LeadsWithANewToken) {
  Simulate([](fake::Clientset& fake) {
    Program me(fake, "me", {.release_on_cancel = true});
    for (int i = 0; i < 3; ++i) {
      me.Start();
      Sleep(absl::Seconds(5));
      EXPECT_TRUE(me.elector().IsLeader());
      me.Stop();
      EXPECT_EQ(Holder(fake), "");
    }
    EXPECT_EQ(me.tokens.size(), 3u);
    EXPECT_TRUE(*CompareFencingTokens(me.tokens[0], me.tokens[1]) < 0);
    EXPECT_TRUE(*CompareFencingTokens(me.tokens[1], me.tokens[2]) < 0);
  });
}

TEST_F(LeaderElectorTest, ASlowCallbackDelaysNoRenewal) {
  Simulate([](fake::Clientset& fake) {
    int calls = 0;
    absl::StatusOr<std::unique_ptr<LeaderElector>> elector = LeaderElector::Make(
        std::make_shared<LeaseLock>(fake.client().CoordinationV1().Leases("default"), "lock", "me"),
        {.on_started_leading = [](const Context&, const FencingToken&) {},
         .on_stopped_leading = [] {},
         .on_new_leader =
             [&](const std::string&) {
               ++calls;
               Sleep(absl::Hours(1));
             }});
    ASSERT_THAT(elector, IsOk());
    base::Thread thread;
    ASSERT_THAT(thread.Start(Context(), "elector",
                             [&](const Context& ctx) { (*elector)->Run(ctx).IgnoreError(); }),
                IsOk());
    Sleep(absl::Minutes(5));
    EXPECT_TRUE((*elector)->IsLeader());
    EXPECT_EQ(calls, 1);
    thread.RequestStop();
    thread.Join();
  });
}

}  // namespace
}  // namespace kube::leaderelection
