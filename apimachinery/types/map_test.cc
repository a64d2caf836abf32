#include "apimachinery/types/map.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/testing/part.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube {
namespace {

using ::testing::ElementsAre;
using ::testing::FieldsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::Pointee;
using ::testing::SizeIs;

constexpr char kLong[] = "a text of more than fifteen bytes";

TEST(MapTest, TellsNullFromEmpty) {
  Map<String> map;
  EXPECT_TRUE(map.is_null());
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.begin(), map.end());
  EXPECT_EQ(map.find("a"), nullptr);
  EXPECT_FALSE(map.erase("a"));
  EXPECT_TRUE(map.is_null());

  const Map<String> present[] = {Map<String>::Empty(), std::map<std::string, std::string>()};
  for (const Map<String>& empty : present) {
    EXPECT_FALSE(empty.is_null());
    EXPECT_TRUE(empty.empty());
    EXPECT_EQ(empty, map);
    EXPECT_EQ(absl::Hash<Map<String>>()(empty), absl::Hash<Map<String>>()(map));
  }

  map.clear();
  EXPECT_FALSE(map.is_null());
  map.reset();
  EXPECT_TRUE(map.is_null());
  map["a"] = "b";
  map.erase("a");
  EXPECT_FALSE(map.is_null());
  map = {};
  EXPECT_TRUE(map.is_null());
}

TEST(MapTest, IsMadeOfBracesAndMaps) {
  const std::string text = "b";
  const std::map<std::string, std::string> std_map = {{"b", "2"}, {kLong, "1"}};
  const std::unordered_map<std::string, const char*> hash_map = {{"b", "2"}, {kLong, "1"}};
  const std::map<absl::string_view, absl::string_view, std::greater<>> views = {{"b", "2"},
                                                                                {kLong, "1"}};
  const Map<String> maps[] = {{{"b", "2"}, {kLong, "1"}},
                              {{text, text.empty() ? "" : "2"}, {String(kLong), String("1")}},
                              {{std::string_view("b"), "2"}, {absl::string_view(kLong), "1"}},
                              {{"b", "old"}, {kLong, "1"}, {"b", "2"}},
                              std_map,
                              hash_map,
                              views};
  for (const Map<String>& map : maps) {
    EXPECT_THAT(map, ElementsAre(FieldsAre(kLong, "1"), FieldsAre("b", "2")));
  }
  Map<String> assigned;
  assigned = {{"a", "1"}};
  EXPECT_THAT(assigned, ElementsAre(FieldsAre("a", "1")));
  assigned = std_map;
  EXPECT_THAT(assigned, SizeIs(2));

  const Part part = {.labels = std_map,
                     .sizes = {{"s", {.width = 1}}, {"t", Size{.width = 2}}},
                     .flags = {{"f", true}},
                     .extra = {{"e", {"x", "y"}}}};
  EXPECT_EQ(part.sizes.find("t")->width, 2);
  EXPECT_THAT(*part.extra.find("e"), ElementsAre("x", "y"));
}

TEST(MapTest, ConvertsToStdMap) {
  const Map<String> map = {{"b", "2"}, {kLong, "1"}};
  const std::map<std::string, std::string> std_map = map;
  EXPECT_THAT(std_map, ElementsAre(Pair(kLong, "1"), Pair("b", "2")));
  const std::map<std::string, std::string> direct(map);
  EXPECT_EQ(direct, std_map);
  const std::map<absl::string_view, absl::string_view, std::greater<>> views = map;
  EXPECT_THAT(views, ElementsAre(Pair("b", "2"), Pair(kLong, "1")));
  std::map<String, String> assigned;
  assigned = map;
  EXPECT_THAT(assigned, SizeIs(2));
}

