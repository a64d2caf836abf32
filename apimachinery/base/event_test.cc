#include "apimachinery/base/event.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

TEST(EventTest, Set_Twice_StaysSet) {
  Event event;
  EXPECT_FALSE(event.IsSet());
  event.Set();
  event.Set();
  EXPECT_TRUE(event.IsSet());
  EXPECT_THAT(event.Wait(Context()), IsOk());
  EXPECT_THAT(event.Wait(Context()), IsOk());
}

TEST(EventTest, Wait_DoneContext_FailsUnlessSet) {
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  Event event;
  EXPECT_THAT(event.Wait(scope.context()), StatusIs(absl::StatusCode::kCancelled));
  event.Set();
  EXPECT_THAT(event.Wait(scope.context()), IsOk());
}

TEST(EventTest, WakesAllWhoWait) {
  Event event;
  int before = 0;  // not atomic: Set makes it visible
  ThreadGroup group{Context()};
  for (int i = 0; i < 4; ++i) {
    group.Go("waiter", [&](const Context& ctx) {
      absl::Status status = event.Wait(ctx);
      EXPECT_EQ(before, 1);
      return status;
    });
  }
  before = 1;
  event.Set();
  EXPECT_THAT(group.Wait(), IsOk());
}

TEST(EventTest, Wait_DeadlinePasses_FailsWithDeadlineExceeded) {
  FakeClock clock;
  const RuntimeScope runtime(clock);
  const Event event;
  absl::Status result;
  Thread waiter;
  ASSERT_THAT(waiter.Start(WithTimeout(Context(), absl::Hours(1)), "waiter",
                           [&](const Context& ctx) { result = event.Wait(ctx); }),
              IsOk());
  ASSERT_THAT(clock.BlockUntil(1), IsOk());
  clock.Step(absl::Hours(1));
  waiter.Join();
  EXPECT_THAT(result, StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST(EventTest, TheWaiterMayDestroyIt) {
  // For AddressSanitizer and ThreadSanitizer: Set may still be on its way out.
  for (int round = 0; round < 200; ++round) {
    auto event = std::make_unique<Event>();
    Thread setter;
    ASSERT_THAT(setter.Start(Context(), "setter", [e = event.get()](const Context&) { e->Set(); }),
                IsOk());
    ASSERT_THAT(event->Wait(Context()), IsOk());
    event = nullptr;
  }
}

}  // namespace
}  // namespace kube::base
