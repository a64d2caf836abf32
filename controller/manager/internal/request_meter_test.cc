#include "controller/manager/internal/request_meter.h"

#include <functional>

#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;

void Simulate(const std::function<void()>& test) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&test] { test(); }), IsOk());
}

void Pass(absl::Duration time) { EXPECT_THAT(base::SleepFor(Context(), time), IsOk()); }

TEST(RequestMeterTest, PerSecond_Young_IsTheRateSinceTheBeginning) {
  Simulate([] {
    RequestMeter meter;
    EXPECT_EQ(meter.PerSecond(), 0);
    for (int i = 0; i < 3; ++i) meter.Count();
    EXPECT_EQ(meter.PerSecond(), 3) << "a time of less than a second counts as one";
    Pass(absl::Seconds(6));
    EXPECT_EQ(meter.PerSecond(), 0.5);
  });
}

TEST(RequestMeterTest, PerSecond_Old_IsTheRateOfTheLastMinute) {
  Simulate([] {
    RequestMeter meter;
    for (int i = 0; i < 1000; ++i) meter.Count();
    Pass(absl::Seconds(50));
    for (int i = 0; i < 120; ++i) meter.Count();
    Pass(absl::Seconds(20));  // the first ones are older than a minute
    EXPECT_EQ(meter.PerSecond(), 2);
    for (int i = 0; i < 60; ++i) meter.Count();  // in the slot of an older second
    EXPECT_EQ(meter.PerSecond(), 3);
    Pass(absl::Minutes(5));
    EXPECT_EQ(meter.PerSecond(), 0);
  });
}

}  // namespace
}  // namespace kube::controller::internal
