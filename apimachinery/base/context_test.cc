#include "apimachinery/base/context.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/timer.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

using ::kube::base::Event;
using ::kube::base::FakeClock;
using ::kube::base::MonotonicTime;
using ::kube::base::Runtime;
using ::kube::base::RuntimeScope;
using ::kube::base::Thread;
using ::kube::base::ThreadGroup;
using ::kube::base::Timer;
using ::testing::ElementsAre;

const absl::Status kCancelled = absl::CancelledError("context canceled");
const absl::Status kExceeded = absl::DeadlineExceededError("context deadline exceeded");

TEST(ContextTest, DefaultIsNeverDone) {
  const Context background;
  EXPECT_FALSE(background.done());
  EXPECT_EQ(background.status(), absl::OkStatus());
  EXPECT_EQ(background.cause(), absl::OkStatus());
  EXPECT_TRUE(background.deadline().is_infinite());
  EXPECT_EQ(background.TimeLeft(), absl::InfiniteDuration());
  EXPECT_FALSE(background.stop_token().stop_possible());
  bool ran = false;
  EXPECT_FALSE(background.OnDone([&] { ran = true; }).Withdraw());
  EXPECT_FALSE(ran);
}

TEST(ContextTest, CancelMakesItDoneForGood) {
  CancelScope scope = WithCancel(Context());
  const Context ctx = scope.context();
  EXPECT_FALSE(ctx.done());
  EXPECT_EQ(ctx.status(), absl::OkStatus());
  EXPECT_EQ(ctx.cause(), absl::OkStatus());
  scope.Cancel();
  EXPECT_TRUE(ctx.done());
  EXPECT_EQ(ctx.status(), kCancelled);
  EXPECT_EQ(ctx.cause(), kCancelled);
}

TEST(ContextTest, Cancel_WithACause_StatusContainsItsMessage) {
  const struct {
    const char* name;
    absl::Status given;
    absl::Status status;
    absl::Status cause;
  } cases[] = {
      {"none", absl::OkStatus(), kCancelled, kCancelled},
      {"with a message", absl::NotFoundError("lease gone"),
       absl::CancelledError("context canceled: lease gone"), absl::NotFoundError("lease gone")},
      {"without a message", absl::AbortedError(""), kCancelled, absl::AbortedError("")},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    CancelScope scope = WithCancel(Context());
    scope.Cancel(c.given);
    scope.Cancel(absl::InternalError("too late"));
    EXPECT_EQ(scope.context().status(), c.status);
    EXPECT_EQ(scope.context().cause(), c.cause);
  }
}

TEST(ContextTest, CancelReachesEverythingBelowAndNothingAbove) {
  CancelScope top = WithCancel(Context());
  CancelScope middle = WithCancel(top.context());
  CancelScope bottom = WithCancel(middle.context());
  CancelScope sibling = WithCancel(top.context());
  middle.Cancel(absl::UnavailableError("drained"));
  EXPECT_FALSE(top.context().done());
  EXPECT_FALSE(sibling.context().done());
  EXPECT_EQ(bottom.context().cause(), absl::UnavailableError("drained"));
  top.Cancel(absl::InternalError("late"));
  EXPECT_EQ(bottom.context().cause(), absl::UnavailableError("drained"));
  EXPECT_EQ(sibling.context().cause(), absl::InternalError("late"));
}

TEST(ContextTest, AChildOfADoneParentIsBornDone) {
  CancelScope parent = WithCancel(Context());
  parent.Cancel(absl::NotFoundError("gone"));
  EXPECT_EQ(WithCancel(parent.context()).context().cause(), absl::NotFoundError("gone"));
  EXPECT_EQ(WithTimeout(parent.context(), absl::Hours(1)).cause(), absl::NotFoundError("gone"));
}

TEST(ContextTest, TheScopesEndCancels) {
  std::optional<Context> ctx;
  {
    const CancelScope scope = WithCancel(Context());
    ctx = scope.context();
    EXPECT_FALSE(ctx->done());
  }
  EXPECT_EQ(ctx->status(), kCancelled);
}

