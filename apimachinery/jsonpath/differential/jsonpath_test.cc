// Random paths in random objects: what client-go's util/jsonpath finds, and what the API server
// prints into columns.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/jsonpath/json_path.h"
#include "apimachinery/jsonpath/json_path_template.h"
#include "apimachinery/jsonpath/printer_column.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"
#include "tests/oracle/oracle.h"

namespace kube::jsonpath {
namespace {

using unstructured::Value;

constexpr uint64_t kSeed = 53;

class Maker {
 public:
  std::string Object(int depth = 3) {
    std::string text = "{";
    for (absl::string_view key : {"a", "b", "c", "d.e", "f g"}) {
      if (dice_.Below(4) == 0) continue;
      absl::StrAppend(&text, text.size() > 1 ? "," : "", "\"", key, "\":", AnyValue(depth - 1));
    }
    return text + "}";
  }

  // An object in which no object has more than one member: Go takes them in random order.
  std::string NarrowObject(int depth = 4) {
    if (dice_.Below(9) == 0) return "{}";
    const std::string key = Pick({"a", "a", "b", "b", "c", "d.e"});
    return absl::StrCat("{\"", key, "\":", NarrowValue(depth - 1), "}");
  }

  std::string Template() {
    std::string text;
    size_t open = 0;
    for (size_t n = 1 + dice_.Below(7); n > 0; --n) {
      switch (dice_.Below(7)) {
        case 0:
          text += Pick({"x", "}", " ", "\n", "a b", "]"});
          break;
        case 1:
          text += Pick({"{\"\\t\"}", "{'y'}", "{5}", "{1.50}", "{-1}", "{true}", "{}", "{@}", "{$}",
                        "{foo}", "{.a 5}", "{1 .a}", "{\"x\".*}"});
          break;
        case 2:
          text += absl::StrCat("{range ", EasyPath(), "}");
          ++open;
          break;
        case 3:
        case 4:
          // Mostly the ends of ranges that are open.
          if (open == 0 && dice_.Below(20) > 0) break;
          text += "{end}";
          open -= open > 0 ? 1 : 0;
          break;
        default:
          text += absl::StrCat("{", EasyPath(), "}");
      }
    }
    return text;
  }

  std::string Path() {
    std::string path;
    for (size_t n = 1 + dice_.Below(4); n > 0; --n) path += Step();
    if (dice_.Below(4) == 0) path = oracle_.Next();
    return dice_.Below(4) == 0 ? absl::StrCat("{", path, "}") : path;
  }

  std::string Pick(std::initializer_list<absl::string_view> words) {
    return std::string(words.begin()[dice_.Below(words.size())]);
  }

 private:
  std::string Scalar() {
    return Pick({"null", "true", "false", "0", "1", "2", "-1", "1.5", "1e21", "1.0", "\"x\"",
                 "\"y\"", "\"\"", "\"<&\\\"\"", "9223372036854775807", "1e6", "0.00001",
                 "\"1960-01-02T03:04:05Z\""});
  }

  // A path that is mostly not an error, so that whole templates are not, either.
  std::string EasyPath() {
    if (dice_.Below(12) == 0) return Path();
    return Pick({".a", ".b", ".c", ".a.b", ".b.a", ".*", ".a.*", ".*.*", "..a", "..b", "..",
                 "['a','b']", "@", ".d\\.e", "..a..b", ".a[*]", ".*['b','a']"});
  }

  std::string NarrowValue(int depth) {
    if (depth <= 0 || dice_.Below(4) == 0) return Scalar();
    if (dice_.Below(2) == 0) return NarrowObject(depth);
    std::string text = "[";
    for (size_t n = dice_.Below(4); n > 0; --n) {
      absl::StrAppend(&text, text.size() > 1 ? "," : "", NarrowValue(depth - 1));
    }
    return text + "]";
  }

