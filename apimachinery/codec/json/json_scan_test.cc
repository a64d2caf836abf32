#include "apimachinery/codec/json/json_scan.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "simdjson.h"
#include "tests/dice.h"

namespace kube::codec::internal {
namespace {

// A text and its padding in an allocation of exactly their size, so that ASan finds reads beyond
// it.
class Padded {
 public:
  explicit Padded(absl::string_view text)
      : size_(text.size()), memory_(std::make_unique<char[]>(size_ + PaddedBuffer::kPadding)) {
    if (!text.empty()) std::memcpy(memory_.get(), text.data(), text.size());
    std::memcpy(memory_.get() + size_, PaddedBuffer().data(), PaddedBuffer::kPadding);
  }
  const char* begin() const { return memory_.get(); }
  const char* end() const { return memory_.get() + size_; }

 private:
  size_t size_;
  std::unique_ptr<char[]> memory_;
};

// ---- Plain implementations of the loops; -1: not found before the end

struct Found {
  int at = 0;
  bool has_backslash = false;

  friend bool operator==(const Found&, const Found&) = default;
  friend void PrintTo(const Found& found, std::ostream* out) {
    *out << found.at << (found.has_backslash ? " with backslash" : "");
  }
};

Found NaiveStringEnd(absl::string_view text) {
  Found found;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool escaped = i > 0 && found.has_backslash && text[i - 1] == '\\' && [&] {
      size_t run = 0;
      while (run < i && text[i - 1 - run] == '\\') ++run;
      return run % 2 == 1;
    }();
    if (c < 0x20 || (c == '"' && !escaped)) return {static_cast<int>(i), found.has_backslash};
    if (c == '\\') found.has_backslash = true;
  }
  return {-1, false};
}

// -2: any result is allowed.
int NaiveSkipNested(absl::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '\\') {
      return -2;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return static_cast<int>(i) + 1;
    }
  }
  return -1;
}

template <typename Scan>
class ScanTest : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__x86_64__)
    if (std::is_same_v<Scan, Avx2Scan> && !Avx2Scan::IsSupported())
      GTEST_SKIP() << "SKIPPED: no AVX2";
#endif
  }

  static Found StringEndIn(absl::string_view text) {
    const Padded padded(text);
    const StringEnd found = Scan::FindStringEnd(padded.begin());
    if (found.quote >= padded.end()) return {-1, false};
    return {static_cast<int>(found.quote - padded.begin()), found.has_backslash};
  }
  static int SkipNestedIn(absl::string_view text) {
    const Padded padded(text);
    const char* after = Scan::SkipNested(padded.begin(), padded.end());
    return after == nullptr ? -1 : static_cast<int>(after - padded.begin());
  }
  static void ExpectAsNaive(absl::string_view text) {
    EXPECT_EQ(StringEndIn(text), NaiveStringEnd(text)) << text;
    const std::string nested = absl::StrCat("[", text);
    const int want = NaiveSkipNested(nested);
    const int got = SkipNestedIn(nested);
    EXPECT_TRUE(want == -2 || got == want) << nested << ": got " << got << ", want " << want;
  }
};

#if defined(__x86_64__)
using Scans = testing::Types<ScalarScan, Sse2Scan, Avx2Scan>;
#else
using Scans = testing::Types<ScalarScan>;
#endif
TYPED_TEST_SUITE(ScanTest, Scans);

std::string Repeat(absl::string_view text, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; ++i) absl::StrAppend(&result, text);
  return result;
}

TYPED_TEST(ScanTest, StringsOfEveryLengthAndEnd) {
  for (size_t size = 0; size < 150; ++size) {
    const std::string plain(size, 'a');
    for (const char end : {'"', '\n', '\0', '\x1f'}) {
      this->ExpectAsNaive(absl::StrCat(plain, std::string(1, end), "\"\"\""));
    }
    for (const char other : {'\x20', '\x7f', '\x80', '\xff', '!', '#', '[', ']'}) {
      this->ExpectAsNaive(absl::StrCat(plain, std::string(1, other), "\""));
    }
    this->ExpectAsNaive(plain);
  }
}

