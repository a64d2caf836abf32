#include "apimachinery/types/list.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kLong[] = "a text of more than fifteen bytes";

TEST(ListTest, TellsNullFromEmpty) {
  List<String> list;
  EXPECT_TRUE(list.is_null());
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.begin(), list.end());
  EXPECT_THAT(list, IsEmpty());

  const List<String> present[] = {List<String>::Empty(), std::vector<std::string>(),
                                  List<String>(list.begin(), list.end())};
  for (const List<String>& empty : present) {
    EXPECT_FALSE(empty.is_null());
    EXPECT_TRUE(empty.empty());
    EXPECT_EQ(empty, list);
    EXPECT_EQ(absl::Hash<List<String>>()(empty), absl::Hash<List<String>>()(list));
  }

  list.clear();
  EXPECT_FALSE(list.is_null());
  list.reset();
  EXPECT_TRUE(list.is_null());
  list = {};
  EXPECT_TRUE(list.is_null());
  list = {"a"};
  list.pop_back();
  EXPECT_FALSE(list.is_null());
}

TEST(ListTest, IsMadeOfBracesVectorsAndRanges) {
  const std::vector<std::string> vector = {"a", kLong};
  const std::vector<absl::string_view> views = {"a", kLong};
  const std::vector<const char*> literals = {"a", kLong};
  const std::vector<String> strings = {"a", kLong};
  const std::set<std::string> set = {"a", kLong};
  const List<String> lists[] = {{"a", kLong},
                                vector,
                                views,
                                literals,
                                strings,
                                List<String>{"a", kLong},
                                List<String>(vector.begin(), vector.end()),
                                List<String>(set.begin(), set.end())};
  for (const List<String>& list : lists)
    EXPECT_THAT(list, testing::UnorderedElementsAre("a", kLong));

  List<String> assigned;
  assigned = {"a", "b"};
  EXPECT_THAT(assigned, ElementsAre("a", "b"));
  assigned = vector;
  EXPECT_THAT(assigned, ElementsAre("a", kLong));
  assigned = {"c"};
  EXPECT_THAT(assigned, ElementsAre("c"));

  const Part part = {.parts = {{.name = "x"}, {.name = "y", .count = 1}},
                     .tags = vector,
                     .ports = {1, 2},
                     .groups = {{"a", "b"}, {"c"}}};
  EXPECT_THAT(part.parts, SizeIs(2));
  EXPECT_EQ(part.parts[1].count, 1);
  EXPECT_THAT(part.groups, ElementsAre(ElementsAre("a", "b"), ElementsAre("c")));
}

TEST(ListTest, ConvertsToVectors) {
  const List<String> list = {"a", kLong};
  const std::vector<std::string> vector = list;
  EXPECT_THAT(vector, ElementsAre("a", kLong));
  const std::vector<std::string> direct(list);
  EXPECT_EQ(direct, vector);
  const std::vector<absl::string_view> views = list;
  EXPECT_THAT(views, ElementsAre("a", kLong));
  std::vector<String> assigned;
  assigned = list;
  EXPECT_THAT(assigned, ElementsAre("a", kLong));
  const std::vector<std::string> none = List<String>();
  EXPECT_THAT(none, IsEmpty());
  const List<int32_t> numbers = {1, 2};
  const std::vector<int64_t> wide = numbers;
  EXPECT_THAT(wide, ElementsAre(1, 2));
}

TEST(ListTest, Compares) {
  const List<String> list = {"a", "b"};
  EXPECT_EQ(list, (List<String>{"a", "b"}));
  EXPECT_EQ(list, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ((std::vector<std::string>{"a", "b"}), list);
  EXPECT_NE(list, (List<String>{"b", "a"}));
  EXPECT_NE(list, (List<String>{"a"}));
}

TEST(ListTest, IsARange) {
  const List<String> list = {"b", "a"};
  std::string all;
  for (const String& s : list) all += s;
  EXPECT_EQ(all, "ba");
  static_assert(std::ranges::contiguous_range<List<String>>);
  static_assert(std::ranges::contiguous_range<const List<String>>);
  static_assert(std::ranges::sized_range<List<String>>);
  const std::span<const String> span = list;
  EXPECT_THAT(span, SizeIs(2));
  EXPECT_EQ(list.front(), "b");
  EXPECT_EQ(list.back(), "a");
  EXPECT_EQ(list[1], "a");
  EXPECT_EQ(list.data(), &list[0]);
}

TEST(ListTest, WorksWithAlgorithms) {
  List<Part> parts = {
      {.name = kLong, .count = 2}, {.name = "b", .count = 1}, {.name = "c", .count = 3}};
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return *a.count < *b.count; });
  EXPECT_EQ(parts[0].name, "b");
  EXPECT_EQ(parts[1].name, kLong);
  const auto found =
      std::find_if(parts.begin(), parts.end(), [](const Part& p) { return p.name == "c"; });
  EXPECT_EQ(found, parts.begin() + 2);
  parts.erase(
      std::remove_if(parts.begin(), parts.end(), [](const Part& p) { return p.count == 1; }),
      parts.end());
  EXPECT_THAT(parts, SizeIs(2));
  std::ranges::reverse(parts);
  EXPECT_EQ(parts[0].name, "c");

  List<String> texts;
  const std::vector<std::string> more = {"x", "y"};
  std::copy(more.begin(), more.end(), std::back_inserter(texts));
  std::swap(texts[0], texts[1]);
  EXPECT_THAT(texts, ElementsAre("y", "x"));
  const List<int32_t> numbers = {1, 2, 3};
  EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), 0), 6);
}

