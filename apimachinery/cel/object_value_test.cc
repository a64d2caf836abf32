#include "apimachinery/cel/object_value.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

// Objects of any fields, and patches, whose path is a string.
class Types final : public TypeProvider {
 public:
  bool HasStruct(absl::string_view name) const override { return CanMake(name); }
  TypePtr FindField(absl::string_view struct_name, absl::string_view field) const override {
    if (struct_name != "JSONPatch") return DynType();
    if (field == "path") return StringType();
    return field == "value" ? DynType() : nullptr;
  }
  bool CanMake(absl::string_view name) const override {
    return name == "JSONPatch" || name == "Object" || absl::StartsWith(name, "Object.");
  }
};

Environment MakingEnvironment() {
  Environment environment;
  environment.SetTypes(std::make_shared<const Types>());
  environment.AllowJsonPatch();
  return environment;
}

// Returns the value of an expression as JSON, or its error.
std::string Evaluate(absl::string_view expression,
                     const Environment& environment = MakingEnvironment()) {
  const absl::StatusOr<Program> program = Program::Compile(expression, environment);
  if (!program.ok()) return std::string(program.status().message());
  const Program::Result result = program->Evaluate(Context(), {});
  if (!result.value.ok()) return std::string(result.value.status().message());
  const absl::StatusOr<unstructured::Value> json = ToJson(*result.value);
  if (!json.ok()) return std::string(json.status().message());
  return unstructured::EncodeJson(*json).value_or("");
}

struct Row {
  const char* name;
  const char* expression;
  const char* result;
};

class MadeObjects : public testing::TestWithParam<Row> {};

TEST_P(MadeObjects, AreEvaluated) {
  EXPECT_THAT(Evaluate(GetParam().expression), HasSubstr(GetParam().result));
}

INSTANTIATE_TEST_SUITE_P(
    All, MadeObjects,
    testing::Values(
        Row{"Empty", "Object{}", "{}"},
        Row{"Nested", "Object{spec: Object.spec{replicas: 1 + 2, paused: true}}",
            R"({"spec":{"paused":true,"replicas":3}})"},
        Row{"InLists",
            "Object{spec: Object.spec{items: ['a', 'b'].map(n, Object.spec.items{n: n})}}",
            R"({"spec":{"items":[{"n":"a"},{"n":"b"}]}})"},
        Row{"WithMaps", "Object{metadata: Object.metadata{labels: {'a': 'b'}}}",
            R"({"metadata":{"labels":{"a":"b"}}})"},
        Row{"WithOptionalFields", "Object{?a: optional.of(1), ?b: optional.none()}", R"({"a":1})"},
        Row{"OtherValues",
            "Object{a: null, b: 1.5, c: 2u, d: b'ab', e: duration('90s'), "
            "f: timestamp('2020-01-01T00:00:00Z')}",
            R"({"a":null,"b":1.5,"c":2,"d":"YWI=","e":"90s","f":"2020-01-01T00:00:00Z"})"},
        Row{"OfTypedFields", "[JSONPatch{path: '/a', value: Object.a{b: 1}}]",
            R"([{"path":"/a","value":{"b":1}}])"},
        Row{"WrongFields", "JSONPatch{other: 1}", "undefined field 'other'"},
        Row{"WrongTypes", "JSONPatch{path: 1}",
            "expected type of field 'path' is 'string' but provided type is 'int'"},
        Row{"OtherNames", "Other{a: 1}", "undeclared reference to 'Other'"},
        Row{"ErrorsOfFields", "Object{a: 1 / 0}", "division by zero"},
        Row{"Equal", "Object{a: 1, b: [2]} == Object{b: [2], a: 1}", "true"},
        Row{"UnequalFields", "Object{a: 1} == Object{a: 2}", "false"},
        Row{"KeysOfPatches", "'/a/' + jsonpatch.escapeKey('b/c~d')", "\"/a/b~1c~0d\""},
        Row{"KeysThatAreNoTexts", "{1: 2}", "is not a string"}),
    [](const testing::TestParamInfo<Row>& row) { return std::string(row.param.name); });

TEST(MadeObjectsElsewhere, AreUnknown) {
  const Environment environment;
  EXPECT_THAT(Evaluate("Object{a: 1}", environment), HasSubstr("undeclared reference to 'Object'"));
  EXPECT_THAT(Evaluate("jsonpatch.escapeKey('a')", environment),
              HasSubstr("undeclared reference to 'jsonpatch'"));
}

TEST(ToJson, RefusesWhatJsonDoesNotHave) {
  EXPECT_THAT(ToJson(Value::FromType(IntType())),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("to JSON")));
  EXPECT_THAT(ToJson(Value::Error("no")), StatusIs(absl::StatusCode::kInvalidArgument, "no"));
}

TEST(ToJson, SharedLists_AreLimited) {
  std::string expression = "[0]";
  for (int i = 0; i < 7; ++i) absl::StrAppend(&expression, ".map(a, [a,a,a,a,a,a,a,a,a,a])");
  EXPECT_THAT(Evaluate(expression), HasSubstr("value is greater than 3145728 bytes as JSON"));
}

TEST(JsonBudget, GivesNoMoreThanItHas) {
  JsonBudget budget(3);
  EXPECT_THAT(budget.Take(2), IsOk());
  EXPECT_THAT(budget.Take(2), StatusIs(absl::StatusCode::kInvalidArgument,
                                       "value is greater than 3 bytes as JSON"));
  EXPECT_THAT(budget.Take(1), IsOk());
}

}  // namespace
}  // namespace kube::cel
