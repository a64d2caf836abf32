#include "controller/reconcile/internal/late_writes.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "controller/reconcile/internal/parking.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int kStores[2] = {};
constexpr StoreId kPods = &kStores[0];
constexpr StoreId kMaps = &kStores[1];

std::vector<OwnWrite> OneWrite(absl::string_view version = "1", StoreId store = kPods) {
  return {OwnWrite{.store = store,
                   .seen = [] { return false; },
                   .cause = {.new_version = std::string(version)}}};
}

// Returns the versions of the key's writes, and removes them.
std::vector<std::string> Released(LateWrites& late, absl::string_view key) {
  std::vector<std::string> versions;
  const std::optional<Parking::Released> released = late.Release(key);
  if (!released.has_value()) return versions;
  for (const OwnWrite& write : *released->writes) versions.push_back(write.cause.new_version);
  return versions;
}

std::vector<std::string> Taken(LateWrites& late) {
  std::vector<std::string> keys;
  for (const Parking::Parked& parked : late.Take()) keys.push_back(parked.key);
  return keys;
}

TEST(LateWritesTest, Note_OfTheSameKey_KeepsAllItsWrites) {
  LateWrites late;
  late.Note("a", OneWrite("1"), 0);
  late.Note("b", OneWrite("2"), 0);
  late.Note("a", OneWrite("3"), 0);
  EXPECT_EQ(late.size(), 2u);
  EXPECT_THAT(Released(late, "a"), ElementsAre("1", "3"));
  EXPECT_THAT(Released(late, "a"), IsEmpty());
  EXPECT_THAT(Released(late, "b"), ElementsAre("2"));
  EXPECT_EQ(late.size(), 0u);
}

TEST(LateWritesTest, Release_HasTheHighestPriority) {
  LateWrites late;
  late.Note("a", OneWrite(), -100);
  late.Note("a", OneWrite(), 5);
  late.Note("a", OneWrite(), 0);
  const std::optional<Parking::Released> released = late.Release("a");
  ASSERT_TRUE(released.has_value());
  EXPECT_EQ(released->priority, 5);
}

TEST(LateWritesTest, Take_ReturnsNewKeys_AndThoseWhoseStoreHasAdvanced) {
  LateWrites late(/*limit=*/4);
  late.Note("maps", OneWrite("1", kMaps), 0);
  late.Note("pods", OneWrite("2", kPods), 0);  // fills a half
  late.Note("more", OneWrite("3", kMaps), 0);
  EXPECT_THAT(Taken(late), ElementsAre("maps", "pods", "more"));
  EXPECT_THAT(Taken(late), IsEmpty());
  EXPECT_TRUE(late.NoteAdvanced(kPods));
  EXPECT_THAT(Taken(late), ElementsAre("pods"));
  EXPECT_TRUE(late.NoteAdvanced(kMaps));
  EXPECT_THAT(Taken(late), ElementsAre("maps", "more"));
  EXPECT_THAT(Released(late, "pods"), ElementsAre("2"));
  EXPECT_FALSE(late.NoteAdvanced(kPods)) << "no key waits for it";
}

TEST(LateWritesTest, Note_OfKeysThatAreNeverReleased_ForgetsTheOldOnes) {
  LateWrites late(/*limit=*/10);
  for (int i = 0; i < 1000; ++i) {
    late.Note(absl::StrCat("key-", i), OneWrite(absl::StrCat(i)), 0);
    ASSERT_LE(late.size(), 10u);
  }
  EXPECT_THAT(Released(late, "key-0"), IsEmpty());
  for (int i = 995; i < 1000; ++i) {
    EXPECT_THAT(Released(late, absl::StrCat("key-", i)), ElementsAre(absl::StrCat(i)));
  }
}

TEST(LateWritesTest, Note_OfManyWritesOfAKey_KeepsTheNewest) {
  LateWrites late;
  for (size_t i = 0; i < LateWrites::kMaxWrites + 2; ++i) {
    late.Note("a", OneWrite(absl::StrCat(i)), 0);
  }
  const std::vector<std::string> versions = Released(late, "a");
  ASSERT_EQ(versions.size(), LateWrites::kMaxWrites);
  EXPECT_EQ(versions.front(), "2");
  EXPECT_EQ(versions.back(), absl::StrCat(LateWrites::kMaxWrites + 1));
}

TEST(LateWritesTest, Note_KeepsNoStoreAlive) {
  auto store = std::make_shared<const int>(1);
  const std::weak_ptr<const int> watched = store;
  LateWrites late;
  late.Note("a", {OwnWrite{.store = store.get(), .seen = [] { return false; }, .keeps = store}}, 0);
  store.reset();
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(late.size(), 1u);
}

}  // namespace
}  // namespace kube::controller::internal
