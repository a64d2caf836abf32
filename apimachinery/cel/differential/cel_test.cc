// Random expressions: what an API server's environment makes of them, and what it says their
// evaluation costs.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/differential/expression_maker.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/format.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"
#include "tests/oracle/oracle.h"

namespace kube::cel {
namespace {

uint64_t Setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  uint64_t value = 0;
  return text != nullptr && absl::SimpleAtoi(text, &value) ? value : otherwise;
}

uint64_t Seed() {
  const uint64_t seed = Setting("CEL_SEED", 60);
  std::cout << "seed " << seed << "\n";
  return seed;
}

// Maps have one member where Go's random order would show.
constexpr absl::string_view kObject =
    R"({"a": 1, "b": [1, 2.5, "x", null], "c": {"d": "e"}, "f": -3, "g": "10.0.0.1", "h": true,
        "i": [{"name": "x", "port": 80}, {"name": "y", "port": 443}], "j": {}})";

struct Answer {
  std::string text;
  std::string cost;
};

Answer Evaluate(absl::string_view expression) {
  Environment environment;
  environment.AddVariable("self", DynType());
  environment.AddVariable("n", IntType());
  environment.AddVariable("s", StringType());
  environment.AddVariable("l", ListType(IntType()));
  const absl::StatusOr<Program> program = Program::Compile(expression, environment);
  if (!program.ok()) {
    const absl::string_view message = program.status().message();
    return {.text = absl::StrCat("refused: ",
                                 absl::StrContains(message, "Syntax error") ? "syntax" : message),
            .cost = ""};
  }
  const unstructured::Value self = unstructured::ParseJson(kObject).value();
  const Variables variables = {
      {"self", ToValue(self)},
      {"n", Value::FromInt(7)},
      {"s", Value::FromString("text")},
      {"l", Value::FromList({Value::FromInt(1), Value::FromInt(2), Value::FromInt(3)})}};
  Context context;
  const Program::Result result = program->Evaluate(context, variables);
  if (!result.value.ok()) {
    return {.text = absl::StrCat("failed: ", result.value.status().message()), .cost = ""};
  }
  return {.text = FormatValue(*result.value), .cost = absl::StrCat(result.cost)};
}

// Removes the numbers of type variables (_var6): cel-go numbers those of an overload in the random
// order of a Go map.
std::string WithoutNumbers(absl::string_view text) {
  constexpr absl::string_view kVariable = "_var";
  std::string out;
  for (size_t at = text.find(kVariable); at != text.npos; at = text.find(kVariable)) {
    absl::StrAppend(&out, text.substr(0, at + kVariable.size()));
    text.remove_prefix(at + kVariable.size());
    while (!text.empty() && absl::ascii_isdigit(static_cast<unsigned char>(text[0]))) {
      text.remove_prefix(1);
    }
  }
  return absl::StrCat(out, text);
}

// Returns what of an answer must be the same.
std::string Comparable(absl::string_view answer) {
  // A Go type follows. The oracle's objects are plain Go values, an API server's are not.
  constexpr absl::string_view kQualifier = "invalid qualifier type: ";
  const size_t at = answer.find(kQualifier);
  return WithoutNumbers(at == answer.npos ? answer : answer.substr(0, at + kQualifier.size()));
}

// Expressions with our answers, to be compared with those of cel-go.
class Comparison {
 public:
  // The function is one of the oracle's.
  void Add(absl::string_view function, absl::string_view expression, absl::string_view ours) {
    const std::string text = absl::StrCat(expression, absl::string_view("\0", 1), kObject);
    questions_.push_back({.function = std::string(function), .text = text});
    ours_.emplace_back(ours);
  }

  void Check() const {
    const absl::StatusOr<std::vector<std::string>> answers =
        oracle::AskGo("cel_oracle", questions_);
    if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
    ASSERT_TRUE(answers.ok()) << answers.status();
    size_t skipped = 0;
    for (size_t i = 0; i < ours_.size(); ++i) {
      const std::string& answer = (*answers)[i];
      if (IsCrash(answer) || absl::StrContains(ours_[i], kStrangeKey)) {
        ++skipped;
      } else {
        EXPECT_EQ(Comparable(ours_[i]), Comparable(answer))
            << questions_[i].function << " of \"" << absl::CHexEscape(questions_[i].text) << "\"";
      }
    }
    EXPECT_LE(skipped, ours_.size() / 20);
  }

 private:
  // cel-go crashes where sort() or distinct() is called on an error, and where an optional element
  // is of type dyn: what it answers then, and that even an operand that does not matter fails, is
  // not worth imitating. There is no cost, either; that the cost of another failure would be
  // missing, the comparison of values has shown.
  static bool IsCrash(absl::string_view answer) {
    return answer.empty() || absl::StrContains(answer, "internal error: ");
  }

  // cel-go accepts lists and maps as keys, and does not find them again.
  static constexpr absl::string_view kStrangeKey = "unsupported key type: ";

  std::vector<oracle::GoQuestion> questions_;
  std::vector<std::string> ours_;
};

TEST(CelDifferentialTest, Values) {
  ExpressionMaker maker(Seed());
  Comparison values;
  const uint64_t count = Setting("CEL_CASES", 6'000);
  uint64_t with_value = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const std::string expression = maker.Any(static_cast<int>(1 + i % 4));
    const Answer answer = Evaluate(expression);
    if (!answer.cost.empty()) ++with_value;
    values.Add("evaluate", expression, answer.text);
  }
  EXPECT_GT(with_value, count / 6);
  values.Check();
}

TEST(CelDifferentialTest, Costs) {
  ExpressionMaker maker(Seed());
  Comparison costs;
  const uint64_t count = Setting("CEL_CASES", 6'000);
  for (uint64_t i = 0; i < count; ++i) {
    const std::string expression = maker.Any(static_cast<int>(1 + i % 4));
    const Answer answer = Evaluate(expression);
    if (!answer.cost.empty()) costs.Add("cost", expression, answer.cost);
  }
  costs.Check();
}

TEST(CelDifferentialTest, Texts) {
  oracle::TextMaker texts(
      Seed(),
      {"self.a == 1 && has(self.c.d)", "l.map(x, x + 1).filter(y, y > n)",
       "s.matches(r'^a+$') ? {'a': n} : {}", "[1, ?optional.none(), 2u]", "'a' + \"b\" + b'c'",
       "size(s) - n * 0x1F % 3", "type(1.5) == double || null in [null]"},
      {"self", "n",  "s",  "l",    ".a", ".all(x, ", "(",        ")",    "[",    "]",    "{",
       "}",    "'",  "\"", "1",    "2u", "1.5",      "==",       "&&",   "||",   "?",    ":",
       "+",    "-",  "!",  " in ", ",",  "has(",     "size(",    "true", "null", "int(", "x",
       "\\n",  "//", "r'", "b\"",  " ",  "\n",       "\xc3\xa4", "`"});
  Comparison cases;
  const uint64_t count = Setting("CEL_CASES", 6'000);
  for (uint64_t i = 0; i < count; ++i) {
    const std::string text = texts.Next();
    // The object stands behind a zero byte.
    if (absl::StrContains(text, absl::string_view("\0", 1))) continue;
    cases.Add("evaluate", text, Evaluate(text).text);
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::cel