TEST(ListTest, ErasesWhatMatches) {
  List<String> texts = {kLong, "x", "x", "kept", "x"};
  const auto is_x = [](const String& text) { return text == "x"; };
  EXPECT_EQ(erase_if(texts, is_x), 3u);
  EXPECT_THAT(texts, ElementsAre(kLong, "kept"));
  EXPECT_EQ(erase_if(texts, is_x), 0u);
  EXPECT_THAT(texts, ElementsAre(kLong, "kept"));
  EXPECT_EQ(erase_if(texts, [](const String&) { return true; }), 2u);
  EXPECT_TRUE(texts.empty() && !texts.is_null());
  List<String> null;
  EXPECT_EQ(erase_if(null, is_x), 0u);
  EXPECT_TRUE(null.is_null());
}

TEST(ListTest, AddsItsOwnElements) {
  List<String> list = {kLong};
  for (int i = 0; i < 20; ++i) list.push_back(list[0]);
  for (int i = 0; i < 20; ++i) list.emplace_back(list.front());
  list.insert(list.begin(), list.back());
  EXPECT_THAT(list, SizeIs(42));
  for (const String& s : list) EXPECT_EQ(s, kLong);
  for (int i = 0; i < 20; ++i) list.push_back(std::move(list[0]));
  EXPECT_EQ(list.back(), "");

  List<Part> parts = {FullPart()};
  for (int i = 0; i < 5; ++i) parts.push_back(parts.front());
  EXPECT_EQ(parts.back(), FullPart());
  parts[0].parts = parts;
  EXPECT_THAT(parts[0].parts, SizeIs(6));
}

TEST(ListTest, BecomesAListOfItsOwn) {
  List<Part> list = FullPart().parts;
  list = List<Part>{{.parts = list}};
  list = list[0].parts;
  EXPECT_EQ(list, FullPart().parts);
  list = List<Part>{{.parts = list}};
  list = std::move(list[0].parts);
  EXPECT_EQ(list, FullPart().parts);
}

TEST(ListTest, CopiesAndMoves) {
  List<Part> a = {FullPart()};
  List<Part> b = a;
  EXPECT_EQ(a, b);
  b[0].tags[0] = "other";
  EXPECT_NE(a, b);
  const Part* data = a.data();
  List<Part> c = std::move(a);
  EXPECT_EQ(c.data(), data);
  EXPECT_TRUE(a.is_null());  // NOLINT(bugprone-use-after-move): that it is null is promised
  a.push_back({.name = "again"});
  EXPECT_THAT(a, SizeIs(1));
  b = std::move(c);
  EXPECT_EQ(b.data(), data);
  EXPECT_TRUE(c.is_null());  // NOLINT(bugprone-use-after-move)
  List<Part>& self = b;
  b = self;
  b = std::move(self);
  EXPECT_EQ(b, List<Part>{FullPart()});
  const List<Part>& constant = b;
  const List<Part> copy = std::move(constant);  // NOLINT: a copy
  EXPECT_EQ(b, copy);
  EXPECT_THAT(b, SizeIs(1));
}

TEST(ListTest, Resizes) {
  List<Part> list;
  list.resize(3);
  EXPECT_EQ(list, (List<Part>{{}, {}, {}}));
  list[1].name = kLong;
  list.resize(2);
  list.resize(4);
  EXPECT_EQ(list[1].name, kLong);
  EXPECT_EQ(list[3], Part());
  list.resize(0);
  EXPECT_FALSE(list.is_null());
  EXPECT_THAT(list, IsEmpty());
}

TEST(ListTest, ReservesWhatItIsAskedFor) {
  List<String> list;
  EXPECT_EQ(list.capacity(), 0u);
  list.reserve(10);
  EXPECT_EQ(list.capacity(), 10u);
  EXPECT_TRUE(list.empty());
  const String* data = list.data();
  for (int i = 0; i < 10; ++i) list.push_back(kLong);
  EXPECT_EQ(list.data(), data);
  list.reserve(1);
  EXPECT_EQ(list.capacity(), 10u);
  EXPECT_EQ(List<String>::Empty().capacity(), 0u);
}

