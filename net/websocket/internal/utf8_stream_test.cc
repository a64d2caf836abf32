#include "net/websocket/internal/utf8_stream.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/utf8.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::websocket::internal {
namespace {

// Returns whether the pieces are accepted, and the text may end after them.
bool IsValid(const std::vector<absl::string_view>& pieces) {
  Utf8Stream stream;
  for (const absl::string_view piece : pieces) {
    if (!stream.Append(piece)) return false;
  }
  return stream.complete();
}

TEST(Utf8StreamTest, TextsAreJudgedAlikeWhereverTheyAreCut) {
  struct Row {
    std::string name;
    std::string text;
    bool valid = true;
  };
  for (const Row& row : std::vector<Row>{
           {"nothing", ""},
           {"ASCII", "plain"},
           {"two bytes", "\xC2\x80 \xDF\xBF"},
           {"three bytes", "\xE0\xA0\x80 \xEF\xBF\xBF"},
           {"before the surrogates", "\xED\x9F\xBF"},
           {"after the surrogates", "\xEE\x80\x80"},
           {"four bytes", "\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF"},
           {"of the RFC of Autobahn", "\xCE\xBA\xE1\xBD\xB9\xCF\x83\xCE\xBC\xCE\xB5"},
           {"continuation alone", "a\x80", false},
           {"overlong of two", "\xC0\x80", false},
           {"overlong of two, the last one", "\xC1\xBF", false},
           {"overlong of three", "\xE0\x9F\xBF", false},
           {"overlong of four", "\xF0\x8F\xBF\xBF", false},
           {"surrogate", "\xED\xA0\x80", false},
           {"last surrogate", "\xED\xBF\xBF", false},
           {"beyond Unicode", "\xF4\x90\x80\x80", false},
           {"lead that none has", "\xF5\x80\x80\x80", false},
           {"no lead at all", "\xFF", false},
           {"cut after one", "x\xC3", false},
           {"cut after two", "x\xE2\x82", false},
           {"cut after three", "x\xF0\x9F\x98", false},
           {"another character inside", "\xE2\x82z", false},
           {"another lead inside", "\xE2\xC3\xA9", false},
       }) {
    const absl::string_view text = row.text;
    EXPECT_EQ(IsValid({text}), row.valid) << row.name;
    for (size_t cut = 0; cut <= text.size(); ++cut) {
      for (size_t second = cut; second <= text.size(); ++second) {
        const std::vector<absl::string_view> pieces = {
            text.substr(0, cut), text.substr(cut, second - cut), text.substr(second)};
        EXPECT_EQ(IsValid(pieces), row.valid) << row.name << " " << cut << " " << second;
      }
    }
  }
}

TEST(Utf8StreamTest, InvalidTextIsRefusedAtTheFirstByteThatSpoilsIt) {
  for (const absl::string_view text : {"\xED\xA0", "\xF4\x90", "\xE0\x9F", "\xF0\x8F", "\xC1"}) {
    Utf8Stream stream;
    for (size_t i = 0; i + 1 < text.size(); ++i) EXPECT_TRUE(stream.Append(text.substr(i, 1)));
    EXPECT_FALSE(stream.Append(text.substr(text.size() - 1)))
        << absl::CHexEscape(std::string(text));
  }
}

TEST(Utf8StreamTest, RandomTextsAreJudgedAsInOnePiece) {
  constexpr uint64_t kSeed = 20'261'128;
  SCOPED_TRACE(kSeed);
  oracle::Dice dice(kSeed);
  const std::vector<std::string> parts = {
      "a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xE2\x82", "\x80", "\xED", "\xF4"};
  int valid = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    // Mostly whole characters.
    for (size_t n = dice.Below(6); n > 0; --n) {
      text += parts[dice.Below(dice.Below(8) == 0 ? parts.size() : 4)];
    }
    std::vector<absl::string_view> pieces;
    for (absl::string_view rest = text; !rest.empty();) {
      pieces.push_back(rest.substr(0, 1 + dice.Below(4)));
      rest.remove_prefix(pieces.back().size());
    }
    const bool wanted = text::IsValidUtf8(text);
    valid += wanted ? 1 : 0;
    ASSERT_EQ(IsValid(pieces), wanted) << i << " " << absl::CHexEscape(text);
  }
  EXPECT_GT(valid, 1000);
  EXPECT_LT(valid, 19'000);
}

}  // namespace
}  // namespace kube::websocket::internal