TEST(ContextTest, AScopeEndsAThreadAndATimeoutAWait_AsInTheHeader) {
  FakeClock clock;
  const RuntimeScope runtime(clock);
  Event synced;
  absl::Status end_of_work;
  const auto work = [&](const Context& ctx) {
    synced.Set();
    end_of_work = base::WaitUntilDone(ctx);
  };
  const auto run = [&](const Context& parent) -> absl::Status {
    Thread worker;
    kube::CancelScope scope = kube::WithCancel(parent);
    KUBE_RETURN_IF_ERROR(worker.Start(scope.context(), "worker", work));
    KUBE_RETURN_IF_ERROR(synced.Wait(kube::WithTimeout(scope.context(), absl::Seconds(5))));
    scope.Cancel();
    worker.Join();
    return absl::OkStatus();
  };
  EXPECT_EQ(run(Context()), absl::OkStatus());
  EXPECT_EQ(end_of_work, kCancelled);
}

TEST(ContextTest, AMovedScopeStillOwnsItsContext) {
  CancelScope first = WithCancel(Context());
  const Context ctx = first.context();
  CancelScope second = std::move(first);
  first.Cancel();  // NOLINT(bugprone-use-after-move): moved from, no effect
  EXPECT_FALSE(ctx.done());
  CancelScope third = WithCancel(Context());
  const Context replaced = third.context();
  third = std::move(second);
  EXPECT_TRUE(replaced.done());
  EXPECT_FALSE(ctx.done());
  third.Cancel();
  EXPECT_TRUE(ctx.done());
}

TEST(ContextTest, CopiesShareOneState) {
  CancelScope scope = WithCancel(Context());
  Context copy = scope.context();
  Context assigned;
  assigned = copy;
  const Context moved = std::move(copy);
  scope.Cancel();
  EXPECT_TRUE(assigned.done());
  EXPECT_TRUE(moved.done());
}

TEST(ContextTest, WithTimeout_Nested_EndsAtTheEarlierDeadline) {
  const struct {
    const char* name;
    absl::Duration parent;
    absl::Duration child;
    absl::Duration want;
  } cases[] = {
      {"no parent's", absl::InfiniteDuration(), absl::Seconds(5), absl::Seconds(5)},
      {"earlier than the parent's", absl::Seconds(9), absl::Seconds(5), absl::Seconds(5)},
      {"later than the parent's", absl::Seconds(3), absl::Seconds(5), absl::Seconds(3)},
      {"zero", absl::InfiniteDuration(), absl::ZeroDuration(), absl::ZeroDuration()},
      {"negative", absl::InfiniteDuration(), -absl::Seconds(5), absl::ZeroDuration()},
      {"infinite", absl::Seconds(3), absl::InfiniteDuration(), absl::Seconds(3)},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    FakeClock clock;
    RuntimeScope runtime(clock);
    const Context ctx = WithTimeout(WithTimeout(Context(), c.parent), c.child);
    EXPECT_EQ(ctx.TimeLeft(), c.want);
    if (c.want > absl::ZeroDuration()) {
      clock.Step(c.want - absl::Nanoseconds(1));
      EXPECT_FALSE(ctx.done());
      EXPECT_EQ(ctx.TimeLeft(), absl::Nanoseconds(1));
      clock.Step(absl::Nanoseconds(1));
    }
    EXPECT_TRUE(ctx.done());
    EXPECT_EQ(ctx.TimeLeft(), absl::ZeroDuration());
    EXPECT_EQ(ctx.status(), kExceeded);
    EXPECT_EQ(ctx.cause(), kExceeded);
  }
}

TEST(ContextTest, ADeadlineOfTheDayIsTranslatedOnce) {
  FakeClock clock;
  RuntimeScope runtime(clock);
  clock.Step(absl::Hours(1));
  const Context ctx = WithDeadline(Context(), clock.WallNow() + absl::Minutes(5));
  EXPECT_EQ(ctx.deadline(), MonotonicTime(absl::Hours(1) + absl::Minutes(5)));
  clock.SetWallTime(clock.WallNow() + absl::Hours(24));
  EXPECT_FALSE(ctx.done());
  EXPECT_TRUE(WithDeadline(Context(), absl::InfiniteFuture()).deadline().is_infinite());
  EXPECT_TRUE(WithDeadline(Context(), absl::InfinitePast()).done());
}

