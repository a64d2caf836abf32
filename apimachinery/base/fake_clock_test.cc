#include "apimachinery/base/fake_clock.h"

#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/timer.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

TEST(FakeClockTest, BlockUntilSeesATimerThatIsNotTheFirst) {
  // Several rounds, for the watcher may be slow to come from its event to its wait. A wait that
  // nobody ends lasts longer than the test may.
  for (int round = 0; round < 20; ++round) {
    FakeClock clock;
    RuntimeScope scope(clock);
    Timer first;
    first.Start(absl::Seconds(1), [] {});
    Event watching;
    Thread watcher;
    ASSERT_THAT(watcher.Start(Context(), "watcher",
                              [&](const Context&) {
                                watching.Set();
                                EXPECT_THAT(clock.BlockUntil(2, absl::Hours(1)), IsOk());
                              }),
                IsOk());
    ASSERT_THAT(watching.Wait(Context()), IsOk());
    Timer second;
    second.Start(absl::Seconds(2), [] {});
    watcher.Join();
  }
}

TEST(FakeClockTest, TimeNeverGoesBack) {
  FakeClock clock;
  RuntimeScope scope(clock);
  Timer timer;
  timer.Start(absl::Seconds(1), [&] { clock.Step(absl::Seconds(10)); });
  clock.Step(absl::Seconds(2));
  EXPECT_EQ(clock.Now().since_epoch(), absl::Seconds(11));
}

}  // namespace
}  // namespace kube::base
