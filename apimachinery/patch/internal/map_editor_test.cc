#include "apimachinery/patch/internal/map_editor.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::patch::internal {
namespace {

using unstructured::Value;

Map<Value> Numbered(size_t size) {
  Map<Value> map = Map<Value>::Empty();
  for (size_t i = 0; i < size; ++i) map[absl::StrCat(1000 + i)] = static_cast<int64_t>(i);
  return map;
}

TEST(MapEditorTest, SeesItsOwnChangesBeforeTheyAreMade) {
  for (const size_t size : {size_t{10}, size_t{500}}) {
    SCOPED_TRACE(size);
    Map<Value> map = Numbered(size);
    MapEditor editor(map);
    EXPECT_EQ(*editor.Find("1003"), Value(3));
    EXPECT_TRUE(editor.Erase("1003"));
    EXPECT_FALSE(editor.Erase("1003"));
    EXPECT_EQ(editor.Find("1003"), nullptr);
    EXPECT_TRUE(editor["1003"].is_null()) << "a new member, not the erased one";
    editor["1003"] = "again";
    editor["0"] = "first";
    EXPECT_EQ(*editor.Find("0"), Value("first"));
    EXPECT_TRUE(editor.Erase("0"));
    EXPECT_EQ(editor.Find("0"), nullptr);
    editor["a"] = "last";
    editor.Commit();
    Map<Value> want = Numbered(size);
    want["1003"] = "again";
    want["a"] = "last";
    EXPECT_EQ(map, want);
  }
}

TEST(MapEditorTest, CanGoOnAfterACommit) {
  Map<Value> map = Numbered(200);
  MapEditor editor(map);
  editor["b"] = 1;
  editor.Commit();
  EXPECT_TRUE(editor.Erase("b"));
  editor["a"] = 2;
  editor.Commit();
  Map<Value> want = Numbered(200);
  want["a"] = 2;
  EXPECT_EQ(map, want);
}

// Also around the size from which changes are collected.
TEST(MapEditorTest, DoesWhatAMapDoes) {
  constexpr uint64_t kSeed = 20262;
  oracle::Dice dice(kSeed);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(absl::StrCat("round ", round, ", seed ", kSeed));
    const size_t size = dice.Below(140);
    Map<Value> map = Numbered(size);
    std::map<std::string, Value> want;
    for (const auto& [key, value] : map) want.emplace(std::string(key), value);
    MapEditor editor(map);
    for (size_t changes = dice.Below(80); changes != 0; --changes) {
      const std::string key = absl::StrCat(950 + dice.Below(size + 100));
      switch (dice.Below(4)) {
        case 0:
          ASSERT_EQ(editor.Erase(key), want.erase(key) == 1) << key;
          break;
        case 1:
          ASSERT_EQ(editor.Find(key) != nullptr, want.contains(key)) << key;
          break;
        default:
          const auto number = static_cast<int64_t>(changes);
          ASSERT_EQ(editor[key], want[key]) << key;
          editor[key] = number;
          want[key] = number;
      }
    }
    editor.Commit();
    ASSERT_EQ(map, Map<Value>(want));
  }
}

// A million changes before all members of a large object; without collecting, each would move all
// members.
TEST(MapEditorTest, IsLinear) {
  constexpr size_t kSize = 500'000;
  Map<Value> map = Map<Value>::Empty();
  for (size_t i = 0; i < kSize; ++i) map[absl::StrCat("b", 1'000'000 + i)] = true;
  MapEditor editor(map);
  for (size_t i = 0; i < kSize; ++i) {
    ASSERT_TRUE(editor.Erase(absl::StrCat("b", 1'000'000 + i)));
    editor[absl::StrCat("a", 9'000'000 - i)] = true;
  }
  editor.Commit();
  EXPECT_EQ(map.size(), kSize);
  EXPECT_EQ(map.begin()->key, absl::StrCat("a", 9'000'000 - kSize + 1));
}

}  // namespace
}  // namespace kube::patch::internal
