#include "clientset/rest/internal/throttle.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/rate_limiter.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

using base::IsOk;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Sends `count` requests with a limit of one per `interval`, at a verbosity.
void Send(int count, absl::Duration interval, int verbosity) {
  log::SetVerbosity(verbosity);
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([count, interval] {
    Throttle throttle(MakeTokenBucketRateLimiter(1 / absl::ToDoubleSeconds(interval), 1));
    for (int i = 0; i < count; ++i) {
      EXPECT_THAT(throttle.Wait(Context(), "GET", "http://h/x", ""), IsOk());
    }
  }),
              IsOk());
  log::SetVerbosity(0);
}

// behaviour.md: REST-10
TEST(ThrottleTest, SaysThatItWaited) {
  const log::LogCapture capture;
  Send(3, absl::Milliseconds(100), 3);
  EXPECT_THAT(capture.Lines(),
              ElementsAre("I \"waited before sending request\" delay=\"100ms\" "
                          "reason=\"client-side throttling, not priority and fairness\" "
                          "verb=\"GET\" URL=\"http://h/x\"",
                          HasSubstr("delay=\"100ms\"")));
}

// behaviour.md: REST-10
TEST(ThrottleTest, ShortWaitsAreNotWorthALine) {
  const log::LogCapture capture;
  Send(3, absl::Milliseconds(50), 3);
  Send(3, absl::Milliseconds(900), 2);
  EXPECT_THAT(capture.Lines(), IsEmpty());
}

// behaviour.md: REST-10
TEST(ThrottleTest, LongWaitsAreSeenByAllNowAndThen) {
  const log::LogCapture capture;
  Send(11, absl::Seconds(2), 0);  // waits end at 2 s, 4 s ... 20 s; lines at 2 s and 12 s
  EXPECT_THAT(capture.Lines(), SizeIs(2));
}

// behaviour.md: REST-2
TEST(ThrottleTest, WithoutALimiterNobodyWaits) {
  Throttle throttle(nullptr);
  EXPECT_FALSE(throttle.limits());
  EXPECT_THAT(throttle.Wait(Context(), "GET", "", ""), IsOk());
}

}  // namespace
}  // namespace kube::rest::internal
