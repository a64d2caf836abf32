#include "apimachinery/codec/json/json_text.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/internal/output_buffer.h"
#include "apimachinery/table/layout.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/oracle.h"

namespace kube::codec::internal {
namespace {

constexpr char kError[] = "error";

std::string Quoted(absl::string_view text) {
  OutputBuffer buffer;
  const absl::string_view written = buffer.Written(WriteJsonString(buffer, buffer.begin(), text));
  return std::string(written.data(), written.size());
}

std::string QuotedInline(absl::string_view text) {
  OutputBuffer buffer;
  const auto rep = kube::table::StringRep::Inline(text.data(), text.size());
  const absl::string_view written = buffer.Written(WriteJsonString(buffer, buffer.begin(), rep));
  return std::string(written.data(), written.size());
}

std::string Compact(absl::string_view json) {
  OutputBuffer buffer;
  const char* end = WriteCompactJson(buffer, buffer.begin(), json);
  if (end == nullptr) return kError;
  const absl::string_view written = buffer.Written(end);
  return std::string(written.data(), written.size());
}

std::string Indented(absl::string_view json) {
  const std::string compact = Compact(json);
  return compact == kError ? compact : IndentJson(compact, "  ");
}

// Calls of the Go program, all in one run.
class GoJson {
 public:
  void Ask(absl::string_view operation, absl::string_view argument, std::string ours) {
    absl::StrAppend(&input_, operation, " ", absl::Base64Escape(argument), "\n");
    questions_.push_back(absl::StrCat(operation, " ", absl::CHexEscape(argument)));
    ours_.push_back(std::move(ours));
  }

  // Compares; skips where Go is missing.
  void Judge() {
    const absl::StatusOr<std::string> program = oracle::FindData("oracles", "json_text_oracle");
    if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
    ASSERT_TRUE(program.ok()) << program.status();
    const absl::StatusOr<std::string> output = oracle::RunProgram(*program, {.input = input_});
    ASSERT_TRUE(output.ok()) << output.status();
    const std::vector<std::string> lines = absl::StrSplit(*output, '\n');
    ASSERT_EQ(lines.size(), ours_.size() + 1);
    for (size_t i = 0; i < ours_.size(); ++i) {
      std::string go;
      if (lines[i] == kError) {
        go = kError;
      } else {
        ASSERT_TRUE(absl::Base64Unescape(lines[i], &go));
      }
      EXPECT_EQ(ours_[i], go) << questions_[i];
    }
  }