TYPED_TEST(ScanTest, RunsOfBackslashesAcrossBlocks) {
  for (size_t before = 0; before < 80; ++before) {
    for (size_t run = 0; run < 70; ++run) {
      const std::string text =
          absl::StrCat(std::string(before, 'a'), std::string(run, '\\'), "\"]}\\\"\"]");
      this->ExpectAsNaive(text);
      this->ExpectAsNaive(absl::StrCat("\"", text));
    }
  }
}

TYPED_TEST(ScanTest, BracketsAndStringsAcrossBlocks) {
  for (size_t before = 0; before < 130; ++before) {
    const std::string space(before, ' ');
    for (const absl::string_view text :
         {"]", "}", "[]]", "\"]\"]", "{\"a\":\"}\\\"}\"}]", "\"", "\"]", "\\\"]\"]", "[[[[]]]]"}) {
      this->ExpectAsNaive(absl::StrCat(space, text));
      this->ExpectAsNaive(absl::StrCat(text, space, text));
    }
  }
  this->ExpectAsNaive(absl::StrCat(Repeat("[", 1000), Repeat("]", 1001)));
  this->ExpectAsNaive(absl::StrCat(Repeat("[{\"a\":", 333), Repeat("}]", 334)));
}

TYPED_TEST(ScanTest, RandomTexts) {
  constexpr uint32_t kSeed = 20260101;
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  oracle::Dice dice(kSeed);
  for (const absl::string_view alphabet : {"\"\\[]", "\"\\{}[]aaaaaaaaaaaa", "\\\"a"}) {
    for (int i = 0; i < 20000; ++i) {
      std::string text(dice.Below(200), ' ');
      for (char& c : text) c = alphabet[dice.Below(alphabet.size())];
      this->ExpectAsNaive(text);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// ---- SkipValue

// Returns where the value at the start ends, or -1 - the position of the error.
int Skip(absl::string_view text, int max_depth = 10000) {
  const Padded padded(text);
  const char* error = nullptr;
  const char* after = SkipValue(padded.begin(), padded.end(), max_depth, &error);
  if (after != nullptr) return static_cast<int>(after - padded.begin());
  return -1 - static_cast<int>(error - padded.begin());
}

TEST(SkipValueTest, ValuesEndWhereTheyEnd) {
  for (const absl::string_view value :
       {"1", "-1.5e-3", "0", "true", "false", "null", "\"\"", "\"a\\\"b\"", "\"\\u00e9\\n\"", "{}",
        "[]", "[1]", "[[],{}]", "{\"a\":1,\"b\":[2,{\"c\":null}]}", "[ ]", "{ }",
        "{ \"a\" : [ 1 , 2 ] }"}) {
    EXPECT_EQ(Skip(value), static_cast<int>(value.size())) << value;
    for (const absl::string_view more : {",", "}", "]", " ", " x", "\"", ":"}) {
      EXPECT_EQ(Skip(absl::StrCat(value, more)), static_cast<int>(value.size())) << value << more;
    }
  }
}

TEST(SkipValueTest, ErrorsAreWhereTheyAre) {
  struct Row {
    absl::string_view text;
    int at;
  };
  const Row rows[] = {
      {"", 0},
      {"x", 0},
      {"tru", 0},
      {"nul", 0},
      {"fals", 0},
      {"[", 1},
      {"{", 1},
      {"[1", 2},
      {"[1,", 3},
      {"[1,]", 3},
      {"[,1]", 1},
      {"[1 2]", 3},
      {"{\"a\"}", 4},
      {"{\"a\":}", 5},
      {"{\"a\":1,}", 7},
      {"{a:1}", 1},
      {"{1:1}", 1},
      {"[1}", 2},
      {"{\"a\":1]", 6},
      {"\"a", 2},
      {"\"\\q\"", 1},
      {"\"\\u12g4\"", 1},
      {"\"a\nb\"", 2},
      {"-", 0},
      {"[01]", 2},
      {"[1.]", 1},
      {"[1e]", 1},
      {"[+1]", 1},
      {"[.5]", 1},
      {"[1,[2,[3,x]]]", 9},
      {"{\"a\\x\":1}", 3},
  };
  for (const Row& row : rows) EXPECT_EQ(Skip(row.text), -1 - row.at) << row.text;
}

TEST(SkipValueTest, Depth) {
  for (const int depth : {1, 2, 63, 64, 65, 128, 9999, 10000}) {
    const auto times = static_cast<size_t>(depth);
    const std::string lists = absl::StrCat(Repeat("[", times), Repeat("]", times));
    EXPECT_EQ(Skip(lists, depth), 2 * depth);
    EXPECT_EQ(Skip(lists, depth - 1), -depth);
    const std::string mixed =
        absl::StrCat(Repeat("[{\"a\":", times / 2), "0", Repeat("}]", times / 2));
    EXPECT_EQ(Skip(mixed, depth), static_cast<int>(mixed.size()));
  }
  EXPECT_LT(Skip(Repeat("[", 100000)), 0);
  EXPECT_EQ(Skip("1", 0), 1);
}

// Texts that are valid JSON, or nearly.
std::vector<std::string> MutatedTexts() {
  const std::vector<std::string> pieces = {
      "{",    "}",   "[",        "]",           ",",
      ":",    "\"",  "\"a\"",    "1",           "-0",
      "0",    "1.5", "1e5",      "true",        "false",
      "null", " ",   "\n",       "\\",          "\\u",
      "e",    "-",   "\"b\\n\"", "\"\\u0041\"", "\"\\ud83d\\ude00\"",
      "[]",   "{}",  "\"a\":",   ",\"b\":",     "\t",
      "."};
  const std::string base = R"({"a":[1,-2.5e3,true,null,{"b":"c\n\u00e9","d":[]}],"e":{"f":"\\"}})";
  oracle::Dice dice(20260102);
  std::vector<std::string> texts;
  for (int i = 0; i < 30000; ++i) {
    std::string text = i % 3 == 0 ? "" : base;
    for (size_t times = 1 + dice.Below(4); times > 0; --times) {
      const size_t at = dice.Below(text.size() + 1);
      if (dice.Below(2) == 0) text.erase(at, dice.Below(3));
      if (dice.Below(4) != 0)
        text.insert(std::min(at, text.size()), pieces[dice.Below(pieces.size())]);
    }
    texts.push_back(text);
  }
  return texts;
}

// Known differences: simdjson does not round numbers to infinity and refuses lone surrogates.
TEST(SkipValueTest, AcceptsWhatSimdjsonAccepts) {
  simdjson::dom::parser parser;
  int accepted = 0;
  for (const std::string& text : MutatedTexts()) {
    const simdjson::error_code error = parser.parse(text.data(), text.size()).error();
    if (error == simdjson::NUMBER_ERROR || error == simdjson::STRING_ERROR) continue;
    // Only white space after the value; white space before it is for callers.
    const Padded padded(text);
    const char* at = nullptr;
    const char* after = SkipValue(SkipSpace(padded.begin()), padded.end(), 1000, &at);
    if (after != nullptr) after = SkipSpace(after);
    EXPECT_EQ(after == padded.end(), error == simdjson::SUCCESS) << text << ": " << error;
    accepted += after == padded.end();
  }
  EXPECT_GT(accepted, 1000);
}

// ---- Plain objects

// Returns the size of the plain object at the beginning of `text`, or -1.
int PlainSize(absl::string_view text, int max_depth = kMaxJsonDepth) {
  const Padded padded(text);
  const char* after = SkipPlainObject(padded.begin(), padded.end(), max_depth);
  return after == nullptr ? -1 : static_cast<int>(after - padded.begin());
}

// Returns the size that a plain object has if the processor knows how to skip it.
int IfSupported(size_t size) {
#if defined(__x86_64__)
  return static_cast<int>(size);
#else
  return size == 0 ? 0 : -1;
#endif
}

void AppendPlainObject(oracle::Dice& dice, int depth, std::string& text) {
  static constexpr absl::string_view kNames[] = {
      "f:a",
      ".",
      "",
      "f:containers",
      R"(k:{\"name\":\"web\"})",
      R"(v:\"a\\\\\")",
      R"(\\)",
      "f:a name that is longer than a block of sixty-four bytes, to have one without brackets"};
  text += '{';
  for (size_t members = depth == 0 ? 0 : dice.Below(5); members > 0; --members) {
    absl::StrAppend(&text, text.back() == '{' ? "" : ",", "\"", kNames[dice.Below(8)], "\":");
    AppendPlainObject(dice, depth - 1, text);
  }
  text += '}';
}

TEST(SkipPlainObjectTest, ObjectsOfObjects_EndWhereTheyEnd) {
  oracle::Dice dice(20260103);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    AppendPlainObject(dice, static_cast<int>(dice.Below(7)), text);
    const int want = IfSupported(text.size());
    ASSERT_EQ(Skip(text), static_cast<int>(text.size())) << text;
    ASSERT_EQ(PlainSize(text), want) << text;
    for (const absl::string_view more : {",", "}", "]", " ", "\"", "{}", "\n"}) {
      ASSERT_EQ(PlainSize(absl::StrCat(text, more)), want) << text << more;
    }
    ASSERT_EQ(PlainSize(absl::string_view(text).substr(0, text.size() - 1)), -1) << text;
  }
}

TEST(SkipPlainObjectTest, OtherText_IsNotPlain) {
  for (const absl::string_view text : {"",
                                       "x",
                                       "[]",
                                       "null",
                                       "\"a\"",
                                       "{",
                                       "}",
                                       "{ }",
                                       R"({"a":1})",
                                       R"({"a":"b"})",
                                       R"({"a":[]})",
                                       R"({"a":null})",
                                       R"({"a": {}})",
                                       R"({"a" :{}})",
                                       R"( {"a":{}})",
                                       R"({"a":{},})",
                                       R"({,"a":{}})",
                                       R"({"a":{}"b":{}})",
                                       R"({"a"})",
                                       R"({"a":})",
                                       R"({:{}})",
                                       R"({{}})",
                                       R"({"a":{}{}})",
                                       R"({"a":{}:{}})",
                                       R"({"a\u0041":{}})",
                                       R"({"a\n":{}})",
                                       R"({"a\x":{}})",
                                       R"({\"a":{}})",
                                       "{\"a\n\":{}}",
                                       "{\"\xC3\xA9\":{}}",
                                       R"({"<":{}})",
                                       R"({">":{}})",
                                       R"({"&":{}})"}) {
    EXPECT_EQ(PlainSize(text), -1) << text;
  }
  EXPECT_EQ(PlainSize("{}x{}"), IfSupported(2));
}

