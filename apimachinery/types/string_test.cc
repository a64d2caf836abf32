#include "apimachinery/types/string.h"

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube {
namespace {

constexpr char kLong[] = "a text of more than fifteen bytes";

std::string TakesString(const std::string& text) { return text; }
size_t TakesAbslView(absl::string_view text) { return text.size(); }
size_t TakesStdView(std::string_view text) { return text.size(); }
size_t TakesKubeString(const String& text) { return text.size(); }
std::string ReturnsString(const String& text) { return text; }

TEST(StringTest, IsMadeOfAnyText) {
  for (const char* text : {"", "short", "fifteen bytes..", "sixteen bytes...", kLong}) {
    SCOPED_TRACE(text);
    const std::string std_string = text;
    const std::string_view std_view = std_string;
    const absl::string_view absl_view = std_string;
    const String strings[] = {text,      std_string,       std_view,
                              absl_view, String(std_view), String(text, std::strlen(text))};
    for (const String& s : strings) {
      EXPECT_EQ(s.view(), absl_view);
      EXPECT_EQ(s.size(), std_string.size());
      EXPECT_EQ(s.empty(), std_string.empty());
    }
    String assigned;
    assigned = text;
    assigned = std_string;
    assigned = std_view;
    assigned = absl_view;
    EXPECT_EQ(assigned, text);
  }
}

TEST(StringTest, HoldsAnyBytes) {
  const std::string bytes("a\0b\xff", 4);
  const String s = bytes;
  EXPECT_EQ(s.size(), 4u);
  EXPECT_EQ(s, bytes);
}

TEST(StringTest, ConvertsToAnyText) {
  for (const char* text : {"", "short", kLong}) {
    const String s = text;
    const std::string copied = s;
    const std::string constructed(s);
    std::string assigned = "before";
    assigned = s;
    std::string appended = "before";
    appended += s;
    const absl::string_view absl_view = s;
    const std::string_view std_view = s;
    EXPECT_EQ(copied, text);
    EXPECT_EQ(constructed, text);
    EXPECT_EQ(assigned, text);
    EXPECT_EQ(appended, std::string("before") + text);
    EXPECT_EQ(absl_view, text);
    EXPECT_EQ(std_view, text);
    EXPECT_EQ(static_cast<std::string>(s), text);
    EXPECT_EQ(TakesString(s), text);
    EXPECT_EQ(TakesAbslView(s), std::strlen(text));
    EXPECT_EQ(TakesStdView(s), std::strlen(text));
    EXPECT_EQ(TakesKubeString(text), std::strlen(text));
    EXPECT_EQ(ReturnsString(s), text);
    EXPECT_EQ(absl::StrCat("<", s.view(), ">"), std::string("<") + text + ">");
    const std::optional<std::string> optional = s;
    EXPECT_EQ(optional, text);
    const std::pair<std::string, int> pair(s, 1);
    EXPECT_EQ(pair.first, text);
  }
}

TEST(StringTest, Concatenates) {
  const String a = "a";
  const std::string b = "b";
  EXPECT_EQ(a + a, "aa");
  EXPECT_EQ(a + "/" + a, "a/a");
  EXPECT_EQ("/" + a, "/a");
  EXPECT_EQ(a + b, "ab");
  EXPECT_EQ(b + a, "ba");
  EXPECT_EQ(b + "/" + a + "/" + b, "b/a/b");
  EXPECT_EQ(a + absl::string_view("v"), "av");
  EXPECT_EQ(std::string_view("v") + a, "va");
  static_assert(std::same_as<decltype(a + a), std::string>);
}

TEST(StringTest, StandsInTernaries) {
  const String s = "s";
  const bool yes = s.size() == 1;
  const String with_literal = yes ? s : "literal";
  const String with_default = yes ? String() : s;
  const absl::string_view view = yes ? s.view() : absl::string_view("v");
  const std::string text = yes ? std::string(s) : std::string("t");
  EXPECT_EQ(with_literal, "s");
  EXPECT_EQ(with_default, "");
  EXPECT_EQ(view, "s");
  EXPECT_EQ(text, "s");
}

TEST(StringTest, ComparesByBytesBothWays) {
  const char* texts[] = {"", "a", "a\x80", "ab", "b", kLong};
  for (const char* x : texts) {
    for (const char* y : texts) {
      const String a = x;
      const std::string b = y;
      const std::string_view std_view = b;
      const absl::string_view absl_view = b;
      const std::strong_ordering want = std::string(x).compare(b) <=> 0;
      EXPECT_EQ(a <=> String(y), want);
      EXPECT_EQ(a <=> b, want);
      EXPECT_EQ(a <=> y, want);
      EXPECT_EQ(a <=> std_view, want);
      EXPECT_EQ(a <=> absl_view, want);
      EXPECT_EQ(b <=> a, 0 <=> want);
      EXPECT_EQ(y <=> a, 0 <=> want);
      EXPECT_EQ(std_view <=> a, 0 <=> want);
      EXPECT_EQ(absl_view <=> a, 0 <=> want);
      EXPECT_EQ(a == String(y), want == 0);
      EXPECT_EQ(a == b, want == 0);
      EXPECT_EQ(a == y, want == 0);
      EXPECT_EQ(a == std_view, want == 0);
      EXPECT_EQ(absl_view == a, want == 0);
      EXPECT_EQ(b == a, want == 0);
      EXPECT_EQ(y == a, want == 0);
      EXPECT_EQ(a != b, want != 0);
      EXPECT_EQ(b != a, want != 0);
      EXPECT_EQ(a < b, want < 0);
      EXPECT_EQ(a >= std_view, want >= 0);
    }
  }
}

TEST(StringTest, CopiesAndMoves) {
  for (const char* text : {"short", kLong}) {
    String a = text;
    String b = a;
    EXPECT_EQ(a, b);
    String c = std::move(a);
    EXPECT_EQ(c, text);
    EXPECT_TRUE(a.empty());  // NOLINT(bugprone-use-after-move): that it is empty is promised
    a = "again";
    EXPECT_EQ(a, "again");

    b = std::move(c);
    EXPECT_EQ(b, text);
    EXPECT_TRUE(c.empty());  // NOLINT(bugprone-use-after-move)

    String& self = b;
    b = self;
    EXPECT_EQ(b, text);
    b = std::move(self);
    EXPECT_EQ(b, text);
    b = b.view();
    EXPECT_EQ(b, text);
    b = b.view().substr(1);
    EXPECT_EQ(b, text + 1);
    b = {};
    EXPECT_TRUE(b.empty());
  }
}

TEST(StringTest, ACopyOfAConstLeavesItAlone) {
  const String original = kLong;
  const String stolen = std::move(original);  // NOLINT: a copy
  EXPECT_EQ(original, kLong);
  EXPECT_EQ(stolen, kLong);
  EXPECT_NE(original.data(), stolen.data());
}

TEST(StringTest, HashesAsTheEqualText) {
  EXPECT_EQ(std::hash<String>()(kLong), std::hash<std::string>()(kLong));
  EXPECT_EQ(absl::Hash<String>()(String(kLong)), absl::Hash<absl::string_view>()(kLong));
}

TEST(StringTest, IsAKey) {
  std::map<String, int, std::less<>> ordered;
  ordered[kLong] = 1;
  EXPECT_EQ(ordered.count(std::string(kLong)), 1u);
  std::unordered_map<String, int> unordered = {{"a", 1}};
  EXPECT_EQ(unordered["a"], 1);
  const std::set<std::string> set = {"a"};
  EXPECT_EQ(set.count(String("a")), 1u);
}

TEST(StringTest, WorksWithAlgorithms) {
  std::vector<String> texts = {"c", kLong, "b"};
  std::sort(texts.begin(), texts.end());
  EXPECT_THAT(texts, testing::ElementsAre(kLong, "b", "c"));
  EXPECT_EQ(std::find(texts.begin(), texts.end(), "b"), texts.begin() + 1);
  const std::vector<std::string> copies(texts.begin(), texts.end());
  EXPECT_THAT(copies, testing::ElementsAre(kLong, "b", "c"));
}

TEST(StringTest, PrintsAsItIs) {
  std::ostringstream out;
  out << String("a\"b") << String(kLong);
  EXPECT_EQ(out.str(), std::string("a\"b") + kLong);
}

TEST(StringTest, ZeroBitsAreEmpty) {
  alignas(String) char bits[sizeof(String)] = {};
  EXPECT_TRUE(reinterpret_cast<const String*>(bits)->empty());
  const String empty = "";
  EXPECT_EQ(std::memcmp(static_cast<const void*>(&empty), bits, sizeof(bits)), 0);
}

// A String cannot be made from something that is not text.
static_assert(!std::convertible_to<std::nullptr_t, String>);
static_assert(!std::convertible_to<int, String>);
static_assert(!std::convertible_to<char, String>);
static_assert(!std::convertible_to<std::vector<char>, String>);
static_assert(!std::convertible_to<String, const char*>);
static_assert(!std::convertible_to<String, bool>);
static_assert(std::is_nothrow_move_constructible_v<String>);
static_assert(std::is_nothrow_move_assignable_v<String>);

void RunRandomOperations(uint64_t seed) {
  SCOPED_TRACE(seed);
  oracle::Dice dice(seed);
  String got[4];
  std::string want[4];
  for (int step = 0; step < 5000; ++step) {
    const size_t i = dice.Below(4);
    const size_t j = dice.Below(4);
    switch (dice.Below(5)) {
      case 0: {
        const std::string text(dice.Below(40), static_cast<char>('a' + dice.Below(3)));
        got[i] = text;
        want[i] = text;
        break;
      }
      case 1:
        got[i] = got[j];
        want[i] = want[j];
        break;
      case 2:
        if (i == j) break;
        got[i] = std::move(got[j]);
        want[i] = std::exchange(want[j], "");
        break;
      case 3:
        std::swap(got[i], got[j]);
        std::swap(want[i], want[j]);
        break;
      default:
        got[i] = got[j] + got[i];
        want[i] = want[j] + want[i];
        if (want[i].size() > 100) got[i] = want[i] = "";
    }
    ASSERT_EQ(got[i], want[i]) << "step " << step;
    ASSERT_EQ(got[j], want[j]) << "step " << step;
    ASSERT_EQ(got[i] <=> got[j], want[i].compare(want[j]) <=> 0) << "step " << step;
  }
}

TEST(StringTest, RandomOperationsAgainstStdString) {
  for (uint64_t seed = 1; seed <= 3; ++seed) RunRandomOperations(seed);
}

}  // namespace
}  // namespace kube
