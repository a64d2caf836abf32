#include "apimachinery/cel/internal/validator.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/internal/checker.h"
#include "apimachinery/cel/internal/library/kubernetes_library.h"
#include "apimachinery/cel/parse.h"
#include "apimachinery/cel/source.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

std::string Validate(absl::string_view text) {
  absl::StatusOr<Ast> ast = Parse(text);
  if (!ast.ok()) return std::string(ast.status().message());
  if (!CheckTypes(Environment(), KubernetesFunctions(), *ast).empty()) return "no types";
  return absl::StrJoin(ValidateLiterals(*ast, KubernetesFunctions()), "; ",
                       [](std::string* out, const Issue& issue) {
                         absl::StrAppend(out, issue.location.column, ": ", issue.message);
                       });
}

TEST(ValidatorTest, Literals) {
  const struct {
    const char* expression;
    const char* issues;
  } kTests[] = {
      {"duration('1h') + duration(dyn('x'))", ""},
      {"duration('x')", "9: invalid duration argument"},
      {"timestamp('2020')", "10: invalid timestamp argument"},
      {"timestamp(1)", ""},
      {"'a'.matches('[')", "12: invalid matches argument"},
      {"matches('[', 'a')", "8: invalid matches argument"},
      {"[dyn(1), 2]", "9: expected type 'dyn' but found 'int'"},
      {"{'a': 1, 'b': dyn(2)}", "17: expected type 'int' but found 'dyn'"},
      {"[1, 'a', 2u]", "4: expected type 'int' but found 'string'"},
      {"{1: 'a', 'b': 2, 3u: 'c'}",
       "9: expected type 'int' but found 'string'; 14: expected type 'string' but found 'int'; "
       "17: expected type 'int' but found 'uint'"},
      {"'%s %s'.format([dyn(1), 'a'])", ""},
      {"'%s %s'.format([[1, 'a'], 2])", ""},
      {"'%d'.format(['a'])",
       "13: error during formatting: decimal clause can only be used on "
       "integers, was given string"},
      {"'%s'.format([quantity('1')])",
       "21: error during formatting: string clause can only be used on strings, bools, bytes, "
       "ints, "
       "doubles, maps, lists, types, durations, and timestamps, was given kubernetes.Quantity"},
      {"'%s'.format([])", "11: index 0 out of range"},
      {"'%q'.format([1])",
       "11: could not parse formatting clause: unrecognized formatting clause \"q\""},
      {"'a'.format([1])", "10: too many arguments supplied to string.format (expected 0, got 1)"},
      {"'%f'.format(['NaN'])", ""},
  };
  for (const auto& test : kTests) {
    EXPECT_EQ(Validate(test.expression), test.issues) << test.expression;
  }
}

}  // namespace
}  // namespace kube::cel::internal