  std::string AnyValue(int depth) {
    if (depth > 0 && dice_.Below(3) == 0) return Object(depth);
    if (depth > 0 && dice_.Below(2) == 0) {
      std::string text = "[";
      for (size_t n = dice_.Below(4); n > 0; --n) {
        absl::StrAppend(&text, text.size() > 1 ? "," : "",
                        dice_.Below(2) == 0 ? Object(depth - 1) : AnyValue(depth - 1));
      }
      return text + "]";
    }
    return Scalar();
  }

  std::string Operand() {
    return Pick({"@.a", "@.b", "@", "1", "2", "-1", "1.5", "\"x\"", "'y'", "true", "\"\"", "@.a.b",
                 "@.c[0]", "\"\\u0078\"", "@['d\\.e']"});
  }

  std::string Step() {
    switch (dice_.Below(10)) {
      case 0:
        return Pick({"[0]", "[1]", "[-1]", "[-2]", "[*]", "[]", "[5]"});
      case 1:
        return Pick({"[0:2]", "[1:]", "[:-1]", "[::2]", "[2:1]", "[-2:]", "[0:0]", "[:9]",
                     "[0:3:-1]", "[ 0 ]", "[0:1:1:1]"});
      case 2:
        return Pick({"['a']", "['b']", "['d\\.e']", "['d.e']", "['f\\ g']", "['f g']", "['a']['b']",
                     "['']", "['*']"});
      case 3:
        return absl::StrCat("[?(", Operand(),
                            Pick({"==", "!=", "<", "<=", ">", ">=", "=", " == ", "=="}), Operand(),
                            ")]");
      case 4:
        return Pick({"[?(@.a)]", "[?(@.b)]", ".*", ".d\\.e", "[?(@.c[1])]", "[?(@)]"});
      case 5:
        return Pick({"['a','b']", "[0,1]", "[0, -1 ]", "['a','d\\.e']", "[*,0]", "['a','*']",
                     "[0,?(@.a)]", "['a,b']", "[,]", "['x','a']", "[1:,:1]", "['a}','b']"});
      case 6:
        return Pick({"..a", "..b", "..['a']", "..", "..[0]", "...a", "..[?(@.a)]", "..*", ".."});
      default:
        return Pick({".a", ".b", ".c"});
    }
  }

