#include "apimachinery/base/text/utf8.h"

#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube::text {
namespace {

std::string Replaced(absl::string_view text) {
  std::string out = "<";
  AppendReplacingInvalidUtf8(text, out);
  return out.substr(1);
}

TEST(Utf8Test, ValidUtf8Prefix_InvalidBytes_EndsBeforeThem) {
  struct Row {
    const char* name;
    std::string text;
    size_t prefix;
  };
  for (const Row& row : {
           Row{"empty", "", 0},
           Row{"nul", std::string(3, '\0'), 3},
           Row{"two bytes", "\u00e9\u07ff", 4},
           Row{"three bytes", "\u0800\ud7ff\ue000\uffff", 12},
           Row{"four bytes", "\U00010000\U0010FFFF", 8},
           Row{"replacement character", "\ufffd", 3},
           Row{"lone continuation", "ab\x80", 2},
           Row{"overlong of two", "a\xc1\xbf", 1},
           Row{"overlong of three", "a\xe0\x9f\xbf", 1},
           Row{"overlong of four", "a\xf0\x8f\xbf\xbf", 1},
           Row{"surrogate", "a\xed\xa0\x80", 1},
           Row{"beyond the last", "a\xf4\x90\x80\x80", 1},
           Row{"first byte beyond", "a\xf5\x80\x80\x80", 1},
           Row{"cut after one of two", "a\xc3", 1},
           Row{"cut after two of three", "a\xe2\x82", 1},
           Row{"cut after three of four", "a\xf0\x9f\x98", 1},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(ValidUtf8Prefix(row.text), row.prefix);
    EXPECT_EQ(IsValidUtf8(row.text), row.prefix == row.text.size());
  }
}

TEST(Utf8Test, EachInvalidByteIsReplaced) {
  EXPECT_EQ(Replaced(""), "");
  EXPECT_EQ(Replaced("caf\u00e9"), "caf\u00e9");
  EXPECT_EQ(Replaced("a\xff"
                     "b"),
            "a\ufffdb");
  EXPECT_EQ(Replaced("\xe2\x82"), "\ufffd\ufffd");
  EXPECT_EQ(Replaced("\xe2\x82\xe2\x82\xac"), "\ufffd\ufffd\u20ac");
}

// A byte that is not ASCII at each place of blocks of each size and alignment.
TEST(Utf8Test, ValidUtf8Prefix_RuneAtEachOffset_IsFound) {
  const std::string ascii(200, 'x');
  for (size_t size = 0; size < 150; ++size) {
    for (size_t at = 0; at <= size; ++at) {
      std::string text = ascii.substr(0, size);
      text.insert(at, "\xe2\x82\xac");
      EXPECT_EQ(ValidUtf8Prefix(text), text.size()) << size << " " << at;
      text.erase(at + 2, 1);
      EXPECT_EQ(ValidUtf8Prefix(text), at) << size;
    }
  }
}

TEST(Utf8Test, IsValidUtf8_RandomTexts_AgreesWithGo) {
  const std::vector<std::string> samples = {"",
                                            std::string(130, 'a'),
                                            std::string(61, 'b') + "\u00e9" + std::string(40, 'c'),
                                            "\u65e5\u672c\u8a9e \U0001F600",
                                            "\xed\x9f\xbf\xee\x80\x80",
                                            "\xf4\x8f\xbf\xbf"};
  const std::vector<std::string> pieces = {
      "a",    "0123456789abcdef", "\u00e9",   "\u20ac",   "\U0001F600", "\xc3", "\xe2\x82", "\x80",
      "\xbf", "\xed\xa0\x80",     "\xf0\x9f", "\xf4\x90", "\xc0\x80",   "\xff"};
  oracle::GoCases cases("values_oracle");
  for (std::string& text : oracle::TextMaker(5, samples, pieces).Make(20'000)) {
    cases.Add("utf8", text, IsValidUtf8(text) ? "true" : "false");
    // Characters that JSON would escape are not tested here.
    for (char& c : text) {
      if (c == '"' || c == '\\' || (c >= 0 && c < ' ')) c = 'j';
    }
    cases.Add("json_string", text, oracle::Hex(Replaced(text)));
  }
  cases.Check();
}

TEST(AppendRune, AppendRune_EachLength_WritesUtf8) {
  std::string out;
  for (const char32_t rune : {U'a', U'\u00E9', U'\u4E2D', U'\U0001F600'}) AppendRune(out, rune);
  EXPECT_EQ(out, "a\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80");
}

TEST(DecodeRune, DecodeRune_BoundariesOfEachLength_AreDecodedOrRefused) {
  const struct {
    absl::string_view text;
    char32_t value;
    size_t size;
  } kRows[] = {
      {"\x7f!", 0x7F, 1},
      {"\xc2\x80", 0x80, 2},
      {"\xdf\xbf", 0x7FF, 2},
      {"\xe0\xa0\x80", 0x800, 3},
      {"\xed\x9f\xbf", 0xD7FF, 3},
      {"\xee\x80\x80", 0xE000, 3},
      {"\xef\xbf\xbd", 0xFFFD, 3},
      {"\xf0\x90\x80\x80", 0x10000, 4},
      {"\xf4\x8f\xbf\xbf", 0x10FFFF, 4},
      {"\xc1\xbf", 0xFFFD, 1},
      {"\xe0\x9f\xbf", 0xFFFD, 1},
      {"\xf0\x8f\xbf\xbf", 0xFFFD, 1},
      {"\xf5\x80\x80\x80", 0xFFFD, 1},
      {"\x80", 0xFFFD, 1},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(absl::CHexEscape(row.text));
    const Rune rune = DecodeRune(row.text);
    EXPECT_EQ(rune.value, row.value);
    EXPECT_EQ(rune.size, row.size);
    EXPECT_EQ(rune.invalid(), row.size == 1 && row.value == 0xFFFD);
  }
}

TEST(ReplaceInvalidUtf8, ReplaceInvalidUtf8_ReplacesEachInvalidByteForItself) {
  constexpr absl::string_view kInvalid = "\xff\xc3(\xed\xa0\x80\xc0\x80\xf4\x90\x80\x80\xe4\xb8";
  EXPECT_EQ(ReplaceInvalidUtf8("caf\u00e9 \U0001F600"), "caf\u00e9 \U0001F600");
  EXPECT_EQ(ReplaceInvalidUtf8("a\xff(\xe4\xb8"), "a\ufffd(\ufffd\ufffd");
  std::string want;
  for (const char c : kInvalid) want += c == '(' ? "(" : "\ufffd";
  EXPECT_EQ(ReplaceInvalidUtf8(kInvalid), want);
}

}  // namespace
}  // namespace kube::text