TEST(ListTest, InsertsAndErases) {
  List<String> list = {"a", "d"};
  EXPECT_EQ(*list.insert(list.begin() + 1, "b"), "b");
  const std::vector<std::string> more = {"x", kLong};
  const String* inserted = list.insert(list.begin() + 2, more.begin(), more.end());
  EXPECT_EQ(inserted, list.begin() + 2);
  EXPECT_THAT(list, ElementsAre("a", "b", "x", kLong, "d"));
  EXPECT_EQ(*list.erase(list.begin()), "b");
  EXPECT_EQ(*list.erase(list.begin() + 1, list.begin() + 3), "d");
  EXPECT_THAT(list, ElementsAre("b", "d"));
  EXPECT_EQ(list.erase(list.end(), list.end()), list.end());
  const String* erased = list.erase(list.begin() + 1);
  EXPECT_EQ(erased, list.end());
  List<String> null;
  EXPECT_EQ(null.erase(null.begin(), null.end()), null.end());
  EXPECT_EQ(null.insert(null.end(), more.begin(), more.begin()), null.end());
  EXPECT_TRUE(null.is_null());
  EXPECT_EQ(*null.insert(null.end(), "first"), "first");
}

TEST(ListTest, ElementsAreAligned) {
  List<int64_t> numbers = {1};
  List<Part> parts = {{}};
  EXPECT_EQ(reinterpret_cast<uintptr_t>(numbers.data()) % alignof(int64_t), 0u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(parts.data()) % alignof(Part), 0u);
}

TEST(ListTest, Hashes) {
  const List<String> a = {"a", "b"};
  EXPECT_EQ(absl::Hash<List<String>>()(a), absl::Hash<List<String>>()(List<String>{"a", "b"}));
  EXPECT_NE(absl::Hash<List<String>>()(a), absl::Hash<List<String>>()(List<String>{"b", "a"}));
}

static_assert(sizeof(List<Part>) == 8);
static_assert(std::is_nothrow_move_constructible_v<List<Part>>);
static_assert(!std::convertible_to<int, List<int32_t>>);
static_assert(!std::convertible_to<std::vector<std::string>, List<int32_t>>);
static_assert(!std::convertible_to<List<String>, std::vector<int>>);

// `make` makes an element of a number; both sides go through the same random operations.
template <typename T, typename W, typename Make>
void RunRandomOperations(uint64_t seed, Make make) {
  SCOPED_TRACE(seed);
  oracle::Dice dice(seed);
  List<T> got[3];
  std::vector<W> want[3];
  for (int step = 0; step < 3000; ++step) {
    const size_t i = dice.Below(3);
    const size_t j = dice.Below(3);
    List<T>& g = got[i];
    std::vector<W>& w = want[i];
    const size_t at = dice.Below(w.size() + 1);
    const size_t to = at + dice.Below(w.size() - at + 1);
    const W element = make(dice.Below(100));
    switch (dice.Below(11)) {
      case 0:
      case 1:
      case 2:
        g.push_back(element);
        w.push_back(element);
        break;
      case 3:
        g.insert(g.begin() + at, element);
        w.insert(w.begin() + static_cast<ptrdiff_t>(at), element);
        break;
      case 4:
        g.erase(g.begin() + at, g.begin() + to);
        w.erase(w.begin() + static_cast<ptrdiff_t>(at), w.begin() + static_cast<ptrdiff_t>(to));
        break;
      case 5:
        g = got[j];
        w = want[j];
        break;
      case 6:
        if (i == j) break;
        g = std::move(got[j]);
        w = std::exchange(want[j], {});
        break;
      case 7:
        g.resize(at);
        w.resize(at);
        break;
      case 8:
        g = w;
        break;
      case 9:
        if (i == j) break;
        g.insert(g.begin() + at, got[j].begin(), got[j].end());
        w.insert(w.begin() + static_cast<ptrdiff_t>(at), want[j].begin(), want[j].end());
        break;
      default:
        if (w.empty()) break;
        g.pop_back();
        w.pop_back();
    }
    if (w.size() > 100) {
      g.clear();
      w.clear();
    }
    ASSERT_TRUE(std::equal(g.begin(), g.end(), w.begin(), w.end())) << "step " << step;
    ASSERT_EQ(got[i] == got[j], want[i] == want[j]) << "step " << step;
  }
}

TEST(ListTest, RandomOperationsAgainstVector) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    RunRandomOperations<int32_t, int32_t>(seed, [](size_t n) { return static_cast<int32_t>(n); });
    RunRandomOperations<String, std::string>(seed,
                                             [](size_t n) { return std::string(n % 40, 'x'); });
    RunRandomOperations<Part, Part>(seed, [](size_t n) {
      return Part{.name = absl::StrCat("a name with the number ", n), .tags = {kLong}};
    });
  }
}

}  // namespace
}  // namespace kube
