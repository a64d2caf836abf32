#include "apimachinery/types/map_edit.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "gtest/gtest.h"

namespace kube::table {
namespace {

using Labels = Map<String>;

// Too long to be inside a String: ASan reports what is lost or freed twice.
std::string Long(absl::string_view text) { return absl::StrCat("a-rather-long-text-", text); }

Labels LongLabels(const std::vector<std::string>& keys) {
  Labels labels = Labels::Empty();
  for (const std::string& key : keys) labels[Long(key)] = Long(key);
  return labels;
}

TEST(EraseMarkedTest, KeepsTheOthersInOrder) {
  struct Row {
    const char* name;
    std::vector<bool> gone;
    Labels want;
  };
  const Row rows[] = {
      {"none", {false, false, false, false}, LongLabels({"a", "b", "c", "d"})},
      {"the first", {true, false, false, false}, LongLabels({"b", "c", "d"})},
      {"the last", {false, false, false, true}, LongLabels({"a", "b", "c"})},
      {"every second", {true, false, true, false}, LongLabels({"b", "d"})},
      {"all", {true, true, true, true}, Labels::Empty()},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    Labels labels = LongLabels({"a", "b", "c", "d"});
    EraseMarked(labels, row.gone);
    EXPECT_EQ(labels, row.want);
    EXPECT_FALSE(labels.is_null());
  }
}

TEST(EraseMarkedTest, TakesMapsWithoutEntries) {
  Labels null, empty = Labels::Empty();
  EraseMarked(null, {});
  EraseMarked(empty, {});
  EXPECT_TRUE(null.is_null());
  EXPECT_FALSE(empty.is_null());
}

TEST(EraseIfTest, AsksOnceForEachEntryAndLetsItChangeTheRest) {
  Labels labels = LongLabels({"a", "b", "c"});
  size_t asked = 0;
  EraseIf(labels, [&](Labels::Entry& entry) {
    ++asked;
    if (entry.key == Long("b")) return true;
    entry.value = "kept";
    return false;
  });
  EXPECT_EQ(asked, 3u);
  EXPECT_EQ(labels, (Labels{{Long("a"), "kept"}, {Long("c"), "kept"}}));
}

TEST(MoveEntriesTest, MergesByKey) {
  struct Row {
    const char* name;
    std::vector<std::string> from, to, want;
  };
  const Row rows[] = {
      {"nothing into nothing", {}, {}, {}},
      {"nothing into some", {}, {"a"}, {"a"}},
      {"some into nothing", {"a", "b"}, {}, {"a", "b"}},
      {"before", {"a", "b"}, {"c", "d"}, {"a", "b", "c", "d"}},
      {"behind", {"c", "d"}, {"a", "b"}, {"a", "b", "c", "d"}},
      {"between", {"b", "d", "f"}, {"a", "c", "e", "g"}, {"a", "b", "c", "d", "e", "f", "g"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    Labels from = LongLabels(row.from), to = LongLabels(row.to);
    MoveEntries(from, to);
    EXPECT_EQ(to, LongLabels(row.want));
    EXPECT_TRUE(from.is_null());
  }
}

TEST(MoveEntriesTest, TakesNullMaps) {
  Labels null, some = LongLabels({"a"});
  MoveEntries(null, some);
  EXPECT_EQ(some.size(), 1u);
  MoveEntries(some, null);
  EXPECT_EQ(null, LongLabels({"a"}));
}

// If each change moved all later entries, this would take 150 G moves, longer than a test may.
TEST(MoveEntriesTest, IsLinear) {
  constexpr int kEntries = 1'000'000;
  Labels from = Labels::Empty(), to = Labels::Empty();
  for (int i = 0; i < kEntries; ++i) {
    // Ascending, so that [] appends.
    (i % 2 == 0 ? from : to)[absl::StrCat(10'000'000 + i)] = "x";
  }
  MoveEntries(from, to);
  EXPECT_EQ(to.size(), static_cast<size_t>(kEntries));
  size_t index = 0;
  EraseIf(to, [&](const Labels::Entry&) { return index++ % 2 == 0; });
  EXPECT_EQ(to.size(), static_cast<size_t>(kEntries / 2));
  EXPECT_EQ(to.begin()->key, "10000001");
}

}  // namespace
}  // namespace kube::table
