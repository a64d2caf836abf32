#include "apimachinery/base/thread.h"

#include <pthread.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

TEST(ThreadTest, RunsItsBodyAndIsJoined) {
  Thread thread;
  EXPECT_FALSE(thread.joinable());
  thread.Join();  // nothing to join
  int ran = 0;
  ASSERT_THAT(thread.Start(Context(), "body",
                           [&](const Context& ctx) {
                             EXPECT_FALSE(ctx.done());
                             ++ran;
                           }),
              IsOk());
  EXPECT_TRUE(thread.joinable());
  thread.Join();
  EXPECT_FALSE(thread.joinable());
  EXPECT_EQ(ran, 1);
  ASSERT_THAT(thread.Start(Context(), "again", [&](const Context&) { ++ran; }), IsOk());
  thread.Join();
  EXPECT_EQ(ran, 2);
}

TEST(ThreadTest, RequestStopEndsTheBodysContextAlone) {
  const CancelScope parent = WithCancel(Context());
  const Event never;
  absl::Status cause;
  Thread thread;
  thread.RequestStop();  // nothing to stop
  ASSERT_THAT(thread.Start(parent.context(), "body",
                           [&](const Context& ctx) {
                             EXPECT_THAT(never.Wait(ctx), StatusIs(absl::StatusCode::kCancelled));
                             cause = ctx.cause();
                           }),
              IsOk());
  thread.RequestStop(absl::AbortedError("enough"));
  thread.Join();
  EXPECT_EQ(cause, absl::AbortedError("enough"));
  EXPECT_FALSE(parent.context().done());
}

TEST(ThreadTest, TheParentsEndReachesTheBody) {
  CancelScope parent = WithCancel(Context());
  const Event never;
  Thread thread;
  ASSERT_THAT(thread.Start(parent.context(), "body",
                           [&](const Context& ctx) {
                             EXPECT_THAT(never.Wait(ctx), StatusIs(absl::StatusCode::kCancelled));
                           }),
              IsOk());
  parent.Cancel();
  thread.Join();
}

TEST(ThreadTest, TheDestructorCancelsAndJoins) {
  const Event never;
  bool ended = false;
  {
    Thread thread;
    ASSERT_THAT(thread.Start(Context(), "body",
                             [&](const Context& ctx) {
                               never.Wait(ctx).IgnoreError();
                               ended = true;
                             }),
                IsOk());
  }
  EXPECT_TRUE(ended);
}

class Reflector {
 public:
  absl::Status Start(const Context& parent) {
    return thread_.Start(parent, "reflector", [this](const Context& ctx) { Run(ctx); });
  }
  void WaitUntilItRuns() { EXPECT_THAT(running_.Wait(Context()), IsOk()); }

 private:
  void Run(const Context& ctx) {
    running_.Set();
    const Event never;
    EXPECT_THAT(never.Wait(ctx), StatusIs(absl::StatusCode::kCancelled));
  }

  Event running_;
  Thread thread_;  // the last member
};

TEST(ThreadTest, EndsBeforeTheOtherMembersOfItsOwner_AsInTheHeader) {
  Reflector reflector;
  ASSERT_THAT(reflector.Start(Context()), IsOk());
  reflector.WaitUntilItRuns();
}

TEST(ThreadTest, WhatTheBodyHoldsGoesBeforeJoinReturns) {
  auto held = std::make_shared<int>();
  Thread thread;
  ASSERT_THAT(thread.Start(Context(), "body", [held](const Context&) {}), IsOk());
  thread.Join();
  EXPECT_EQ(held.use_count(), 1);
}

TEST(ThreadTest, HasANameOfUpTo15Characters) {
  std::string name;
  Thread thread;
  ASSERT_THAT(thread.Start(Context(), "reflector pods in prod",
                           [&](const Context&) {
                             char buffer[16] = {};
                             pthread_getname_np(pthread_self(), buffer, sizeof(buffer));
                             name = buffer;
                           }),
              IsOk());
  thread.Join();
  EXPECT_EQ(name, "reflector pods ");
}

TEST(ThreadTest, InheritsItsStartersRuntime) {
  FakeClock clock;
  const RuntimeScope scope(clock);
  Runtime* child = nullptr;
  Runtime* grandchild = nullptr;
  Thread thread;
  ASSERT_THAT(thread.Start(Context(), "child",
                           [&](const Context& ctx) {
                             child = &Runtime::Current();
                             Thread below;
                             ASSERT_THAT(below.Start(ctx, "grandchild",
                                                     [&](const Context&) {
                                                       grandchild = &Runtime::Current();
                                                     }),
                                         IsOk());
                           }),
              IsOk());
  thread.Join();
  EXPECT_EQ(child, &clock);
  EXPECT_EQ(grandchild, &clock);
}

TEST(ThreadDeathTest, OneBodyAtATime) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        Thread thread;
        thread.Start(Context(), "first", [](const Context&) {}).IgnoreError();
        thread.Start(Context(), "second", [](const Context&) {}).IgnoreError();
      },
      "start thread \"second\": the previous thread is not joined");
}

}  // namespace
}  // namespace kube::base
