#include "controller/manager/internal/request_meter.h"

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "controller/manager/manager_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Texts(const std::vector<RequestRateStatus>& rates) {
  std::vector<std::string> texts;
  for (const RequestRateStatus& rate : rates) {
    texts.push_back(
        absl::StrCat(rate.verb, " ", rate.resource, " ", rate.per_second, " ", rate.requests));
  }
  return texts;
}

void Simulate(const std::function<void()>& test) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&test] { test(); }), IsOk());
}

void Pass(absl::Duration time) { EXPECT_THAT(base::SleepFor(Context(), time), IsOk()); }

TEST(RequestMeterTest, PerSecond_Young_IsTheRateSinceTheBeginning) {
  Simulate([] {
    RequestMeter meter;
    EXPECT_EQ(meter.PerSecond(), 0);
    for (int i = 0; i < 3; ++i) meter.Count({"get", "pods"});
    EXPECT_EQ(meter.PerSecond(), 3) << "a time of less than a second counts as one";
    Pass(absl::Seconds(6));
    EXPECT_EQ(meter.PerSecond(), 0.5);
  });
}

TEST(RequestMeterTest, PerSecond_Old_IsTheRateOfTheLastMinute) {
  Simulate([] {
    RequestMeter meter;
    for (int i = 0; i < 1000; ++i) meter.Count({"get", "pods"});
    Pass(absl::Seconds(50));
    for (int i = 0; i < 120; ++i) meter.Count({"get", "pods"});
    Pass(absl::Seconds(20));  // the first ones are older than a minute
    EXPECT_EQ(meter.PerSecond(), 2);
    for (int i = 0; i < 60; ++i) meter.Count({"get", "pods"});  // in the slot of an older second
    EXPECT_EQ(meter.PerSecond(), 3);
    Pass(absl::Minutes(5));
    EXPECT_EQ(meter.PerSecond(), 0);
  });
}

TEST(RequestMeterTest, Rates_AreThoseOfVerbsAndResources_TheBusiestFirst) {
  Simulate([] {
    RequestMeter meter;
    EXPECT_THAT(meter.Rates(), IsEmpty());
    meter.Count({"list", "pods"});
    Pass(absl::Minutes(2));  // longer ago than a minute
    for (int i = 0; i < 60; ++i) meter.Count({"get", "pods"});
    for (int i = 0; i < 120; ++i) meter.Count({"patch", "deployments.apps"});
    EXPECT_THAT(Texts(meter.Rates()),
                ElementsAre("patch deployments.apps 2 120", "get pods 1 60", "list pods 0 1"));
  });
}

TEST(RequestMeterTest, Rates_OfVeryManyResources_HaveABound) {
  Simulate([] {
    RequestMeter meter;
    for (int i = 0; i < 1000; ++i) meter.Count({"list", absl::StrCat("kind", i)});
    meter.Count({"list", "kind0"});
    const std::vector<RequestRateStatus> rates = meter.Rates();
    ASSERT_EQ(rates.size(), RequestMeter::kMostNames + 1);
    EXPECT_EQ(rates[0].verb, "other");
    EXPECT_EQ(rates[0].resource, "");
    EXPECT_EQ(rates[0].requests, 900);
    EXPECT_EQ(rates[1].resource, "kind0") << "those that are known are counted further";
    EXPECT_EQ(rates[1].requests, 2);
    EXPECT_EQ(meter.PerSecond(), 1001);
  });
}

}  // namespace
}  // namespace kube::controller::internal