TEST(ContextTest, WhatEndsItFirstDecides) {
  FakeClock clock;
  RuntimeScope runtime(clock);
  CancelScope early = WithCancel(WithTimeout(Context(), absl::Seconds(5)));
  early.Cancel(absl::AbortedError("enough"));
  CancelScope late = WithCancel(WithTimeout(Context(), absl::Seconds(5)));
  clock.Step(absl::Seconds(5));
  late.Cancel(absl::AbortedError("enough"));
  EXPECT_EQ(early.context().cause(), absl::AbortedError("enough"));
  EXPECT_EQ(late.context().cause(), kExceeded);
}

TEST(ContextTest, WithoutCancel_ParentIsDone_IsNeverDone) {
  FakeClock clock;
  RuntimeScope runtime(clock);
  CancelScope scope = WithCancel(WithTimeout(Context(), absl::Seconds(5)));
  const Context detached = WithoutCancel(scope.context());
  scope.Cancel();
  EXPECT_FALSE(detached.done());
  EXPECT_TRUE(detached.deadline().is_infinite());
  EXPECT_FALSE(WithoutCancel(scope.context()).done());
}

TEST(ContextTest, NoTimerForADeadlineThatNobodyHasACallbackOn) {
  FakeClock clock;
  RuntimeScope runtime(clock);
  const Context ctx = WithTimeout(Context(), absl::Seconds(5));
  EXPECT_EQ(clock.Pending(), 0u);
  const DoneCallback one = ctx.OnDone([] {});
  const DoneCallback two = ctx.OnDone([] {});
  EXPECT_EQ(clock.Pending(), 1u);
}

TEST(ContextTest, AFinishedContextLeavesNoTimer) {
  FakeClock clock;
  RuntimeScope runtime(clock);
  std::optional<CancelScope> scope = WithCancel(WithTimeout(Context(), absl::Seconds(5)));
  std::optional<DoneCallback> callback = scope->context().OnDone([] {});
  ASSERT_EQ(clock.Pending(), 1u);
  scope->Cancel();
  EXPECT_EQ(clock.Pending(), 0u);
  const DoneCallback late = scope->context().OnDone([] {});
  EXPECT_EQ(clock.Pending(), 0u);

  scope = WithCancel(WithTimeout(Context(), absl::Seconds(5)));
  const std::stop_token token = scope->context().stop_token();
  ASSERT_EQ(clock.Pending(), 1u);
  scope.reset();
  EXPECT_EQ(clock.Pending(), 0u);
}

TEST(ContextDeathTest, ADeadlineBelongsToItsRuntime) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  FakeClock clock;
  std::optional<RuntimeScope> runtime(clock);
  const Context ctx = WithTimeout(Context(), absl::Seconds(5));
  const CancelScope without = WithCancel(Context());
  runtime.reset();
  EXPECT_DEATH(WithCancel(ctx).Cancel(), "under a different runtime");
  EXPECT_DEATH(Event().Wait(ctx).IgnoreError(), "under a different runtime");
  EXPECT_FALSE(WithTimeout(without.context(), absl::Hours(1)).done());
}

