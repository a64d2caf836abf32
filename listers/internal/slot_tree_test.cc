#include "listers/internal/slot_tree.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "listers/internal/posting.h"
#include "tests/dice.h"

namespace kube::listers::internal {
namespace {

using Value = std::shared_ptr<const void>;
using Model = std::map<uint64_t, Value>;

Value MakeValue(int number) { return std::make_shared<const int>(number); }

std::vector<std::pair<uint64_t, Value>> EntriesOf(const ObjectTree& tree) {
  std::vector<std::pair<uint64_t, Value>> entries;
  for (ObjectTree::Cursor c(tree); !c.done(); c.Next()) entries.emplace_back(c.key(), c.value());
  return entries;
}

void ExpectSame(const ObjectTree& tree, const Model& model) {
  ASSERT_EQ(tree.size(), model.size());
  ASSERT_EQ(EntriesOf(tree), (std::vector<std::pair<uint64_t, Value>>(model.begin(), model.end())));
  for (const auto& [key, value] : model) {
    ASSERT_NE(tree.Find(key), nullptr);
    ASSERT_EQ(*tree.Find(key), value);
  }
}

TEST(SlotTree, BeginsEmpty) {
  ObjectTree tree;
  EXPECT_EQ(tree.size(), 0u);
  EXPECT_EQ(tree.Find(0), nullptr);
  EXPECT_EQ(tree.Remove(0), nullptr);
  EXPECT_TRUE(ObjectTree::Cursor(tree).done());
  EXPECT_EQ(tree.MemoryBytes(), 0u);
}

TEST(SlotTree, ReturnsWhatWasThere) {
  ObjectTree tree;
  const Value a = MakeValue(1);
  const Value b = MakeValue(2);
  EXPECT_EQ(tree.Set(7, a), nullptr);
  EXPECT_EQ(tree.Set(7, b), a);
  EXPECT_EQ(tree.size(), 1u);
  EXPECT_EQ(tree.Remove(7), b);
  EXPECT_EQ(tree.size(), 0u);
  EXPECT_EQ(a.use_count(), 1);
  EXPECT_EQ(b.use_count(), 1);
}

TEST(SlotTree, TakesTheEndsOfTheRange) {
  ObjectTree tree;
  Model model;
  for (uint64_t i = 0; i < 300; ++i) {
    for (const uint64_t key : {i, ~i}) tree.Set(key, model[key] = MakeValue(1));
  }
  ExpectSame(tree, model);
}

TEST(SlotTree, MutableLeavesCopiesAlone) {
  ObjectTree tree;
  for (uint64_t i = 0; i < 1000; ++i) tree.Set(i, MakeValue(0));
  const ObjectTree copy = tree;
  const Value before = *copy.Find(500);
  const Value other = MakeValue(1);
  *tree.FindMutable(500) = other;
  EXPECT_EQ(*tree.Find(500), other);
  EXPECT_EQ(*copy.Find(500), before);
}

// All sizes at which something begins to be different.
TEST(SlotTree, IsMadeOfSortedEntries) {
  for (const size_t size : {0, 1, 2, 31, 32, 33, 511, 512, 513, 544, 8192, 8193, 20000}) {
    std::vector<std::pair<uint64_t, Value>> entries;
    Model model;
    for (size_t i = 0; i < size; ++i) {
      entries.emplace_back(i * 3 + 1, MakeValue(1));
      model.insert(entries.back());
    }
    ObjectTree tree = ObjectTree::FromSorted(std::move(entries));
    ExpectSame(tree, model);
    for (size_t i = 0; i < size; i += 7) {
      tree.Set(i * 3, model[i * 3] = MakeValue(2));
      tree.Remove(i * 3 + 1);
      model.erase(i * 3 + 1);
    }
    ExpectSame(tree, model);
  }
}

TEST(SlotTree, IsSmall) {
  oracle::Dice dice(1);
  std::vector<std::pair<uint64_t, Value>> entries;
  ObjectTree grown;
  for (uint64_t i = 0; i < 10000; ++i) {
    entries.emplace_back(i, nullptr);
    grown.Set(dice.Next(), nullptr);
  }
  // A key and a reference are 24 bytes.
  EXPECT_LT(ObjectTree::FromSorted(std::move(entries)).MemoryBytes(), 26u * 10000);
  EXPECT_LT(grown.MemoryBytes(), 30u * 10000);
}

// Against a std::map, with copies about that must stay as they were. The mix of operations changes,
// so that the tree grows and shrinks.
TEST(SlotTree, DoesWhatAMapDoes) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Dice dice(seed);
    ObjectTree tree;
    Model model;
    std::vector<std::pair<ObjectTree, Model>> copies;
    const uint64_t range = seed % 2 == 0 ? 2000 : ~uint64_t{0};
    std::vector<uint64_t> keys;
    for (int i = 0; i < 8000; ++i) {
      const bool growing = i / 2000 % 2 == 0;
      const uint64_t key =
          keys.empty() || dice.Below(2) == 0 ? dice.Next() % range : keys[dice.Below(keys.size())];
      if (dice.Below(10) < (growing ? 8u : 1u)) {
        const Value value = MakeValue(i);
        const Value before = std::exchange(model[key], value);
        ASSERT_EQ(tree.Set(key, value), before);
        keys.push_back(key);
      } else {
        const auto found = model.find(key);
        const Value before = found == model.end() ? nullptr : found->second;
        if (found != model.end()) model.erase(found);
        ASSERT_EQ(tree.Remove(key), before);
      }
      if (dice.Below(400) == 0) copies.emplace_back(tree, model);
      if (copies.size() > 3) copies.erase(copies.begin() + dice.Below(copies.size()));
      if (dice.Below(1000) == 0) ExpectSame(tree, model);
    }
    for (const auto& [copy, its_model] : copies) ExpectSame(copy, its_model);
    while (!model.empty()) {
      ASSERT_NE(tree.Remove(model.begin()->first), nullptr);
      model.erase(model.begin());
    }
    EXPECT_EQ(tree.MemoryBytes(), 0u);
  }
}

}  // namespace
}  // namespace kube::listers::internal
