#include "controller/reconcile/internal/parking.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "controller/reconcile/cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::MonotonicTime;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

MonotonicTime At(int seconds) { return MonotonicTime() + absl::Seconds(seconds); }

constexpr int kStores[2] = {};
constexpr StoreId kPods = &kStores[0];
constexpr StoreId kMaps = &kStores[1];

std::vector<OwnWrite> OneWrite(StoreId store = kPods) {
  return {OwnWrite{.store = store, .seen = [] { return false; }}};
}

std::vector<std::string> Taken(Parking& parking, MonotonicTime now) {
  std::vector<std::string> keys;
  for (const Parking::Parked& parked : parking.Take(now)) keys.push_back(parked.key);
  return keys;
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

TEST(ParkingTest, Take_ReturnsNewKeysOnce_InOrder) {
  Parking parking;
  parking.Park("b", OneWrite(), At(10));
  parking.Park("a", OneWrite(), At(10));
  EXPECT_THAT(Taken(parking, At(0)), ElementsAre("a", "b"));
  EXPECT_THAT(Taken(parking, At(0)), IsEmpty());
}

TEST(ParkingTest, Take_AStoreHasAdvanced_ReturnsTheKeysThatWaitForIt) {
  Parking parking;
  parking.Park("both", {OneWrite(kPods)[0], OneWrite(kMaps)[0], OneWrite(kMaps)[0]}, At(10));
  parking.Park("maps", OneWrite(kMaps), At(10));
  parking.Park("pods", OneWrite(kPods), At(10));
  EXPECT_THAT(Taken(parking, At(0)), SizeIs(3));
  EXPECT_TRUE(parking.NoteAdvanced(kMaps));
  EXPECT_TRUE(parking.NoteAdvanced(kMaps));
  EXPECT_THAT(Taken(parking, At(0)), ElementsAre("both", "maps"));
  EXPECT_THAT(Taken(parking, At(0)), IsEmpty());
  EXPECT_TRUE(parking.NoteAdvanced(kPods));
  EXPECT_THAT(Taken(parking, At(0)), ElementsAre("both", "pods"));
}

TEST(ParkingTest, Take_ADeadlineHasCome_ReturnsItsKey) {
  Parking parking;
  parking.Park("early", OneWrite(), At(10));
  parking.Park("late", OneWrite(), At(20));
  EXPECT_THAT(Taken(parking, At(0)), SizeIs(2));
  EXPECT_THAT(Taken(parking, At(9)), IsEmpty());
  EXPECT_THAT(Taken(parking, At(10)), ElementsAre("early"));
}

TEST(ParkingTest, NoteAdvanced_NoKeyWaitsForTheStore_NeedsNothing) {
  Parking parking;
  EXPECT_FALSE(parking.NoteAdvanced(kPods));
  parking.Park("a", {OneWrite(kPods)[0], OneWrite(kPods)[0]}, At(10));
  EXPECT_FALSE(parking.NoteAdvanced(kMaps));
  EXPECT_TRUE(parking.NoteAdvanced(kPods));
  EXPECT_TRUE(parking.Release("a").has_value());
  EXPECT_FALSE(parking.NoteAdvanced(kPods));
}

TEST(ParkingTest, Release_HasThePriorityOfTheReconcileThatHasWritten) {
  Parking parking;
  parking.Park("a", OneWrite(), At(10), /*priority=*/7);
  const std::optional<Parking::Released> released = parking.Release("a");
  ASSERT_TRUE(released.has_value());
  EXPECT_EQ(released->priority, 7);
  EXPECT_FALSE(released->held.has_value());
}

TEST(ParkingTest, Release_HandsTheWritesToTheCaller) {
  Parking parking;
  auto store = std::make_shared<const int>(1);
  const std::weak_ptr<const int> watched = store;
  parking.Park("a", {OwnWrite{.store = store.get(), .seen = [store] { return *store == 2; }}},
               At(10));
  store.reset();
  std::optional<Parking::Released> released = parking.Release("a");
  EXPECT_EQ(parking.size(), 0u);
  EXPECT_FALSE(watched.expired());
  released.reset();
  EXPECT_TRUE(watched.expired());
}

struct ProgressCase {
  std::string name;
  std::vector<std::pair<bool, bool>> writes;  // whether each is seen, and its store was relisted
  size_t unseen;
  std::string missed;  // the version of the cause; empty if nothing was missed
};

class ProgressOfTest : public testing::TestWithParam<ProgressCase> {};

TEST_P(ProgressOfTest, ProgressOf) {
  std::vector<OwnWrite> writes;
  for (const auto& [is_seen, is_relisted] : GetParam().writes) {
    writes.push_back({.store = kPods,
                      .seen = [seen = is_seen] { return seen; },
                      .relisted = [relisted = is_relisted] { return relisted; },
                      .cause = {.type = Cause::Type::kOwnWrite,
                                .new_version = absl::StrCat(writes.size() + 1)}});
  }
  const WritesProgress progress = ProgressOf(writes);
  EXPECT_EQ(progress.unseen.size(), GetParam().unseen);
  EXPECT_EQ(progress.missed.value_or(Cause()).new_version, GetParam().missed);
}

INSTANTIATE_TEST_SUITE_P(
    Writes, ProgressOfTest,
    testing::Values(ProgressCase{"AllSeen_NothingToDo", {{true, false}, {true, false}}, 0, ""},
                    ProgressCase{
                        "SeenByAList_MayHaveMissed", {{true, false}, {true, true}}, 0, "2"},
                    ProgressCase{"RelistedButUnseen_Waits", {{false, true}}, 1, ""},
                    ProgressCase{"SomeSeen_TheOthersWait", {{true, true}, {false, true}}, 1, "1"}),
    [](const testing::TestParamInfo<ProgressCase>& test) { return test.param.name; });

}  // namespace
}  // namespace kube::controller::internal
