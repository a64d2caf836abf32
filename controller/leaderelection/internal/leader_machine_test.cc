#include "controller/leaderelection/internal/leader_machine.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/errors/errors.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/resource_lock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::leaderelection::internal {
namespace {

using base::FakeClock;

constexpr absl::Duration kRetry = absl::Seconds(2);

LeaderPlan Plan(bool release = false) {
  return {.identity = "me",
          .lease_duration = absl::Seconds(15),
          .renew_deadline = absl::Seconds(10),
          .retry_period = kRetry,
          .release_on_cancel = release};
}

// "lead, wait 2s", "update me 15s #1": what the machine wants, with what matters of it.
std::string Text(const LeaderStep& step) {
  static const char* const kChanges[] = {"", "lead, ", "stop, "};
  std::string text = kChanges[static_cast<int>(step.change)];
  if (step.slow_path) absl::StrAppend(&text, "slow ");
  const auto record = [&] {
    const LeaderElectionRecord& r = step.record;
    return absl::StrCat(r.holder_identity.empty() ? "nobody" : r.holder_identity, " ",
                        r.lease_duration_seconds, "s #", r.leader_transitions,
                        r.acquire_time == r.renew_time ? "" : " kept");
  };
  switch (step.task) {
    case LeaderTask::kGet:
      return absl::StrCat(text, "get");
    case LeaderTask::kCreate:
      return absl::StrCat(text, "create ", record());
    case LeaderTask::kUpdate:
      return absl::StrCat(text, "update ", record());
    case LeaderTask::kWait:
      if (step.wait > kRetry && step.wait < kRetry * 2.2) return absl::StrCat(text, "wait jitter");
      return absl::StrCat(text, "wait ", absl::FormatDuration(step.wait));
    case LeaderTask::kAwaitWork:
      return absl::StrCat(text, "await");
    case LeaderTask::kEnd:
      break;
  }
  return absl::StrCat(text, "end");
}

using Act = std::function<LeaderInput(FakeClock&)>;
Act In(LeaderInput input) {
  return [input = std::move(input)](FakeClock&) { return input; };
}
// Advances the clock by `seconds` and then acts.
Act After(double seconds, const Act& act) {
  return [seconds, act](FakeClock& clock) {
    clock.Step(absl::Seconds(seconds));
    return act(clock);
  };
}

Act Start() { return In(Started()); }
// `version` makes records different that say the same otherwise.
Act Get(std::string holder, int version, int32_t transitions = 3, int32_t seconds = 15) {
  return In(Got{.record = {.holder_identity = std::move(holder),
                           .lease_duration_seconds = seconds,
                           .acquire_time = absl::UnixEpoch(),
                           .renew_time = absl::UnixEpoch() + absl::Microseconds(version),
                           .leader_transitions = transitions}});
}
Act Ok(std::string version = "7") { return In(Written{.resource_version = std::move(version)}); }
Act Fail(absl::Status error = absl::UnavailableError("lost")) {
  return In(Failed{.error = std::move(error)});
}
Act NotFound() { return Fail(errors::NotFound({.resource = "leases"}, "l")); }
Act Conflict() { return Fail(errors::Conflict({.resource = "leases"}, "l", "changed")); }
Act Wait() { return In(Waited()); }
Act Ended() { return In(WorkEnded()); }
Act Stop() { return In(Stopped()); }

struct Case {
  const char* name;
  bool release;
  std::vector<Act> inputs;
  // What each of them leads to.
  std::vector<std::string> steps;
};

std::vector<Case> Acquiring() {
  return {
      {"no lease: it is made",
       false,
       {Start(), NotFound(), Ok()},
       {"get", "create me 15s #0", "lead, wait 2s"}},
      {"somebody else makes it meanwhile",
       false,
       {Start(), NotFound(), Fail(errors::AlreadyExists({.resource = "leases"}, "l")),
        After(3, Wait())},
       {"get", "create me 15s #0", "wait jitter", "get"}},
      {"LE-3 the server cannot be reached",
       false,
       {Start(), Fail(), After(3, Wait())},
       {"get", "wait jitter", "get"}},
      {"LE-6 a lease that nobody holds is taken at once, and transitions count",
       false,
       {Start(), Get("", 1), Ok()},
       {"get", "update me 15s #4", "lead, wait 2s"}},
      {"LE-4 a lease of somebody else is waited for, whatever its times say",
       false,
       {Start(), Get("you", 1), After(14.9, Wait()), Get("you", 1), After(0.2, Wait()),
        Get("you", 1), Ok()},
       {"get", "wait jitter", "get", "wait jitter", "get", "update me 15s #4", "lead, wait 2s"}},
      {"LE-4 each change begins the wait anew, also one of a microsecond",
       false,
       {Start(), Get("you", 1), After(14, Wait()), Get("you", 2), After(14, Wait()), Get("you", 2),
        After(2, Wait()), Get("you", 2)},
       {"get", "wait jitter", "get", "wait jitter", "get", "wait jitter", "get",
        "update me 15s #4"}},
      {"the duration is the holder's, not one's own",
       false,
       {Start(), Get("you", 1, 3, 60), After(59, Wait()), Get("you", 1, 3, 60), After(2, Wait()),
        Get("you", 1, 3, 60)},
       {"get", "wait jitter", "get", "wait jitter", "get", "update me 15s #4"}},
      {"a lease that runs out while it is read is left until the next time",
       false,
       {Start(), Get("you", 1), After(14, Wait()), After(2, Get("you", 1)), After(2, Wait()),
        Get("you", 1)},
       {"get", "wait jitter", "get", "wait jitter", "get", "update me 15s #4"}},
      {"another candidate is quicker",
       false,
       {Start(), Get("", 1), Conflict(), After(3, Wait()), Get("you", 2)},
       {"get", "update me 15s #4", "wait jitter", "get", "wait jitter"}},
      {"LE-6 a lease of its own, as after a restart, keeps its times",
       false,
       {Start(), Get("me", 1), Ok()},
       {"get", "slow update me 15s #3 kept", "lead, wait 2s"}},
      {"a write whose answer is lost is found",
       false,
       {Start(), Get("", 1), Fail(), After(3, Wait()), Get("me", 2, 4), Ok()},
       {"get", "update me 15s #4", "wait jitter", "get", "slow update me 15s #4 kept",
        "lead, wait 2s"}},
      {"an answer that comes when the term would be over does not begin it",
       false,
       {Start(), Get("", 1), After(10, Ok()), After(3, Wait()), Get("me", 2, 4), Ok()},
       {"get", "update me 15s #4", "wait jitter", "get", "slow update me 15s #4 kept",
        "lead, wait 2s"}},
      {"stopped before the first request", false, {Start(), Stop()}, {"get", "end"}},
      {"stopped while it waits",
       true,
       {Start(), Get("you", 1), Stop()},
       {"get", "wait jitter", "end"}},
      {"stopped in a write that has come to nothing",
       true,
       {Start(), Get("", 1), Fail(absl::CancelledError("")), Stop(), Get("you", 2)},
       {"get", "update me 15s #4", "wait jitter", "get", "end"}},
      {"stopped in a write that has come to something: it is taken back",
       true,
       {Start(), Get("", 1), Fail(absl::CancelledError("")), Stop(), Get("me", 2, 4), Ok()},
       {"get", "update me 15s #4", "wait jitter", "get", "update nobody 1s #4", "end"}},
      {"the same without release",
       false,
       {Start(), Get("", 1), Fail(absl::CancelledError("")), Stop()},
       {"get", "update me 15s #4", "wait jitter", "end"}},
  };
}

// Before what the test does: a term that has begun at 0 s, and seven letters to say so.
std::vector<Case> Leading() {
  return {
      {"LE-3 LE-5 renewed each retry_period, without a read",
       false,
       {After(2, Wait()), Ok(), After(2, Wait()), Ok()},
       {"update me 15s #0 kept", "wait 2s", "update me 15s #0 kept", "wait 2s"}},
      {"LE-5 any error leads to a read",
       false,
       {After(2, Wait()), Fail(), Get("me", 1, 0), Ok()},
       {"update me 15s #0 kept", "get", "slow update me 15s #0 kept", "wait 2s"}},
      {"LE-5 a conflict, too",
       false,
       {After(2, Wait()), Conflict(), Get("me", 1, 0), Ok(), After(2, Wait())},
       {"update me 15s #0 kept", "get", "slow update me 15s #0 kept", "wait 2s",
        "update me 15s #0 kept"}},
      {"LE-3 tries stand retry_period apart, however long they take, until renew_deadline",
       false,
       {After(2, Wait()), Fail(), After(0.5, Fail()), After(1.5, Wait()), Fail(),
        After(2.5, Fail()), Wait(), Fail(), Fail(), After(2, Wait()), Fail(), After(1, Fail()),
        After(0.5, Wait())},
       {"update me 15s #0 kept", "get", "wait 1.5s", "update me 15s #0 kept", "get", "wait 0",
        "update me 15s #0 kept", "get", "wait 2s", "update me 15s #0 kept", "get", "wait 500ms",
        "stop, end"}},
      {"LE-3 the same when the answers are slow and all is well",
       false,
       {After(2, Wait()), After(1.5, Ok()), After(0.5, Wait()), After(5, Ok()), Wait()},
       {"update me 15s #0 kept", "wait 500ms", "update me 15s #0 kept", "wait 0",
        "update me 15s #0 kept"}},
      {"lost while a request is under way",
       false,
       {After(2, Wait()), After(8, Fail())},
       {"update me 15s #0 kept", "stop, end"}},
      {"an answer that comes when IsLeader has said no",
       false,
       {After(2, Wait()), After(8, Ok())},
       {"update me 15s #0 kept", "stop, end"}},
      {"a pause is noticed after it", false, {After(20, Wait())}, {"stop, end"}},
      {"somebody else has it: at once",
       false,
       {After(2, Wait()), Conflict(), Get("you", 1, 1)},
       {"update me 15s #0 kept", "get", "stop, end"}},
      {"somebody has taken it away: at once",
       true,
       {After(2, Wait()), Conflict(), Get("", 1, 1)},
       {"update me 15s #0 kept", "get", "stop, end"}},
      {"the lease is deleted: made again",
       false,
       {After(2, Wait()), Conflict(), NotFound(), Ok()},
       {"update me 15s #0 kept", "get", "create me 15s #0", "wait 2s"}},
      {"stopped", false, {Stop()}, {"stop, end"}},
      {"LE-8 stopped: given up when the work has ended",
       true,
       {Stop(), Ended(), Get("me", 1, 5), Ok()},
       {"stop, await", "get", "update nobody 1s #5", "end"}},
      {"the work does not end in time: not given up",
       true,
       {Stop(), Wait()},
       {"stop, await", "end"}},
      {"LE-8 somebody else has it already",
       true,
       {Stop(), Ended(), Get("you", 1)},
       {"stop, await", "get", "end"}},
      {"LE-8 a conflict is tried again",
       true,
       {Stop(), Ended(), Get("me", 1), Conflict(), Get("me", 2), Ok()},
       {"stop, await", "get", "update nobody 1s #3", "get", "update nobody 1s #3", "end"}},
      {"LE-8 but not after renew_deadline",
       true,
       {Stop(), Ended(), Get("me", 1), After(10, Conflict())},
       {"stop, await", "get", "update nobody 1s #3", "end"}},
      {"LE-8 another error ends it",
       true,
       {Stop(), Ended(), Fail()},
       {"stop, await", "get", "end"}},
      {"LE-8 a lease that is gone needs no release",
       true,
       {Stop(), Ended(), NotFound()},
       {"stop, await", "get", "end"}},
  };
}

class LeaderMachineTest : public testing::Test {
 protected:
  void Play(LeaderMachine& machine, const Case& test) {
    for (size_t i = 0; i < test.inputs.size(); ++i) {
      EXPECT_EQ(Text(machine.Step(test.inputs[i](clock_))), test.steps[i]) << "step " << i;
    }
    EXPECT_EQ(test.inputs.size(), test.steps.size());
  }

