// Compares both directions with the Go code that they follow.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::codec {
namespace {

struct Request {
  std::string operation;
  std::string text;
};

struct Answer {
  bool ok = false;
  // Or the message.
  std::string text;
};

std::vector<Answer> AskGo(const std::string& program, const std::vector<Request>& requests) {
  std::string input;
  for (const Request& request : requests) {
    absl::StrAppend(&input, request.operation, " ", absl::Base64Escape(request.text), "\n");
  }
  const absl::StatusOr<std::string> output = oracle::RunProgram(program, {.input = input});
  EXPECT_TRUE(output.ok()) << output.status();
  std::vector<Answer> answers;
  if (!output.ok()) return answers;
  for (const absl::string_view line : absl::StrSplit(*output, '\n', absl::SkipEmpty())) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    Answer& answer = answers.emplace_back();
    answer.ok = words[0] == "ok";
    absl::Base64Unescape(words[1], &answer.text);
  }
  return answers;
}

Answer ToAnswer(const absl::StatusOr<std::string>& result) {
  return {result.ok(), result.ok() ? *result : std::string(result.status().message())};
}

std::string Split(absl::string_view stream) {
  std::string all;
  YamlDocuments documents(stream);
  while (true) {
    const absl::StatusOr<std::optional<YamlDocument>> document = documents.Next();
    if (document.ok() && !document->has_value()) return all;
    absl::StrAppend(&all, document.ok() ? (*document)->text : "error", "\n=====\n");
    if (!document.ok()) return all;
  }
}

Answer Convert(const Request& request) {
  if (request.operation == "out") return ToAnswer(JsonToYaml(request.text));
  if (request.operation == "guess") return {true, LooksLikeJson(request.text) ? "true" : "false"};
  if (request.operation == "split") return {true, Split(request.text)};
  absl::StatusOr<JsonFromYaml> json =
      YamlToJson(request.text, {.strict = request.operation == "strict"});
  if (!json.ok()) return {false, std::string(json.status().message())};
  return {true, json->json};
}

class YamlOracleTest : public testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::string> program = oracle::FindData("oracles", "yaml_oracle");
    if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
    ASSERT_TRUE(program.ok()) << program.status();
    program_ = *program;
  }

  // Both must give the same result, or both refuse the text. `refused` limits how many texts that
  // Go accepts may be refused here, because the differences in the headers are rare.
  void Compare(const std::vector<Request>& requests, size_t refused = 0) {
    const std::vector<Answer> theirs = AskGo(program_, requests);
    ASSERT_EQ(theirs.size(), requests.size());
    size_t accepted = 0;
    for (size_t i = 0; i < requests.size(); ++i) {
      const Answer ours = Convert(requests[i]);
      if (!ours.ok && theirs[i].ok && refused > 0) {
        --refused;
        continue;
      }
      if (ours.ok) ++accepted;
      EXPECT_EQ(ours.ok, theirs[i].ok) << Describe(requests[i], ours, theirs[i]);
      if (ours.ok && theirs[i].ok) {
        EXPECT_EQ(ours.text, theirs[i].text) << Describe(requests[i], ours, theirs[i]);
      }
    }
    // If no text were accepted, the test would prove nothing.
    EXPECT_GT(accepted, requests.size() / 4);
  }

  std::string program_;

 private:
  static std::string Describe(const Request& request, const Answer& ours, const Answer& theirs) {
    return absl::StrCat(request.operation, " \"", absl::Utf8SafeCEscape(request.text),
                        "\"\nours:   ", ours.text, "\ntheirs: ", theirs.text);
  }
};

// The same numbers on every platform, from a seed that a failure prints.
class Generator {
 public:
  explicit Generator(uint64_t seed) : state_(seed) {}

  // SplitMix64.
  size_t Below(size_t limit) {
    uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return (z ^ (z >> 31)) % limit;
  }

  template <typename T>
  const T& Pick(const std::vector<T>& from) {
    return from[Below(from.size())];
  }

  std::string Concatenate(const std::vector<std::string>& pieces, size_t max_count) {
    std::string out;
    for (size_t count = Below(max_count + 1); count > 0; --count) out += Pick(pieces);
    return out;
  }

 private:
  uint64_t state_;
};

constexpr uint64_t kSeed = 20261121;

std::vector<std::string> Characters(absl::string_view characters) {
  std::vector<std::string> pieces;
  for (const char c : characters) pieces.emplace_back(1, c);
  return pieces;
}

// Texts that look like a number, a date or markup, or need escapes. Unicode line breaks and the
// characters that Go's parser refuses are left out: see the headers.
std::vector<std::string> NastyPieces() {
  std::vector<std::string> pieces =
      Characters("0123456789+-._eExXoObBaAfFnNyYtT~:,'\"#&*!|>%@`?{}[] \t\n\\=<");
  for (const char* word : {"null",
                           "true",
                           "yes",
                           "0x",
                           "0b",
                           "0o",
                           "1_0",
                           "e+",
                           "2001-01-01",
                           "T",
                           "Z",
                           "12:30:45",
                           ".5",
                           ".inf",
                           ".nan",
                           "---",
                           "...",
                           "- ",
                           ": ",
                           " #",
                           "\xC3\xA9",
                           "\xE4\xB8\xAD",
                           "  ",
                           "\n\n",
                           "\xF0\x9F\x98\x80",
                           "a long word and another one, and so on, "}) {
    pieces.emplace_back(word);
  }
  return pieces;
}

