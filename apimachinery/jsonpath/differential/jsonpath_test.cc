// Random paths in random objects: what client-go's util/jsonpath finds, and what the API server
// prints into columns.
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
#include "apimachinery/jsonpath/printer_column.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

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
    return Pick({"null", "true", "false", "0", "1", "2", "-1", "1.5", "1e21", "1.0", "\"x\"",
                 "\"y\"", "\"\"", "\"<&\\\"\"", "9223372036854775807", "1e6", "0.00001",
                 "\"1960-01-02T03:04:05Z\""});
  }

  std::string Operand() {
    return Pick({"@.a", "@.b", "@", "1", "2", "-1", "1.5", "\"x\"", "'y'", "true", "\"\"", "@.a.b",
                 "@.c[0]", "\"\\u0078\"", "@['d\\.e']"});
  }

  std::string Step() {
    switch (dice_.Below(8)) {
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

// Upstream takes the members of an object in random order, and a text's bytes for its members.
bool IsDeterministic(absl::string_view path) {
  return !absl::StrContains(path, ".*") && !absl::StrContains(path, "'*'");
}

TEST(JsonPathDifferentialTest, Find) {
  Maker maker;
  oracle::GoCases cases("jsonpath_oracle");
  int unsupported = 0;
  int supported = 0;
  for (int i = 0; i < 8'000; ++i) {
    const std::string path = maker.Path();
    const std::string json = maker.Object();
    const std::string go_path = path[0] == '{' ? path : absl::StrCat("{", path, "}");
    const std::string question = absl::StrCat(go_path, absl::string_view("\0", 1), json);
    const absl::StatusOr<JsonPath> strict = JsonPath::Parse(path);
    if (absl::IsUnimplemented(strict.status())) {
      ++unsupported;
      continue;
    }
    if (path.find('\0') != std::string::npos || !IsDeterministic(path)) continue;
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
    const std::string json = maker.Object();
    if (path[0] == '{' || path.find('\0') != std::string::npos || !IsDeterministic(path)) {
      continue;
    }
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

}  // namespace
}  // namespace kube::jsonpath