// A chain of 100,000 contexts: anything that recurses overflows the stack.
std::vector<CancelScope> DeepChain() {
  std::vector<CancelScope> chain;
  chain.push_back(WithCancel(Context()));
  for (int i = 1; i < 100'000; ++i) chain.push_back(WithCancel(chain.back().context()));
  return chain;
}

TEST(ContextTest, DeepChainIsCancelledFromTheTop) {
  std::vector<CancelScope> chain = DeepChain();
  const Context leaf = chain.back().context();
  chain.front().Cancel(absl::AbortedError("all"));
  EXPECT_EQ(leaf.cause(), absl::AbortedError("all"));
}

TEST(ContextTest, Destroy_DeepChainHeldByItsLeaf_DoesNotOverflowTheStack) {
  for (const bool cancelled : {false, true}) {
    SCOPED_TRACE(cancelled ? "cancelled" : "not cancelled");
    CancelScope top = WithCancel(Context());
    std::optional<Context> leaf = top.context();
    for (int i = 0; i < 100'000; ++i) leaf = WithTimeout(*leaf, absl::Hours(1));
    if (cancelled) top.Cancel();
    EXPECT_EQ(leaf->done(), cancelled);
    leaf.reset();
    EXPECT_EQ(top.context().done(), cancelled);
  }
}

TEST(ContextTest, Cancel_DeepChainReleasedInACallback_DoesNotOverflowTheStack) {
  // The last handle goes in a callback, while the cancelling thread still has the whole chain.
  CancelScope top = WithCancel(Context());
  std::optional<Context> leaf = top.context();
  for (int i = 0; i < 100'000; ++i) leaf = WithTimeout(*leaf, absl::Hours(1));
  const DoneCallback callback = top.context().OnDone([&] { leaf.reset(); });
  top.Cancel();
  EXPECT_FALSE(leaf.has_value());
}

TEST(OnDoneTest, RunsOnceOnTheThreadThatCancels) {
  CancelScope scope = WithCancel(Context());
  int runs = 0;
  DoneCallback callback = scope.context().OnDone([&] { ++runs; });
  EXPECT_EQ(runs, 0);
  scope.Cancel();
  EXPECT_EQ(runs, 1);
  scope.Cancel();
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(callback.Withdraw());
}

TEST(OnDoneTest, RunsAtOnceWhenDone) {
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  bool ran = false;
  DoneCallback callback = scope.context().OnDone([&] { ran = true; });
  EXPECT_TRUE(ran);
  EXPECT_FALSE(callback.Withdraw());
}

TEST(OnDoneTest, WithdrawnNeverRuns) {
  CancelScope scope = WithCancel(Context());
  int runs = 0;
  DoneCallback asked = scope.context().OnDone([&] { ++runs; });
  {
    const DoneCallback dropped = scope.context().OnDone([&] { ++runs; });
  }
  EXPECT_TRUE(asked.Withdraw());
  EXPECT_FALSE(asked.Withdraw());
  scope.Cancel();
  EXPECT_EQ(runs, 0);
}

TEST(OnDoneTest, WithdrawReleasesWhatTheCallbackHolds) {
  CancelScope scope = WithCancel(Context());
  auto held = std::make_shared<int>(1);
  DoneCallback callback = scope.context().OnDone([held] {});
  EXPECT_EQ(held.use_count(), 2);
  EXPECT_TRUE(callback.Withdraw());
  EXPECT_EQ(held.use_count(), 1);
}

TEST(OnDoneTest, RunningReleasesWhatTheCallbackHolds) {
  CancelScope scope = WithCancel(Context());
  auto held = std::make_shared<int>(1);
  const DoneCallback callback = scope.context().OnDone([held] {});
  scope.Cancel();
  EXPECT_EQ(held.use_count(), 1);
}

TEST(OnDoneTest, Assign_MovedCallback_WithdrawsThePreviousOne) {
  CancelScope scope = WithCancel(Context());
  std::string ran;
  DoneCallback first = scope.context().OnDone([&] { ran += 'a'; });
  DoneCallback moved = std::move(first);
  EXPECT_FALSE(first.Withdraw());  // NOLINT(bugprone-use-after-move)
  DoneCallback assigned = scope.context().OnDone([&] { ran += 'b'; });
  assigned = std::move(moved);  // withdraws b
  scope.Cancel();
  EXPECT_EQ(ran, "a");
}

TEST(OnDoneTest, SeesTheWholeTreeDone) {
  CancelScope top = WithCancel(Context());
  CancelScope left = WithCancel(top.context());
  CancelScope right = WithCancel(top.context());
  int all_done = 0;
  const auto look = [&] {
    all_done += top.context().done() && left.context().done() && right.context().done();
  };
  const DoneCallback a = top.context().OnDone(look);
  const DoneCallback b = left.context().OnDone(look);
  const DoneCallback c = right.context().OnDone(look);
  top.Cancel();
  EXPECT_EQ(all_done, 3);
}

TEST(OnDoneTest, MayWithdrawItself) {
  CancelScope scope = WithCancel(Context());
  std::optional<DoneCallback> callback;
  std::optional<bool> withdrawn;
  callback = scope.context().OnDone([&] {
    withdrawn = callback->Withdraw();
    callback.reset();
  });
  scope.Cancel();
  EXPECT_EQ(withdrawn, false);
}

TEST(OnDoneTest, MayWithdrawAnother) {
  CancelScope scope = WithCancel(Context());
  std::string ran;
  std::optional<DoneCallback> a;
  std::optional<DoneCallback> b;
  a = scope.context().OnDone([&] {
    ran += 'a';
    b.reset();
  });
  b = scope.context().OnDone([&] {
    ran += 'b';
    a.reset();
  });
  scope.Cancel();
  EXPECT_EQ(ran.size(), 1u) << ran;
}

TEST(OnDoneTest, MayRegisterMoreAndCancelOthers) {
  CancelScope scope = WithCancel(Context());
  CancelScope other = WithCancel(Context());
  std::vector<DoneCallback> more;
  std::string ran;
  const DoneCallback last = other.context().OnDone([&] { ran += 'c'; });
  const DoneCallback first = scope.context().OnDone([&] {
    ran += 'a';
    more.push_back(scope.context().OnDone([&] { ran += 'b'; }));
    other.Cancel();
  });
  scope.Cancel();
  EXPECT_EQ(ran, "abc");
}

TEST(OnDoneTest, WithdrawWaitsForARunOnAnotherThread) {
  CancelScope scope = WithCancel(Context());
  Event running;
  Event go_on;
  std::atomic<bool> ended = false;
  DoneCallback callback = scope.context().OnDone([&] {
    running.Set();
    ASSERT_TRUE(go_on.Wait(Context()).ok());
    ended = true;
  });
  Thread canceller;
  ASSERT_TRUE(
      canceller.Start(Context(), "canceller", [&](const Context&) { scope.Cancel(); }).ok());
  ASSERT_TRUE(running.Wait(Context()).ok());
  Thread releaser;
  ASSERT_TRUE(releaser.Start(Context(), "releaser", [&](const Context&) { go_on.Set(); }).ok());
  EXPECT_FALSE(callback.Withdraw());
  EXPECT_TRUE(ended);
}

TEST(OnDoneTest, OnDone_TemporaryContext_IsKeptAlive) {
  FakeClock clock;
  RuntimeScope runtime(clock);
  bool ran = false;
  const DoneCallback callback =
      WithTimeout(Context(), absl::Seconds(5)).OnDone([&] { ran = true; });
  clock.Step(absl::Seconds(5));
  EXPECT_TRUE(ran);
}

TEST(OnDoneTest, RunsAtTheDeadline) {
  FakeClock clock;
  RuntimeScope runtime(clock);
  const Context parent = WithTimeout(Context(), absl::Seconds(5));
  const CancelScope child = WithCancel(parent);
  std::vector<std::pair<char, absl::Duration>> ran;
  const auto note = [&](char name) {
    return [&ran, &clock, name] { ran.emplace_back(name, clock.Now().since_epoch()); };
  };
  const DoneCallback a = parent.OnDone(note('a'));
  const DoneCallback b = child.context().OnDone(note('b'));
  const DoneCallback c = WithTimeout(parent, absl::Seconds(2)).OnDone(note('c'));
  clock.Step(absl::Seconds(60));
  EXPECT_THAT(ran, ElementsAre(std::pair('c', absl::Seconds(2)), std::pair('a', absl::Seconds(5)),
                               std::pair('b', absl::Seconds(5))));
}

TEST(OnDoneTest, DoesNotRunInsideAnothersLookAtADeadline) {
  // The thread that calls done() may hold a lock that the callback takes.
  FakeClock clock;
  RuntimeScope runtime(clock);
  const CancelScope child = WithCancel(WithTimeout(Context(), absl::Seconds(5)));
  const Context& ctx = child.context();
  bool looking = false;
  std::vector<bool> ran_while_looking;
  std::optional<DoneCallback> callback;
  std::optional<std::stop_callback<std::function<void()>>> stop;
  Timer looker;
  looker.Start(absl::Seconds(5), [&] {
    looking = true;
    EXPECT_TRUE(ctx.done());
    EXPECT_EQ(ctx.status(), kExceeded);
    looking = false;
  });
  callback = ctx.OnDone([&] { ran_while_looking.push_back(looking); });
  stop.emplace(ctx.stop_token(), [&] { ran_while_looking.push_back(looking); });
  clock.Step(absl::Seconds(5));
  EXPECT_THAT(ran_while_looking, ElementsAre(false, false));
}

TEST(StopTokenTest, IsRequestedByCancel) {
  CancelScope scope = WithCancel(Context());
  const std::stop_token token = scope.context().stop_token();
  EXPECT_TRUE(token.stop_possible());
  EXPECT_FALSE(token.stop_requested());
  int runs = 0;
  const std::stop_callback callback(token, [&] { ++runs; });
  scope.Cancel();
  EXPECT_TRUE(token.stop_requested());
  EXPECT_EQ(runs, 1);
}

TEST(StopTokenTest, IsRequestedAtTheDeadline) {
  FakeClock clock;
  RuntimeScope runtime(clock);
  const Context ctx = WithTimeout(Context(), absl::Seconds(5));
  const std::stop_token token = ctx.stop_token();
  clock.Step(absl::Seconds(5));
  EXPECT_TRUE(token.stop_requested());
}

TEST(StopTokenTest, StopToken_DoneContext_IsRequested) {
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_TRUE(scope.context().stop_token().stop_requested());
}

TEST(StopTokenScopeTest, AStopCancels) {
  std::stop_source source;
  const StopTokenScope scope((Context()), source.get_token());
  EXPECT_FALSE(scope.context().done());
  source.request_stop();
  EXPECT_EQ(scope.context().status(), kCancelled);
}

TEST(StopTokenScopeTest, ARequestedTokenCancelsAtOnce) {
  std::stop_source source;
  source.request_stop();
  EXPECT_TRUE(StopTokenScope(Context(), source.get_token()).context().done());
}

TEST(StopTokenScopeTest, Cancel_OfTheParent_CancelsTheScope) {
  CancelScope parent = WithCancel(Context());
  const StopTokenScope scope(parent.context(), std::stop_token());
  parent.Cancel(absl::AbortedError("enough"));
  EXPECT_EQ(scope.context().cause(), absl::AbortedError("enough"));
}

// For ThreadSanitizer: threads extend one tree, cancel parts of it, wait on it and register
// callbacks.
TEST(ContextStressTest, CreateCancelDestroyAndLook) {
  CancelScope top = WithCancel(Context());
  std::atomic<int> callbacks = 0;
  ThreadGroup group{Context()};
  constexpr int kThreads = 4;
  constexpr int kRounds = 100;
  Event never;
  for (int t = 0; t < kThreads; ++t) {
    group.Go("worker", [&](const Context&) {
      for (int round = 0; round < kRounds; ++round) {
        CancelScope scope = WithCancel(top.context());
        const Context below = WithTimeout(scope.context(), absl::Hours(1));
        DoneCallback callback = below.OnDone([&] { ++callbacks; });
        Thread waiter;
        if (absl::Status s = waiter.Start(below, "waiter",
                                          [&](const Context& ctx) {
                                            EXPECT_FALSE(never.Wait(ctx).ok());
                                            EXPECT_TRUE(below.done());
                                          });
            !s.ok()) {
          return s;
        }
        const std::stop_token token = below.stop_token();
        scope.Cancel();
        waiter.Join();
        EXPECT_TRUE(token.stop_requested());
      }
      return absl::OkStatus();
    });
  }
  EXPECT_TRUE(group.Wait().ok());
  EXPECT_EQ(callbacks, kThreads * kRounds);
  EXPECT_FALSE(top.context().done());
}

TEST(ContextStressTest, TheTopIsCancelledWhileTheTreeMoves) {
  for (int round = 0; round < 20; ++round) {
    CancelScope top = WithCancel(Context());
    ThreadGroup group{Context()};
    for (int t = 0; t < 4; ++t) {
      group.Go("worker", [&](const Context&) {
        Context leaf = top.context();
        for (int depth = 0; !leaf.done(); ++depth) {
          leaf = WithTimeout(depth % 16 == 0 ? top.context() : leaf, absl::Hours(1));
          DoneCallback withdrawn = leaf.OnDone([] {});
        }
        return leaf.status();
      });
    }
    top.Cancel();
    EXPECT_EQ(group.Wait(), kCancelled);
  }
}

TEST(ContextStressTest, AWithdrawnCallbackHasEnded) {
  for (int round = 0; round < 200; ++round) {
    CancelScope scope = WithCancel(Context());
    int touched = 0;  // not atomic: ThreadSanitizer sees a run that Withdraw did not wait for
    DoneCallback callback = scope.context().OnDone([&] { ++touched; });
    Thread canceller;
    ASSERT_TRUE(
        canceller.Start(Context(), "canceller", [&](const Context&) { scope.Cancel(); }).ok());
    const bool kept_from_running = callback.Withdraw();
    EXPECT_EQ(touched, kept_from_running ? 0 : 1);
    canceller.Join();
    EXPECT_EQ(touched, kept_from_running ? 0 : 1);
  }
}

}  // namespace
}  // namespace kube