TEST(MapTest, Compares) {
  const Map<String> map = {{"a", "1"}, {"b", "2"}};
  EXPECT_EQ(map, (Map<String>{{"b", "2"}, {"a", "1"}}));
  EXPECT_EQ(map, (std::map<std::string, std::string>{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ((std::map<std::string, std::string>{{"a", "1"}, {"b", "2"}}), map);
  EXPECT_NE(map, (Map<String>{{"a", "1"}}));
  EXPECT_NE(map, (Map<String>{{"a", "1"}, {"c", "2"}}));
  EXPECT_EQ(absl::Hash<Map<String>>()(map), absl::Hash<Map<String>>()(Map<String>(map)));
}

TEST(MapTest, FindsByAnyText) {
  Map<int32_t> map = {{"a", 1}, {kLong, 2}};
  EXPECT_THAT(map.find("a"), Pointee(1));
  EXPECT_THAT(map.find(std::string(kLong)), Pointee(2));
  EXPECT_THAT(map.find(std::string_view(kLong)), Pointee(2));
  EXPECT_THAT(map.find(absl::string_view(kLong)), Pointee(2));
  EXPECT_THAT(map.find(String(kLong)), Pointee(2));
  EXPECT_TRUE(map.contains("a"));
  EXPECT_FALSE(map.contains("b"));
  EXPECT_EQ(map.value_or(std::string(kLong), 7), 2);
  EXPECT_EQ(map.value_or("b", 7), 7);
  EXPECT_FALSE(map.contains("b"));
  *map.find("a") = 7;
  EXPECT_EQ(map["a"], 7);
  map[std::string("a")] = 8;
  EXPECT_EQ(map[String("a")], 8);
  EXPECT_EQ(map[absl::string_view("new")], 0);
  EXPECT_THAT(map, SizeIs(3));
  EXPECT_TRUE(map.erase(std::string("new")));
  EXPECT_FALSE(map.erase("new"));
  if (const int32_t* a = map.find("a"); a != nullptr && *a == 8) {
    SUCCEED();
  } else {
    FAIL();
  }
}

TEST(MapTest, ValueOrCopies) {
  const Map<String> map = {{"a", kLong}};
  const String value = map.value_or("a", "");
  EXPECT_EQ(value, kLong);
  EXPECT_NE(value.data(), map.find("a")->data());
  EXPECT_EQ(map.value_or("b", "none"), "none");
  EXPECT_EQ(Map<String>().value_or("a", ""), "");
}

TEST(MapTest, IsIteratedByKey) {
  Map<String> map = {{"b", "2"}, {"a", "1"}};
  std::string all;
  for (const auto& [key, value] : map) absl::StrAppend(&all, key.view(), "=", value.view(), ";");
  EXPECT_EQ(all, "a=1;b=2;");
  for (auto& [key, value] : map) value = value + "!";
  EXPECT_THAT(map, ElementsAre(FieldsAre("a", "1!"), FieldsAre("b", "2!")));
  for (auto&& [key, value] : std::as_const(map)) EXPECT_FALSE(key.empty() || value.empty());
  const auto found =
      std::find_if(map.begin(), map.end(), [](const auto& entry) { return entry.value == "2!"; });
  EXPECT_EQ(found->key, "b");
}

TEST(MapTest, KeysMayBePartOfTheMap) {
  Map<String> map = {{kLong, "v"}, {"short", "v"}};
  for (int i = 0; i < 20; ++i) {
    map[map.begin()->key.view().substr(static_cast<size_t>(i % 10))] = "w";
  }
  for (int i = 0; i < 5; ++i) map[map.find("short")->view()] = "x";
  EXPECT_TRUE(map.contains("v"));
  map.erase(map.begin()->key);
  while (!map.empty()) EXPECT_TRUE(map.erase(map.begin()->key));
}

TEST(MapTest, ValuesMayBePartOfTheMap) {
  Map<String> map = {{"z", kLong}};
  for (char key = 'y'; key >= 'a'; --key) {
    EXPECT_EQ(map.insert_or_assign(std::string(1, key), *map.find("z")), kLong);
  }
  EXPECT_THAT(map, SizeIs(26));
  for (const auto& entry : map) EXPECT_EQ(entry.value, kLong) << entry.key;
  map.insert_or_assign("z", "other");
  EXPECT_EQ(map["z"], "other");
}

TEST(MapTest, CopiesAndMoves) {
  Map<Part> a = {{"x", FullPart()}, {kLong, {.name = kLong}}};
  Map<Part> b = a;
  EXPECT_EQ(a, b);
  b["x"].labels["b"] = "other";
  EXPECT_NE(a, b);
  const auto* data = a.begin();
  Map<Part> c = std::move(a);
  EXPECT_EQ(c.begin(), data);
  EXPECT_TRUE(a.is_null());  // NOLINT(bugprone-use-after-move): that it is null is promised
  b = std::move(c);
  EXPECT_EQ(b.begin(), data);
  EXPECT_TRUE(c.is_null());  // NOLINT(bugprone-use-after-move)
  Map<Part>& self = b;
  b = self;
  b = std::move(self);
  EXPECT_EQ(b["x"], FullPart());
  const Map<Part>& constant = b;
  const Map<Part> copy = std::move(constant);  // NOLINT: a copy
  EXPECT_EQ(b, copy);
  b = b["x"].index;
  EXPECT_EQ(b, FullPart().index);
  b = Map<Part>{{"x", {.index = b}}};
  b = std::move(b["x"].index);
  EXPECT_EQ(b, FullPart().index);
}

TEST(MapTest, EntriesAreWhatTheEngineExpects) {
  static_assert(sizeof(Map<String>) == 8);
  static_assert(sizeof(Map<bool>::Entry) == table::EntrySize(table::TypeOf<bool>()));
  static_assert(sizeof(Map<int32_t>::Entry) == table::EntrySize(table::TypeOf<int32_t>()));
  static_assert(sizeof(Map<Size>::Entry) ==
                table::EntrySize({table::Kind::kMessage, sizeof(Size), nullptr}));
  const Map<Part> map = {{"a", {}}};
  EXPECT_EQ(sizeof(Map<Part>::Entry), table::EntrySize(table::TypeOf<Part>()));
  EXPECT_EQ(static_cast<const void*>(map.find("a")), &map.begin()->value);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(map.begin()) % alignof(Part), 0u);
}

static_assert(!std::convertible_to<std::map<int, std::string>, Map<String>>);
static_assert(!std::convertible_to<std::map<std::string, std::string>, Map<int32_t>>);
static_assert(!std::convertible_to<Map<String>, std::map<std::string, int>>);
static_assert(!std::is_assignable_v<decltype((std::declval<Map<String>&>().begin()->key)), String>);

template <typename V, typename W, typename Make>
void RunRandomOperations(uint64_t seed, Make make) {
  SCOPED_TRACE(seed);
  oracle::Dice dice(seed);
  Map<V> got[3];
  std::map<std::string, W> want[3];
  for (int step = 0; step < 3000; ++step) {
    const size_t i = dice.Below(3);
    const size_t j = dice.Below(3);
    const size_t number = dice.Below(60);
    // Short and long, one often the beginning of another.
    const std::string key = number < 30 ? std::string(number, 'k') : absl::StrCat("key", number);
    switch (dice.Below(8)) {
      case 0:
      case 1:
      case 2: {
        const W value = make(dice.Below(100));
        got[i][key] = value;
        want[i][key] = value;
        break;
      }
      case 3:
      case 4:
        ASSERT_EQ(got[i].erase(key), want[i].erase(key) == 1) << "step " << step;
        break;
      case 5:
        got[i] = got[j];
        want[i] = want[j];
        break;
      case 6:
        if (i == j) break;
        got[i] = std::move(got[j]);
        want[i] = std::exchange(want[j], {});
        break;
      default:
        got[i] = want[i];
    }
    ASSERT_EQ(got[i].size(), want[i].size()) << "step " << step;
    ASSERT_TRUE(std::equal(
        got[i].begin(), got[i].end(), want[i].begin(),
        [](const auto& g, const auto& w) { return g.key == w.first && g.value == w.second; }))
        << "step " << step;
    const V* found = got[j].find(key);
    ASSERT_EQ(found != nullptr, want[j].count(key) == 1) << "step " << step;
    ASSERT_EQ(got[i] == got[j], want[i] == want[j]) << "step " << step;
  }
}

TEST(MapTest, RandomOperationsAgainstStdMap) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    RunRandomOperations<bool, bool>(seed, [](size_t n) { return n % 2 == 0; });
    RunRandomOperations<String, std::string>(seed,
                                             [](size_t n) { return std::string(n % 40, 'x'); });
    RunRandomOperations<Size, Size>(
        seed, [](size_t n) { return Size{.width = static_cast<int32_t>(n)}; });
    RunRandomOperations<Part, Part>(
        seed, [](size_t n) { return Part{.name = absl::StrCat("a name with the number ", n)}; });
  }
}

}  // namespace
}  // namespace kube
