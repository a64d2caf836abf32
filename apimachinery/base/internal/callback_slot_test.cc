#include "apimachinery/base/internal/callback_slot.h"

#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "gtest/gtest.h"

namespace kube::base::internal {
namespace {

TEST(CallbackSlotTest, RunsAtMostOnce) {
  int runs = 0;
  CallbackSlot slot([&] { ++runs; });
  slot.Run();
  slot.Run();
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(slot.Withdraw());
}

TEST(CallbackSlotTest, WithdrawnNeverRuns) {
  int runs = 0;
  CallbackSlot slot([&] { ++runs; });
  EXPECT_TRUE(slot.Withdraw());
  EXPECT_FALSE(slot.Withdraw());
  slot.Run();
  EXPECT_EQ(runs, 0);
}

TEST(CallbackSlotTest, ReleasesWhatItHolds) {
  auto held = std::make_shared<int>();
  CallbackSlot run([held] {});
  CallbackSlot withdrawn([held] {});
  EXPECT_EQ(held.use_count(), 3);
  run.Run();
  EXPECT_EQ(held.use_count(), 2);
  withdrawn.Withdraw();
  EXPECT_EQ(held.use_count(), 1);
}

TEST(CallbackSlotTest, WithdrawsItself) {
  std::optional<bool> withdrawn;
  std::optional<CallbackSlot> slot;
  slot.emplace([&] { withdrawn = slot->Withdraw(); });
  slot->Run();
  EXPECT_EQ(withdrawn, false);
}

TEST(CallbackSlotTest, EveryWithdrawWaitsForTheRun) {
  Event running;
  Event go_on;
  bool ended = false;
  CallbackSlot slot([&] {
    running.Set();
    EXPECT_THAT(go_on.Wait(Context()), IsOk());
    ended = true;
  });
  Thread runner;
  ASSERT_THAT(runner.Start(Context(), "runner", [&](const Context&) { slot.Run(); }), IsOk());
  ASSERT_THAT(running.Wait(Context()), IsOk());
  ThreadGroup withdrawers{Context()};
  for (int i = 0; i < 3; ++i) {
    withdrawers.Go("withdrawer", [&](const Context&) {
      EXPECT_FALSE(slot.Withdraw());
      EXPECT_TRUE(ended);  // not atomic: ThreadSanitizer watches
      return absl::OkStatus();
    });
  }
  go_on.Set();
  EXPECT_THAT(withdrawers.Wait(), IsOk());
}

}  // namespace
}  // namespace kube::base::internal
