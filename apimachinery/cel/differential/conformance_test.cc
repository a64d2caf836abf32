// The tests of the language definition, as an API server's environment answers them.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/format.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"
#include "tests/oracle/oracle.h"

namespace kube::cel {
namespace {

// The files that are not here are about protobuf messages (dynamic, enums, proto2, proto2_ext,
// proto3, wrappers), unknown values (unknowns), containers (namespace), or functions that
// Kubernetes does not have (bindings_ext, block_ext, encoders_ext, math_ext). Of those that are,
// the oracle leaves out tests with messages, with a container, and without macros.
constexpr absl::string_view kFiles[] = {
    "basic",    "comparisons", "conversions", "fields",     "fp_math",        "integer_math",
    "lists",    "logic",       "macros",      "macros2",    "optionals",      "parse",
    "plumbing", "string",      "string_ext",  "timestamps", "type_deduction",
};

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

std::string Unhex(absl::string_view digits) { return absl::HexStringToBytes(digits); }

std::string Answer(absl::string_view expression, const Environment& environment,
                   const Variables& variables) {
  const absl::StatusOr<Program> program = Program::Compile(expression, environment);
  if (!program.ok()) {
    const absl::string_view message = program.status().message();
    return absl::StrCat("refused: ",
                        absl::StrContains(message, "Syntax error") ? "syntax" : message);
  }
  Context context;
  const Program::Result result = program->Evaluate(context, variables);
  if (!result.value.ok()) return absl::StrCat("failed: ", result.value.status().message());
  return FormatValue(*result.value);
}

// Returns the value of an expression without variables.
Value Literal(absl::string_view expression) {
  const absl::StatusOr<Program> program = Program::Compile(expression, Environment());
  EXPECT_TRUE(program.ok()) << expression << ": " << program.status();
  if (!program.ok()) return Value();
  Context context;
  const Program::Result result = program->Evaluate(context, {});
  EXPECT_TRUE(result.value.ok()) << expression << ": " << result.value.status();
  return result.value.ok() ? *result.value : Value();
}

class ConformanceTest : public testing::TestWithParam<absl::string_view> {};

TEST_P(ConformanceTest, AnswersLikeAnApiServer) {
  const absl::StatusOr<std::string> folder = oracle::FindData("cel_conformance", "testdata");
  if (oracle::PrintSkipped(folder.status())) GTEST_SKIP();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string text =
      ReadFile(std::filesystem::path(*folder) / absl::StrCat(GetParam(), ".textproto"));
  ASSERT_FALSE(text.empty());
  const std::vector<oracle::GoQuestion> questions = {{.function = "conformance", .text = text}};
  const absl::StatusOr<std::vector<std::string>> answers = oracle::AskGo("cel_oracle", questions);
  if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_TRUE(answers.ok()) << answers.status();
  ASSERT_EQ(answers->size(), 1u);
  ASSERT_FALSE(absl::StartsWith(answers->front(), "error: ")) << answers->front();
  int tests = 0;
  for (const absl::string_view line : absl::StrSplit(answers->front(), ';', absl::SkipEmpty())) {
    const std::vector<std::string> fields = absl::StrSplit(line, ' ');
    ASSERT_GE(fields.size(), 3u);
    Environment environment;
    Variables variables;
    for (size_t i = 3; i + 1 < fields.size(); i += 2) {
      environment.AddVariable(Unhex(fields[i]), DynType());
      variables.insert_or_assign(Unhex(fields[i]), Literal(Unhex(fields[i + 1])));
    }
    const std::string expression = Unhex(fields[1]);
    EXPECT_EQ(Answer(expression, environment, variables), Unhex(fields[2]))
        << Unhex(fields[0]) << ": " << expression;
    ++tests;
  }
  EXPECT_GT(tests, 0);
}

INSTANTIATE_TEST_SUITE_P(Files, ConformanceTest, testing::ValuesIn(kFiles),
                         [](const testing::TestParamInfo<absl::string_view>& param) {
                           return std::string(param.param);
                         });

}  // namespace
}  // namespace kube::cel
