// Planted: a loop polls without pause for what only time brings.
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

TEST(LivelockTest, WaitsForTheDeadline) {
  SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    const Context ctx = WithTimeout(Context(), absl::Seconds(1));
#ifdef PLANTED
    const absl::Duration pause = absl::ZeroDuration();
#else
    const absl::Duration pause = absl::Milliseconds(1);
#endif
    while (SleepFor(ctx, pause).ok()) {
    }
  }),
              IsOk());
}

}  // namespace
}  // namespace kube::base