  oracle::Dice dice_{kSeed};
  oracle::TextMaker oracle_{kSeed,
                            {".a", ".a[0]", ".a['b']", ".a[?(@.b==\"x\")].c", "$.a.b", ".a[1:2]"},
                            {".",  "a", "b", "[",  "]", "?(", ")", "@", "\"", "'", "==",  "<", "0",
                             "-1", ":", "*", "\\", " ", "{",  "}", ",", "..", "x", "1.5", "\n"}};
};

std::string Show(const std::vector<const Value*>& found) {
  std::string text;
  for (const Value* value : found) {
    absl::StrAppend(&text, unstructured::EncodeJson(*value).value(), ";");
  }
  return text;
}

std::string Printed(const std::vector<const Value*>& found) {
  std::string text;
  for (const Value* value : found) {
    absl::StrAppend(&text, text.empty() && value == found[0] ? "" : " ", Print(*value).value());
  }
  return text;
}

bool HasWildcard(absl::string_view path) {
  return absl::StrContains(path, ".*") || absl::StrContains(path, "'*'");
}

// Upstream takes the members of an object in random order.
bool IsDeterministic(absl::string_view path) {
  return !HasWildcard(path) && !absl::StrContains(path, "..");
}

// Both sides may say different things about the same error: upstream's words for what cannot be
// filtered have the whole value in them, and a constant is of Go's other type of integers.
std::string Normal(std::string answer) {
  if (absl::StartsWith(answer, "error: ") && absl::EndsWith(answer, "cannot be filtered")) {
    return "error: cannot be filtered";
  }
  if (answer == "error: int is not array or slice") return "error: int64 is not array or slice";
  return answer;
}

std::string Fill(absl::string_view text, const Value& object,
                 const JsonPathTemplateOptions& options) {
  const absl::StatusOr<JsonPathTemplate> parsed = JsonPathTemplate::Parse(text, options);
  if (!parsed.ok()) {
    absl::string_view message = parsed.status().message();
    EXPECT_TRUE(absl::ConsumePrefix(
        &message, absl::StrCat("parse template \"", absl::Utf8SafeCHexEscape(text), "\": ")));
    return absl::StrCat("error: parse: ", message);
  }
  const absl::StatusOr<std::string> filled = parsed->Execute(object);
  return filled.ok() ? *filled : absl::StrCat("error: ", filled.status().message());
}

TEST(JsonPathDifferentialTest, Find) {
  Maker maker;
  oracle::GoCases cases("jsonpath_oracle");
  int unsupported = 0;
  int supported = 0;
  for (int i = 0; i < 8'000; ++i) {
    const std::string path = maker.Path();
    const std::string json = IsDeterministic(path) ? maker.Object() : maker.NarrowObject();
    const std::string go_path = path[0] == '{' ? path : absl::StrCat("{", path, "}");
    const std::string question = absl::StrCat(go_path, absl::string_view("\0", 1), json);
    const absl::StatusOr<JsonPath> strict = JsonPath::Parse(path);
    if (absl::IsUnimplemented(strict.status())) {
      ++unsupported;
      continue;
    }
    if (path.find('\0') != std::string::npos) continue;
    ++supported;
    if (!strict.ok()) {
      absl::string_view message = strict.status().message();
      ASSERT_TRUE(absl::ConsumePrefix(
          &message, absl::StrCat("parse path \"", absl::Utf8SafeCHexEscape(path), "\": ")));
      cases.Add("find", question, absl::StrCat("error: parse: ", message));
      continue;
    }
    const Value object = unstructured::ParseJson(json).value();
    for (const bool lenient : {false, true}) {
      const JsonPath parsed = JsonPath::Parse(path, {.allow_missing_keys = lenient}).value();
      const absl::StatusOr<std::vector<const Value*>> found = parsed.Find(object);
      const std::string ours = found.ok() ? Show(*found) : oracle::ErrorAnswer(found.status());
      // Upstream's words for what cannot be filtered have the whole value in them.
      const bool other_words = absl::StrContains(ours, "cannot be filtered");
      cases.Add(lenient ? "lenient" : "find", question,
                other_words ? oracle::GoCases::kError : ours);
      if (found.ok() && lenient) cases.Add("print", question, Printed(*found));
    }
  }
  EXPECT_GT(supported, unsupported);
  cases.Check();
}

TEST(JsonPathDifferentialTest, Columns) {
  Maker maker;
  oracle::GoCases cases("jsonpath_oracle");
  for (int i = 0; i < 4'000; ++i) {
    const std::string type = maker.Pick({"string", "integer", "number", "boolean", "date", "x"});
    const std::string path = maker.Path();
    const std::string json = IsDeterministic(path) ? maker.Object() : maker.NarrowObject();
    // Upstream's bytes of a text are not integers for columns.
    if (path[0] == '{' || path.find('\0') != std::string::npos || HasWildcard(path)) continue;
    const absl::StatusOr<PrinterColumn> column = PrinterColumn::Make(type, path);
    if (absl::IsUnimplemented(column.status())) continue;
    std::string ours = oracle::GoCases::kError;
    if (column.ok()) {
      // Go looks at the clock for an age.
      const Value cell = column->Cell(unstructured::ParseJson(json).value(), absl::UnixEpoch());
      if (type == "date" && cell.is_string() && *cell.text() != "<invalid>" &&
          *cell.text() != "<unknown>") {
        continue;
      }
      // Beyond 64 bits Go's result depends on the processor.
      if (type == "integer" && cell == Value(std::numeric_limits<int64_t>::max())) continue;
      ours = unstructured::EncodeJson(cell).value();
    }
    cases.Add(
        "column",
        absl::StrCat(type, absl::string_view("\0", 1), path, absl::string_view("\0", 1), json),
        ours);
  }
  cases.Check();
}

// Templates that people write, on an object that each of them suits.
std::vector<std::string> KnownTemplates() {
  return {
      "{.kind}",
      "{.items[*].metadata.name}",
      "{.items[0,2].metadata.name} {.items[-1:].metadata.name} {.items[::2].metadata.name}",
      "{range .items[*]}{.metadata.name}{\"\\t\"}{.status.phase}{\"\\n\"}{end}",
      "{range .items[*]}{.metadata.name}: {range .spec.containers[*]}{.image}, {end}{end}done",
      "{.items[*]['metadata.name', 'status.capacity']}",
      "{.items[?(@.status.phase==\"Running\")].metadata.name}",
      "{.items[?(@.metadata.labels.app)].metadata.labels.app}",
      "{.items[?(@.n>=2)].n} {.items[?(@.n<2)].n} {.items[?(@.n!=2)].n}",
      "{.items[*].spec} {.items[0]} {.ratio} {.big} {.on} {.none}",
      "{range .items[*].spec.containers[*]}{@.image}{','}{end}",
      "{range .none[*]}{.a}{end}{range .items[5:5]}x{end}{end}",
      "{.items[7]}",
      "{.items[1:0]}",
      "{.items[::0]}",
      "{.kind[0]}",
      "{.a['",
      "{range .items[*]}{.metadata.name}",
  };
}

constexpr absl::string_view kKnownObject = R"({
  "kind": "List", "ratio": 2500000.25, "big": 12345678901234567890, "on": true, "none": null,
  "items": [
    {"metadata": {"name": "a", "labels": {"app": "x<y"}}, "status": {"phase": "Running"}, "n": 1,
     "spec": {"containers": [{"image": "one:1"}, {"image": "two:2"}]}},
    {"metadata": {"name": "b"}, "status": {"phase": "Pending", "capacity": {"cpu": "4"}}, "n": 2,
     "spec": {"containers": [{"image": "one:1"}]}},
    {"metadata": {"name": "c"}, "status": {"phase": "Running"}, "n": 3, "spec": {"containers": []}}
  ]})";