  base::MonotonicTime Now() { return clock_.Now(); }

  FakeClock clock_;
  base::RuntimeScope scope_{clock_};
};

// behaviour.md: LE-3, LE-4, LE-6
TEST_F(LeaderMachineTest, Step_WhileAcquiring_TakesTheStepsOfEachCase) {
  for (const Case& test : Acquiring()) {
    SCOPED_TRACE(test.name);
    LeaderMachine machine(Plan(test.release));
    Play(machine, test);
  }
}

// behaviour.md: LE-3, LE-5, LE-8
TEST_F(LeaderMachineTest, Step_WhileLeading_TakesTheStepsOfEachCase) {
  for (const Case& test : Leading()) {
    SCOPED_TRACE(test.name);
    LeaderMachine machine(Plan(test.release));
    Play(machine, {"begin",
                   false,
                   {Start(), NotFound(), Ok()},
                   {"get", "create me 15s #0", "lead, wait 2s"}});
    Play(machine, test);
  }
}

TEST_F(LeaderMachineTest, LeadsForRenewDeadlineSinceTheWriteWasBegun) {
  LeaderMachine machine(Plan());
  machine.Step(Started());
  EXPECT_FALSE(machine.IsLeader(Now()));
  machine.Step(NotFound()(clock_));
  EXPECT_FALSE(machine.token().has_value());
  machine.Step(After(4, Ok("41"))(clock_));
  EXPECT_TRUE(machine.IsLeader(Now()));
  EXPECT_TRUE(machine.IsLeader(Now() + absl::Seconds(5.999)));
  EXPECT_FALSE(machine.IsLeader(Now() + absl::Seconds(6)));

  const LeaderStep renewal = machine.Step(After(2, Wait())(clock_));
  EXPECT_EQ(renewal.deadline, Now() + absl::Seconds(4));
  machine.Step(After(3, Ok("57"))(clock_));
  EXPECT_TRUE(machine.IsLeader(Now() + absl::Seconds(6.999)));
  EXPECT_FALSE(machine.IsLeader(Now() + absl::Seconds(7)));
  EXPECT_EQ(machine.token(), (FencingToken{.transitions = 0, .resource_version = "41"}));

  machine.Step(Stop()(clock_));
  EXPECT_FALSE(machine.IsLeader(Now()));
}

// The driver ends the work when the machine tells it to, not when IsLeader says no.
TEST_F(LeaderMachineTest, NoWaitOfALeaderIsLongerThanItsTerm) {
  LeaderPlan plan = Plan();
  plan.retry_period = absl::Seconds(8);
  LeaderMachine machine(plan);
  machine.Step(Started());
  machine.Step(NotFound()(clock_));
  const LeaderStep led = machine.Step(After(4.9, Ok())(clock_));
  EXPECT_EQ(led.change, LeaderChange::kStarted);
  EXPECT_EQ(led.wait, absl::Seconds(3.1));
  machine.Step(After(3.1, Wait())(clock_));
  const LeaderStep renewed = machine.Step(After(1.9, Ok())(clock_));
  EXPECT_EQ(renewed.change, LeaderChange::kNone);
  EXPECT_EQ(renewed.wait, absl::Seconds(6.1));
  EXPECT_TRUE(machine.IsLeader(Now() + renewed.wait));
}

TEST_F(LeaderMachineTest, NobodyLeadsByALeaseThatIsOnlyReadAsItsOwn) {
  LeaderMachine machine(Plan());
  machine.Step(Started());
  machine.Step(Get("me", 1)(clock_));
  EXPECT_EQ(machine.observed().holder_identity, "me");
  EXPECT_FALSE(machine.IsLeader(Now()));  // client-go's IsLeader says yes
  machine.Step(Conflict()(clock_));
  EXPECT_FALSE(machine.IsLeader(Now()));
}

// behaviour.md: LE-9
TEST_F(LeaderMachineTest, IsStuckWhenTheLeaseHasRunOutWhileItLeads) {
  LeaderMachine machine(Plan());
  machine.Step(Started());
  machine.Step(Get("you", 1)(clock_));
  EXPECT_FALSE(machine.IsStuck(Now() + absl::Hours(1), absl::Seconds(5)));  // others' business
  machine.Step(After(16, Wait())(clock_));
  machine.Step(Get("you", 1)(clock_));
  machine.Step(Ok()(clock_));
  EXPECT_FALSE(machine.IsStuck(Now() + absl::Seconds(20), absl::Seconds(5)));
  EXPECT_TRUE(machine.IsStuck(Now() + absl::Seconds(20.001), absl::Seconds(5)));
  machine.Step(After(21, Wait())(clock_));  // it was, and has given up now
  EXPECT_FALSE(machine.IsStuck(Now(), absl::Seconds(5)));
}

// behaviour.md: LE-8
TEST_F(LeaderMachineTest, Step_Release_HasRenewDeadlineToEnd) {
  LeaderMachine machine(Plan(true));
  machine.Step(Started());
  machine.Step(NotFound()(clock_));
  machine.Step(Ok()(clock_));
  const LeaderStep await = machine.Step(After(1, Stop())(clock_));
  EXPECT_EQ(await.deadline, Now() + absl::Seconds(9));  // the end of the term
  const LeaderStep get = machine.Step(After(5, Ended())(clock_));
  EXPECT_TRUE(get.releases);
  EXPECT_EQ(get.deadline, Now() + absl::Seconds(10));
}

TEST_F(LeaderMachineTest, LeaseDuration_FractionOfASecond_IsRoundedUp) {
  const std::pair<absl::Duration, int32_t> cases[] = {{absl::Seconds(15), 15},
                                                      {absl::Milliseconds(1500), 2},
                                                      {absl::Milliseconds(100), 1},
                                                      {absl::Nanoseconds(1'000'000'001), 2}};
  for (const auto& [duration, seconds] : cases) {
    LeaderPlan plan = Plan();
    plan.lease_duration = duration;
    LeaderMachine machine(plan);
    machine.Step(Started());
    EXPECT_EQ(machine.Step(NotFound()(clock_)).record.lease_duration_seconds, seconds) << duration;
  }
}

// behaviour.md: LE-3
TEST_F(LeaderMachineTest, Wait_AfterAFailure_IsUniformInItsJitter) {  // uniform in [1, 2.2)
  LeaderMachine machine(Plan());
  machine.Step(Started());
  absl::Duration least = absl::InfiniteDuration();
  absl::Duration most;
  absl::Duration sum;
  for (int i = 0; i < 1000; ++i) {
    const absl::Duration wait = machine.Step(Fail()(clock_)).wait;
    least = std::min(least, wait);
    most = std::max(most, wait);
    sum += wait;
    machine.Step(Wait()(clock_));
  }
  EXPECT_GE(least, kRetry);
  EXPECT_LT(least, kRetry * 1.01);
  EXPECT_LT(most, kRetry * 2.2);
  EXPECT_GT(most, kRetry * 2.19);
  EXPECT_NEAR(absl::ToDoubleSeconds(sum) / 1000, 3.2, 0.1);
}

}  // namespace
}  // namespace kube::leaderelection::internal