std::string NastyScalar(Generator& generator) {
  static const std::vector<std::string> pieces = NastyPieces();
  static const std::vector<std::string> numbers = Characters("0123456789+-._eExob:TZ ,");
  if (generator.Below(3) == 0) return generator.Concatenate(numbers, 12);
  return generator.Concatenate(pieces, 8);
}

std::string Quoted(absl::string_view text) {
  return absl::StrCat(
      "\"",
      absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}, {"\n", "\\n"}, {"\t", "\\t"}}),
      "\"");
}

TEST_F(YamlOracleTest, WritesNastyStrings) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  Generator generator(kSeed);
  std::vector<Request> requests;
  for (int i = 0; i < 10000; ++i) {
    const std::string text = Quoted(NastyScalar(generator));
    const std::vector<std::string> documents = {
        absl::StrCat("{\"a\":", text, "}"), absl::StrCat("[[", text, ",1],", text, "]"), text,
        absl::StrCat("{", text, ":{\"b\":[", text, "]}}"),
        absl::StrCat("{", Quoted(NastyScalar(generator) + std::string(125, 'k')), ":[", text,
                     "]}")};
    requests.push_back({"out", generator.Pick(documents)});
  }
  Compare(requests);
}

TEST_F(YamlOracleTest, WritesNumbers) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  Generator generator(kSeed);
  const std::vector<std::string> digits = Characters("0123456789");
  std::vector<Request> requests;
  for (int i = 0; i < 10000; ++i) {
    std::string number = generator.Pick<std::string>({"", "-"});
    number += generator.Pick<std::string>({"0", "9" + generator.Concatenate(digits, 24)});
    number += generator.Pick<std::string>({"", ".0", ".5" + generator.Concatenate(digits, 20)});
    number += generator.Pick<std::string>({"", "", "e", "E+", "e-"});
    if (!absl::ascii_isdigit(static_cast<unsigned char>(number.back())))
      absl::StrAppend(&number, generator.Below(400));
    requests.push_back({"out", absl::StrCat("{\"a\":[", number, "]}")});
  }
  Compare(requests);
}

TEST_F(YamlOracleTest, SortsKeys) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  Generator generator(kSeed);
  // If digits meet letters, Go's order of keys depends on the random order of its map. A letter in
  // front prevents this.
  const std::vector<std::string> pieces = {"0", "1", "2", "00",   "10",          "-",
                                           "_", ".", "/", "007",  "\xC3\xA9",    "12",
                                           "9", ":", "a", "b.c1", "\xE4\xB8\xAD"};
  const std::vector<std::string> digits = Characters("0123456789-_./");
  std::vector<Request> requests;
  for (int i = 0; i < 2000; ++i) {
    std::string object = "{\"\":0";
    for (int k = 0; k < 5; ++k) {
      const std::string key =
          i % 2 == 0 ? "a" + generator.Concatenate(digits, 6) : generator.Pick(pieces) + "=";
      if (!absl::StrContains(object, Quoted(key))) {
        absl::StrAppend(&object, ",", Quoted(key), ":0");
      }
    }
    requests.push_back({"out", object + "}"});
  }
  Compare(requests);
}

TEST_F(YamlOracleTest, ReadsNastyScalars) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  Generator generator(kSeed);
  const std::vector<std::string> tags = {"str", "int", "float", "bool", "null", "timestamp"};
  std::vector<Request> requests;
  for (int i = 0; i < 10000; ++i) {
    const std::string text = NastyScalar(generator);
    const std::vector<std::string> documents = {
        absl::StrCat("a: ", text),
        absl::StrCat("- ", text),
        absl::StrCat("[", text, ", b]"),
        absl::StrCat(text, ": x"),
        absl::StrCat("a: ", Quoted(text)),
        absl::StrCat("a: '", absl::StrReplaceAll(text, {{"'", "''"}}), "'"),
        absl::StrCat("a: !!", generator.Pick(tags), " ", Quoted(text)),
        absl::StrCat("a: |\n  ", text, "\n"),
        absl::StrCat("a:\n- >-\n ", text)};
    requests.push_back({"in", generator.Pick(documents)});
  }
  Compare(requests, 60);
}