TEST(SkipPlainObjectTest, Depth_IsLimited) {
  for (const int depth : {1, 2, 20, 9999, 10000}) {
    const auto times = static_cast<size_t>(depth) - 1;
    const std::string text = absl::StrCat(Repeat("{\"a\":", times), "{}", Repeat("}", times));
    // Near the limit the answer may be that SkipValue knows.
    EXPECT_EQ(PlainSize(text, depth + 64), IfSupported(text.size())) << depth;
    EXPECT_EQ(PlainSize(text, depth - 1), -1) << depth;
  }
}

// Whatever is accepted is what SkipValue accepts.
TEST(SkipPlainObjectTest, MutatedObjects_AreNotAcceptedWrongly) {
  oracle::Dice dice(20260104);
  constexpr absl::string_view kBytes = "{}[]:,\"\\ \n<a\x80";
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    AppendPlainObject(dice, 1 + static_cast<int>(dice.Below(4)), text);
    for (size_t times = 1 + dice.Below(3); times > 0 && !text.empty(); --times) {
      const size_t at = dice.Below(text.size());
      if (dice.Below(2) == 0) text.erase(at, 1 + dice.Below(2));
      const char byte = kBytes[dice.Below(kBytes.size())];
      if (dice.Below(3) != 0) text.insert(std::min(at, text.size()), 1, byte);
    }
    const int size = PlainSize(text);
    if (size < 0) continue;
    ++accepted;
    ASSERT_EQ(Skip(text), size) << text;
  }
  EXPECT_EQ(accepted > 100, IfSupported(1) == 1);
}

}  // namespace
}  // namespace kube::codec::internal
