#include "apimachinery/codec/stream/json_framer.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::codec::internal {
namespace {

// Returns the size that the framer reports for a text that grows by `step`, and when it does.
struct Found {
  size_t size = 0;
  size_t seen = 0;
};
Found FindByPieces(absl::string_view text, size_t step) {
  JsonFramer framer;
  for (size_t seen = 1;; seen += step) {
    const PaddedBuffer part(text.substr(0, seen));
    const size_t size = framer.FindEnd(part.view());
    if (size > 0 || seen >= text.size()) return {size, part.size()};
  }
}

TEST(JsonFramerTest, FindsTheEnd) {
  struct Case {
    absl::string_view name;
    std::string text;
    size_t size;  // 0: the end is missing
  };
  const std::string long_text(100, 'x');
  const std::vector<Case> cases = {
      {"object", "{}x", 2},
      {"array", "[[],[]]]", 7},
      {"brackets in strings", R"({"}":"]{"},)", 10},
      {"quotes in strings", R"({"a\"}":"\\"}})", 13},
      {"long", absl::StrCat(R"({"a":")", long_text, R"(","b":[")", long_text, R"("]})", "}"), 217},
      {"backslashes at the ends of blocks", absl::StrCat("{\"", std::string(61, 'x'), "\\\"}\"}}"),
       68},
      {"many backslashes", absl::StrCat("[\"", std::string(130, '\\'), "\"]]"), 134},
      {"no end", R"({"a":{}")", 0},
      {"no end of a string", R"({"a":"}})", 0},
      {"string", R"("a":)", 3},
      {"string with escapes", R"("\"\\",)", 6},
      {"long string", absl::StrCat("\"", long_text, "\","), 102},
      {"string without an end", R"("a\")", 0},
      {"number", "-1.5e3,", 6},
      {"number without an end", "15", 0},
      {"literal", "null}", 4},
      {"literal and space", "true ", 4},
      {"nothing", "]x,", 2},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name));
    for (const size_t step : {1, 2, 3, 63, 64, 65, 1000}) {
      const Found found = FindByPieces(c.text, step);
      EXPECT_EQ(found.size, c.size) << step;
      if (step == 1 && c.size > 0 && c.text[0] != '-' && c.text[0] != 'n' && c.text[0] != 't') {
        EXPECT_EQ(found.seen, c.text[0] == ']' ? 3 : c.size) << "at the earliest";
      }
    }
  }
}

TEST(JsonFramerTest, RandomPieces) {
  constexpr uint64_t kSeed = 5;
  oracle::Dice dice(kSeed);
  for (int i = 0; i < 2000; ++i) {
    // Random texts of the characters that matter.
    std::string text = "{";
    const size_t length = dice() % 300;
    while (text.size() < length) text += "{}[]\"\\x"[dice() % 7];
    JsonFramer whole;
    const size_t want = whole.FindEnd(PaddedBuffer(text).view());
    EXPECT_EQ(FindByPieces(text, 1 + dice() % 100).size, want)
        << text << " in round " << i << " of seed " << kSeed;
  }
}

}  // namespace
}  // namespace kube::codec::internal