// Includes characters for which encoding/json has an escape.
TEST_F(YamlOracleTest, ReadsEveryCharacterByItsEscape) {
  std::vector<Request> requests;
  const auto add = [&requests](int first, int last) {
    for (int code = first; code <= last; ++code) {
      const std::string escape = absl::StrFormat("\\u%04x", code);
      requests.push_back({"in", absl::StrCat("a: \"", escape, "\"")});
      requests.push_back({"in", absl::StrCat("\"x", escape, "y\": 1")});
    }
  };
  add(0, 0x2ff);
  add(0x2000, 0x2060);
  add(0xd7f0, 0xd7ff);
  add(0xe000, 0xe010);
  add(0xfe00, 0xffff);
  for (const char* escape : {"\\0", "\\a", "\\b", "\\t", "\\n", "\\v", "\\f", "\\r", "\\e", "\\ ",
                             "\\\"", "\\\\", "\\N", "\\_", "\\L", "\\P"}) {
    requests.push_back({"in", absl::StrCat("a: \"", escape, "\"")});
  }
  Compare(requests);
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The documents that the fuzzer starts from, which cover most of YAML.
std::vector<std::string> Documents() {
  std::vector<std::string> documents;
  for (const char* name : {"aliases", "anchors", "blocks", "directive", "json", "multiline",
                           "plain", "pod", "quoted", "scalars", "sequences", "differences"}) {
    const std::string text =
        ReadFile(absl::StrCat("apimachinery/codec/yaml/testdata/yaml_fuzz/", name, ".yaml"));
    EXPECT_FALSE(text.empty()) << name;
    documents.push_back(text);
  }
  return documents;
}

std::string Mutate(Generator& generator, std::string text) {
  static const std::vector<std::string> kPieces = {
      "\n",   "  ", " ",     "- ",    ": ",  "#",         " # c", "\"",   "'",   "|",
      ">",    "|-", ">+",    "&a ",   "*a",  "!!str ",    "!x ",  "[",    "]",   "{",
      "}",    ", ", "---\n", "...\n", "\t",  "<<: *a",    "~",    "null", "\\n", "\\",
      "\r\n", "%",  "@",     "yes",   "0x1", "\xC3\xA9",  "a",    "\n\n", ":",   "-",
      "1",    "? ", "?",     ",",     "\\'", "%TAG ! x\n"};
  for (size_t count = 1 + generator.Below(3); count > 0; --count) {
    const size_t at = generator.Below(text.size() + 1);
    const size_t size = std::min(generator.Below(5), text.size() - at);
    if (generator.Below(2) == 0) {
      text.insert(at, generator.Pick(kPieces));
    } else {
      text.replace(at, size, generator.Below(2) == 0 ? "" : generator.Pick(kPieces));
    }
  }
  return text;
}

TEST_F(YamlOracleTest, ReadsMutatedDocuments) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  Generator generator(kSeed);
  const std::vector<std::string> documents = Documents();
  std::vector<Request> requests;
  for (const std::string& document : documents) requests.push_back({"in", document});
  for (int i = 0; i < 10000; ++i) {
    requests.push_back({generator.Pick<std::string>({"in", "in", "strict"}),
                        Mutate(generator, generator.Pick(documents))});
  }
  Compare(requests, 125);
}

TEST_F(YamlOracleTest, SplitsStreams) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  Generator generator(kSeed);
  const std::vector<std::string> pieces = {"---\n",   "--- # c\n", "a: 1\n",  "\n",  "# c\n",
                                           "----\n",  " ---\n",    "--- a\n", "---", "b",
                                           "---  \n", "...\n",     "a---\n",  "\"\n"};
  std::vector<Request> requests;
  for (int i = 0; i < 2000; ++i) {
    requests.push_back({"split", generator.Concatenate(pieces, 8)});
  }
  const std::vector<Answer> theirs = AskGo(program_, requests);
  ASSERT_EQ(theirs.size(), requests.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(Split(requests[i].text), theirs[i].text) << absl::CEscape(requests[i].text);
  }
}

TEST_F(YamlOracleTest, GuessesJson) {
  std::vector<Request> requests;
  for (const char* text : {"{", " \t\r\n\v\f{}", "[", "", "a{", "\xC2\xA0{", "\xE3\x80\x80{",
                           "\xE2\x80\x8B{", "\xEF\xBB\xBF{", "\xC2{", "\xC2\x85\xE2\x80\xA8{"}) {
    requests.push_back({"guess", text});
  }
  Compare(requests);
}

// Objects of every Kubernetes kind, as Kubernetes wrote them.
TEST_F(YamlOracleTest, RoundTripsOfficialFixtures) {
  const absl::StatusOr<std::string> folder = oracle::FindData("k8s_api_testdata", "HEAD");
  if (oracle::PrintSkipped(folder.status())) GTEST_SKIP();
  ASSERT_TRUE(folder.ok()) << folder.status();
  std::vector<Request> requests;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    if (entry.path().extension() == ".yaml") requests.push_back({"in", ReadFile(entry.path())});
  }
  EXPECT_GT(requests.size(), 100u);
  Compare(requests);
  for (const Request& request : requests) {
    const absl::StatusOr<JsonFromYaml> json = YamlToJson(request.text, {.strict = true});
    ASSERT_TRUE(json.ok()) << json.status();
    const absl::StatusOr<std::string> yaml = JsonToYaml(json->json);
    ASSERT_TRUE(yaml.ok()) << yaml.status();
    EXPECT_EQ(*yaml, request.text);
  }
}

}  // namespace
}  // namespace kube::codec
