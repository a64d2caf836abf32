#include "controller/health/internal/waiting_room.h"

#include <atomic>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::health::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A room, and requests that are named by their peer and a number: "a0" is the first of "a".
class WaitingRoomTest : public testing::Test {
 protected:
  // Returns false if there is no place.
  bool Enter(const std::string& peer, int number = 0) {
    const std::string name = absl::StrCat(peer, number);
    auto& place = places_[name] = std::make_unique<WaitingRoom::Place>(room_, peer);
    return place->Enter([this, name] { lost_.push_back(name); });
  }
  void Leave(const std::string& name) { places_.erase(name); }

  WaitingRoom room_{4};
  std::map<std::string, std::unique_ptr<WaitingRoom::Place>> places_;
  std::vector<std::string> lost_;
};

TEST_F(WaitingRoomTest, OnePeerMayHaveAllPlaces) {
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(Enter("a", i)) << i;
  EXPECT_FALSE(Enter("a", 4));
  Leave("a1");
  EXPECT_TRUE(Enter("a", 5));
  EXPECT_FALSE(Enter("a", 6));
  EXPECT_THAT(lost_, IsEmpty());
}

TEST_F(WaitingRoomTest, AnotherPeerGetsThePlaceOfTheOneThatHasMost) {
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(Enter("b", i)) << i;
  ASSERT_TRUE(Enter("c"));
  EXPECT_TRUE(Enter("a"));
  EXPECT_THAT(lost_, ElementsAre("b2")) << "its newest";
  // "b" has two of the four: less than two would be no more than others have.
  EXPECT_FALSE(Enter("a", 1));
  EXPECT_TRUE(Enter("d"));
  EXPECT_THAT(lost_, ElementsAre("b2", "b1"));
  for (const char* peer : {"a", "b", "c", "d", "e"}) EXPECT_FALSE(Enter(peer, 9)) << peer;
  // A place that was lost is not left again.
  Leave("b2");
  EXPECT_FALSE(Enter("e", 9));
  Leave("b0");
  EXPECT_TRUE(Enter("e", 9));
}

TEST_F(WaitingRoomTest, PeersDoNotTakePlacesOffEachOtherWithoutEnd) {
  for (int i = 0; i < 100; ++i) {
    for (const char* peer : {"a", "b", "c"}) Enter(peer, i);
  }
  EXPECT_LE(lost_.size(), 4u);
}

TEST(WaitingRoom, PlacesOutliveTheRoom) {
  auto room = std::make_unique<WaitingRoom>(1);
  WaitingRoom::Place place(*room, "a");
  EXPECT_TRUE(place.Enter(nullptr));
  room = nullptr;
  place.Leave();
  EXPECT_TRUE(place.Enter(nullptr));
}

// For ThreadSanitizer: each request leaves or loses its place, or both at once.
TEST(WaitingRoom, Enter_ManyThreads_LosesEachPlaceAtMostOnce) {
  WaitingRoom room(8);
  std::atomic<int> entered = 0;
  base::ThreadGroup group{Context()};
  for (int i = 0; i < 4; ++i) {
    group.Go("peer", [&, i](const Context&) {
      std::deque<std::unique_ptr<WaitingRoom::Place>> places;
      for (int round = 0; round < 1000; ++round) {
        places.push_back(std::make_unique<WaitingRoom::Place>(room, absl::StrCat(i % 3)));
        const auto lost = std::make_shared<std::atomic<int>>(0);
        if (places.back()->Enter([lost] { EXPECT_EQ(++*lost, 1); })) ++entered;
        if (places.size() > static_cast<size_t>(i + 2)) places.pop_front();
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), base::IsOk());
  EXPECT_GT(entered, 0);
}

}  // namespace
}  // namespace kube::health::internal