 private:
  std::string input_;
  std::vector<std::string> questions_;
  std::vector<std::string> ours_;
};

// Bytes that are special in some way, and some that are not.
std::string RandomText(oracle::Dice& dice, size_t max_size) {
  static const std::vector<std::string> kPieces = {"a",          "0",
                                                   "\"",         "\\",
                                                   "<",          ">",
                                                   "&",          "=",
                                                   "\x7f",       "\x1f",
                                                   "\n",         "\xe2",
                                                   "\x80",       "\xa8",
                                                   "\u2028",     "\u2029",
                                                   "\u2027",     "\u00e9",
                                                   "\xc0\x80",   "\xed\xa0\x80",
                                                   "\xff",       "\ufffd",
                                                   "\U0001f600", "\xf0\x9f",
                                                   "\u20ac",     "plain text of some length"};
  std::string text;
  const size_t size = dice() % (max_size + 1);
  // Only a few texts consist entirely of special characters.
  const uint64_t plain = dice() % 40;
  while (text.size() < size) text += dice() % 40 < plain ? "x" : kPieces[dice() % kPieces.size()];
  text.resize(size);
  return text;
}

TEST(JsonText, StringsAsGo) {
  GoJson go;
  for (int c = 0; c < 256; ++c) {
    const std::string character(1, static_cast<char>(c));
    go.Ask("string", character, Quoted(character));
    go.Ask("string", "ab" + character + "c", QuotedInline("ab" + character + "c"));
    // At each position within a block of sixteen bytes.
    for (size_t at = 0; at < 35; ++at) {
      std::string text(35, 'x');
      text[at] = static_cast<char>(c);
      if (c % 16 == 2 || c == '<' || c == '\\') go.Ask("string", text, Quoted(text));
    }
  }
  constexpr uint64_t kSeed = 20;
  oracle::Dice dice(kSeed);
  for (int i = 0; i < 3'000; ++i) {
    const std::string text = RandomText(dice, 70);
    go.Ask("string", text, Quoted(text));
    const std::string shorter = RandomText(dice, 15);
    go.Ask("string", shorter, QuotedInline(shorter));
  }
  go.Judge();
}

TEST(JsonText, CopyPlainDoesNotDependOnTheProcessor) {
  oracle::Dice dice(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = RandomText(dice, 50);
    std::string fast(text.size() + 16, '\0');
    std::string slow(text.size() + 16, '\0');
    const size_t size = CopyPlain(text, fast.data());
    ASSERT_EQ(size, CopyPlainPortable(text, slow.data())) << absl::CHexEscape(text);
    ASSERT_EQ(fast.substr(0, size), text.substr(0, size));
    ASSERT_EQ(slow.substr(0, size), text.substr(0, size));
  }
}

constexpr absl::string_view kJson[] = {"null",
                                       " true ",
                                       "false",
                                       "0",
                                       "-0",
                                       "-",
                                       "01",
                                       "1.",
                                       ".5",
                                       "1e5",
                                       "1E+05",
                                       "1e",
                                       "1e+",
                                       "-12.50e-3",
                                       "nul",
                                       "nulll",
                                       "null null",
                                       "",
                                       " ",
                                       "\"",
                                       "\"a",
                                       "\"\\\"",
                                       "\"\\u12\"",
                                       "\"\\u12aF\"",
                                       "\"\\x\"",
                                       "\"\t\"",
                                       "\"\x7f\"",
                                       "{}",
                                       "[]",
                                       "{ }",
                                       "[ ]",
                                       "{\"a\":1,}",
                                       "[1,]",
                                       "[,]",
                                       "{,}",
                                       "[1 2]",
                                       "{\"a\" 1}",
                                       "{\"a\":}",
                                       "{a:1}",
                                       "{1:1}",
                                       "[",
                                       "{",
                                       "]",
                                       "}",
                                       "[}",
                                       "{]",
                                       "{\"a\":[1,{\"b\" : null }] , \"c\":\"<>&\"}",
                                       "[[[]],[{}],[{\"a\":{}}]]",
                                       R"({"f:metadata":{"f:labels":{".":{},"f:app":{}}}})",
                                       R"({"f:a":{"k:{\"name\":\"web\"}":{}}} )",
                                       R"({"f:a":{"f:<":{}},"f:b":{"f:c":{}}})",
                                       "\"\xff\xe2\x80\"",
                                       "\"\xe2\x80\xa8\"",
                                       "\xe2\x80\xa8",
                                       "\"\xe2\x80\xa9x\"",
                                       "{\"<\":\"\xe2\x80\xaa\"}",
                                       "\xef\xbb\xbf{}",
                                       "[1]x",
                                       "{}{}",
                                       "+1",
                                       "tru",
                                       "\"\\",
                                       "{\"a\"",
                                       "{\"a\":1",
                                       "{\"a\":1 ,",
                                       "NaN",
                                       "\"\\u00e9\\/\"",
                                       "[\"a\\\\\",\"\\\"\"]",
                                       "1 .5",
                                       "- 1",
                                       "[1\v]"};

TEST(JsonText, CompactAsGo) {
  GoJson go;
  for (const absl::string_view json : kJson) {
    go.Ask("compact", json, Compact(json));
    go.Ask("indent", json, Indented(json));
  }
  // The depth that Go allows.
  for (const int depth : {9'999, 10'000, 10'001}) {
    const std::string lists = std::string(depth, '[') + std::string(depth, ']');
    go.Ask("compact", lists, Compact(lists));
    std::string objects;
    for (int i = 0; i < depth; ++i) objects += "{\"a\":";
    objects += "0" + std::string(depth, '}');
    go.Ask("compact", objects, Compact(objects));
  }
  go.Judge();
}

// Pieces of JSON in any order, most of which are not valid, and valid values with one mistake.
TEST(JsonText, RandomJsonAsGo) {
  constexpr absl::string_view kPieces[] = {
      "{",    "}", "[",     "]",  ",",    ":",  "\"a\"", "\"\\n<\"", "12", "-0", "null",
      "true", " ", "1.5e3", "\n", "\"\"", "\"", "fal",   "\"k\":",   "\\", "0"};
  constexpr uint64_t kSeed = 99;
  oracle::Dice dice(kSeed);
  GoJson go;
  for (int i = 0; i < 5'000; ++i) {
    std::string json;
    const size_t count = 1 + dice() % 8;
    for (size_t k = 0; k < count; ++k) json += std::string(kPieces[dice() % std::size(kPieces)]);
    go.Ask("compact", json, Compact(json));
    std::string value =
        "{\"a\" : [1, -2.5e3, {\"b<\": null, \"c\" :[ ]}], \"dd\":\"\\u1234\\\\\", \"e\": {} }";
    value[dice() % value.size()] = "{}[],:\"\\ 0-.e<\x80\n"[dice() % 17];
    go.Ask("indent", value, Indented(value));
  }
  go.Judge();
}

}  // namespace
}  // namespace kube::codec::internal
