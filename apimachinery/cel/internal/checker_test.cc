#include "apimachinery/cel/internal/checker.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/internal/library/kubernetes_library.h"
#include "apimachinery/cel/parse.h"
#include "apimachinery/cel/source.h"
#include "apimachinery/cel/type.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

class Pods final : public TypeProvider {
 public:
  bool HasStruct(absl::string_view name) const override { return name == "pod"; }
  TypePtr FindField(absl::string_view, absl::string_view field) const override {
    if (field == "name") return StringType();
    if (field == "ports") return ListType(IntType());
    return nullptr;
  }
};

Environment MakeEnvironment() {
  Environment environment;
  environment.AddVariable("self", StructType("pod"));
  environment.AddVariable("n", IntType());
  environment.AddVariable("labels", MapType(StringType(), StringType()));
  environment.AddVariable("any", DynType());
  environment.SetTypes(std::make_shared<const Pods>());
  return environment;
}

// Returns the type of an expression, or its defects.
std::string Check(absl::string_view text) {
  absl::StatusOr<Ast> ast = Parse(text);
  if (!ast.ok()) return std::string(ast.status().message());
  const Environment environment = MakeEnvironment();
  const std::vector<Issue> issues = CheckTypes(environment, KubernetesFunctions(), *ast);
  if (issues.empty()) return FormatType(*ast->root->type);
  return absl::StrJoin(issues, "; ", [](std::string* out, const Issue& issue) {
    absl::StrAppend(out, issue.location.column, ": ", issue.message);
  });
}

struct Row {
  const char* expression;
  const char* result;
};

class CheckerTest : public testing::TestWithParam<Row> {};

TEST_P(CheckerTest, FindsTheType) {
  EXPECT_EQ(Check(GetParam().expression), GetParam().result) << GetParam().expression;
}

INSTANTIATE_TEST_SUITE_P(
    Types, CheckerTest,
    testing::Values(
        Row{"1", "int"}, Row{"[]", "list(dyn)"}, Row{"[1]", "list(int)"},
        Row{"{'a': [1u]}", "map(string, list(uint))"}, Row{"n + 1 > 2", "bool"},
        Row{"self.name", "string"}, Row{"has(self.name)", "bool"}, Row{"labels.app", "string"},
        Row{"any.x.y[0]", "dyn"}, Row{"any + 1", "int"}, Row{"self.ports[0]", "int"},
        Row{"self.ports.map(p, string(p))", "list(string)"}, Row{"labels.all(k, k != '')", "bool"},
        Row{"true ? n : any", "dyn"}, Row{"int", "type(int)"}, Row{"type", "type(type)"},
        Row{"type(n)", "type(int)"}, Row{"google.protobuf.Duration", "type(duration)"},
        Row{"net.IP", "type(net.IP)"}, Row{"optional.of(n)", "optional_type(int)"},
        Row{"self.?name", "optional_type(string)"}, Row{"self.?name.orValue('')", "string"},
        Row{"[?optional.of(1)]", "list(int)"}, Row{"quantity('1').add(2)", "kubernetes.Quantity"},
        Row{"[[], [1]]", "list(list(int))"}, Row{"[1, 'a', 2]", "list(dyn)"},
        Row{"{1: 'a', 'b': 'c'}", "map(dyn, string)"}, Row{".n", "int"},
        Row{"timestamp('x') - timestamp('y')", "duration"}));

INSTANTIATE_TEST_SUITE_P(
    Defects, CheckerTest,
    testing::Values(
        Row{"x", "0: undeclared reference to 'x' (in container '')"},
        Row{"f(1)", "1: undeclared reference to 'f' (in container '')"},
        Row{"n.f()", "3: undeclared reference to 'f' (in container '')"},
        Row{"self.nam", "4: undefined field 'nam'"},
        Row{"n.x", "1: type 'int' does not support field selection"},
        Row{"n + 'a'", "2: found no matching overload for '_+_' applied to '(int, string)'"},
        Row{"n.size()", "6: found no matching overload for 'size' applied to 'int.()'"},
        Row{"n && true", "0: expected type 'bool' but found 'int'"},
        Row{"n.all(x, true)",
            "0: expression of type 'int' cannot be range of a comprehension "
            "(must be list, map, or dynamic)"},
        Row{"[?1]", "2: expected type 'optional_type(int)' but found 'int'"},
        Row{"foo.Bar{a: 1}", "7: undeclared reference to 'foo.Bar' (in container '')"},
        Row{"n{a: 1}", "1: 'int' is not a type; 3: unexpected failed resolution of 'n'"},
        Row{"int{a: 1}",
            "3: 'int' is not a message type; 5: unexpected failed resolution of "
            "'int'"},
        Row{"a + b",
            "0: undeclared reference to 'a' (in container ''); 4: undeclared reference to "
            "'b' (in container '')"}));

TEST(CheckerTreeTest, NamesAreResolved) {
  absl::StatusOr<Ast> ast = Parse("optional.of(google.protobuf.Duration)");
  ASSERT_TRUE(ast.ok());
  ASSERT_TRUE(CheckTypes(MakeEnvironment(), KubernetesFunctions(), *ast).empty());
  EXPECT_EQ(ast->root->name, "optional.of");
  EXPECT_EQ(ast->root->operand, nullptr);
  EXPECT_EQ(ast->root->overloads, std::vector<std::string>{"optional_of"});
  EXPECT_TRUE(ast->root->arguments[0]->names_type);
}

}  // namespace
}  // namespace kube::cel::internal
