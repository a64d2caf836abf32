#include "controller/reconcile/internal/parking.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::MonotonicTime;
using testing::ElementsAre;

MonotonicTime At(int seconds) { return MonotonicTime() + absl::Seconds(seconds); }

std::vector<OwnWrite> OneWrite(std::shared_ptr<const void> registration = nullptr) {
  std::vector<OwnWrite> writes;
  writes.push_back({.seen = [] { return false; }, .registration = std::move(registration)});
  return writes;
}

struct HoldCase {
  std::string name;
  std::vector<int16_t> taken;  // the priorities with which workers take the parked key
  std::optional<int16_t> held;
};

class ParkingHoldTest : public testing::TestWithParam<HoldCase> {};

TEST_P(ParkingHoldTest, Hold) {
  Parking parking;
  parking.Park("a", OneWrite(), At(10));
  for (const int16_t priority : GetParam().taken) EXPECT_TRUE(parking.Hold("a", priority));
  const std::optional<Parking::Released> released = parking.Release("a");
  ASSERT_TRUE(released.has_value());
  EXPECT_EQ(released->held, GetParam().held);
  EXPECT_FALSE(parking.Hold("a", 0));
}

INSTANTIATE_TEST_SUITE_P(
    Keys, ParkingHoldTest,
    testing::Values(HoldCase{"NobodyTakesIt_NotRunForItsParkingAlone", {}, std::nullopt},
                    HoldCase{"TakenOnce_KeepsItsPriority", {-100}, int16_t{-100}},
                    HoldCase{"TakenTwice_TheHigherPriorityWins", {-100, 5, 0}, int16_t{5}}),
    [](const testing::TestParamInfo<HoldCase>& test) { return test.param.name; });

TEST(ParkingTest, OtherKeysAreNotHeld) {
  Parking parking;
  parking.Park("a", OneWrite(), At(10));
  EXPECT_FALSE(parking.Hold("b", 0));
  EXPECT_FALSE(parking.Release("b").has_value());
  EXPECT_EQ(parking.size(), 1u);
}

TEST(ParkingTest, NextDeadline_IsTheEarliestOfAllKeys) {
  Parking parking;
  EXPECT_EQ(parking.NextDeadline(), MonotonicTime::Infinite());
  parking.Park("late", OneWrite(), At(20));
  parking.Park("early", OneWrite(), At(10));
  EXPECT_EQ(parking.NextDeadline(), At(10));
  EXPECT_TRUE(parking.Release("early").has_value());
  EXPECT_EQ(parking.NextDeadline(), At(20));
}

TEST(ParkingTest, All_ListsKeysInOrder) {
  Parking parking;
  parking.Park("b", OneWrite(), At(1));
  parking.Park("a", OneWrite(), At(2));
  std::vector<std::string> keys;
  for (const Parking::Parked& parked : parking.All()) keys.push_back(parked.key);
  EXPECT_THAT(keys, ElementsAre("a", "b"));
}

TEST(ParkingTest, Release_HandsTheRegistrationsToTheCaller) {
  Parking parking;
  auto registration = std::make_shared<const int>(1);
  const std::weak_ptr<const int> watched = registration;
  parking.Park("a", OneWrite(std::move(registration)), At(10));
  std::optional<Parking::Released> released = parking.Release("a");
  EXPECT_EQ(parking.size(), 0u);
  EXPECT_FALSE(watched.expired());
  released.reset();
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace kube::controller::internal