TEST(JsonPathDifferentialTest, Templates) {
  Maker maker;
  std::vector<oracle::GoQuestion> questions;
  std::vector<std::string> ours;
  const auto add = [&](absl::string_view text, absl::string_view json) {
    const Value object = unstructured::ParseJson(json).value();
    const std::string question = absl::StrCat(text, absl::string_view("\0", 1), json);
    questions.push_back({"template", question});
    ours.push_back(Fill(text, object, {}));
    questions.push_back({"lenient_template", question});
    ours.push_back(Fill(text, object, {.allow_missing_keys = true}));
    questions.push_back({"json_template", question});
    ours.push_back(Fill(text, object, {.allow_missing_keys = true, .output_json = true}));
  };
  for (const std::string& text : KnownTemplates()) add(text, kKnownObject);
  for (int i = 0; i < 6'000; ++i) {
    const std::string text = maker.Template();
    if (text.find('\0') != std::string::npos) continue;
    add(text, maker.NarrowObject());
  }
  const auto answers = oracle::AskGo("jsonpath_oracle", questions);
  if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_TRUE(answers.ok()) << answers.status();
  size_t filled = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    const std::string& theirs = (*answers)[i];
    // Upstream's code panics if it indexes, or prints as JSON, a value that does not exist.
    if (absl::StartsWith(theirs, "error: panic: ")) continue;
    if (!absl::StartsWith(theirs, "error: ")) ++filled;
    EXPECT_EQ(Normal(ours[i]), Normal(theirs))
        << questions[i].function << " of \"" << absl::CHexEscape(questions[i].text) << "\"";
  }
  EXPECT_GT(filled, ours.size() / 10);
}

}  // namespace
}  // namespace kube::jsonpath
