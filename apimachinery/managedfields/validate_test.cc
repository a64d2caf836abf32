#include "apimachinery/managedfields/validate.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/sample_schemas.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::StartsWith;
using unstructured::ParseJson;
using unstructured::Value;

struct Row {
  std::string name;
  std::string object;
  std::string error;  // empty: the object is valid
};

class ValidateCase : public testing::TestWithParam<Row> {};

TEST_P(ValidateCase, Validate_Object_HasUpstreamsErrors) {
  const BuiltSchema built = *ParseSchema(kSampleSchema, "root");
  const absl::Status status = Validate(*ParseJson(GetParam().object), *built.schema);
  if (GetParam().error.empty()) {
    EXPECT_THAT(status, IsOk());
  } else {
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument, GetParam().error));
  }
}

const auto kRowName = [](const testing::TestParamInfo<Row>& row) { return row.param.name; };

INSTANTIATE_TEST_SUITE_P(
    Valid, ValidateCase,
    testing::Values(
        Row{"Null", "null", ""}, Row{"Empty", "{}", ""},
        Row{"Scalars", R"({"any":1.5,"flag":true,"number":1,"text":""})", ""},
        Row{"OtherScalars", R"({"any":"x","number":2.5})", ""},
        Row{"Nulls",
            R"({"any":null,"args":null,"flag":null,"items":null,"labels":null,"nested":null,)"
            R"("number":null,"ports":null,"selector":null,"text":null})",
            ""},
        Row{"NullMembers", R"({"args":[null],"labels":{"a":null},"items":[{"name":null}]})", ""},
        Row{"Lists", R"({"args":["a","a"],"set":["b","a"],"items":[{"name":"a"},{"name":"b"}]})",
            ""},
        Row{"KeyByDefault", R"({"ports":[{},{"port":80},{"port":80,"protocol":"UDP"}]})", ""},
        Row{"Nested", R"({"nested":{"nested":{"labels":{"a":"b"}}}})", ""}),
    kRowName);

INSTANTIATE_TEST_SUITE_P(
    Invalid, ValidateCase,
    testing::Values(
        Row{"Root", R"("x")", "expected map, got &{x}"},
        Row{"Undeclared", R"({"foo":1})", ".foo: field not declared in schema"},
        Row{"Numeric", R"({"number":"1"})", ".number: expected numeric (int or float), got string"},
        Row{"NumericIsMap", R"({"number":{}})",
            ".number: expected numeric (int or float), got map[string]interface {}"},
        Row{"String", R"({"text":true})",
            ".text: expected string, got &value.valueUnstructured{Value:true}"},
        Row{"StringIsMap", R"({"text":{"a":[1.5,null,"x"],"b":1}})",
            ".text: expected string, got &value.valueUnstructured{Value:map[string]interface {}"
            "{\"a\":[]interface {}{1.5, interface {}(nil), \"x\"}, \"b\":1}}"},
        Row{"Boolean", R"({"flag":1})", ".flag: expected boolean, got &{1}"},
        Row{"Untyped", R"({"any":[1,"a"]})", ".any: expected any scalar, got &{[1 a]}"},
        Row{"List", R"({"args":{"a":"b"}})", ".args: expected list, got &{map[a:b]}"},
        Row{"Map", R"({"labels":["a"]})", ".labels: expected map, got &{[a]}"},
        Row{"InAtomicList", R"({"args":["a",1]})",
            ".args[1]: expected string, got &value.valueUnstructured{Value:1}"},
        Row{"InAtomicMap", R"({"selector":{"a":1}})",
            ".selector.a: expected string, got &value.valueUnstructured{Value:1}"},
        Row{"InItem", R"({"items":[{"name":"a","value":1}]})",
            ".items[name=\"a\"].value: expected string, got "
            "&value.valueUnstructured{Value:1}"},
        Row{"InSet", R"({"set":[1]})",
            ".set[=1]: expected string, got &value.valueUnstructured{Value:1}"},
        Row{"NoKey", R"({"items":[{"value":"x"}]})",
            ".items: element 0: associative list with keys has an element that omits all key "
            "fields [\"name\"] (and doesn't have default values for any key fields)"},
        Row{"NullInSet", R"({"set":[null]})",
            ".set: element 0: associative list without keys has an element that's an explicit "
            "null"},
        Row{"Several", R"({"nested":{"foo":1},"text":1})",
            "errors:\n  .nested.foo: field not declared in schema\n"
            "  .text: expected string, got &value.valueUnstructured{Value:1}"},
        Row{"NothingAfterAnUndeclaredField", R"({"any":{},"foo":1,"text":1})",
            "errors:\n  .any: expected any scalar, got &{map[]}\n"
            "  .foo: field not declared in schema"},
        Row{"NothingAfterAnItemWithoutKey",
            R"({"items":[{"name":"a","foo":1},null,{"name":"b","foo":1}]})",
            "errors:\n  .items[name=\"a\"].foo: field not declared in schema\n"
            "  .items: element 1: associative list with keys may not have a null element"}),
    kRowName);

INSTANTIATE_TEST_SUITE_P(
    Duplicates, ValidateCase,
    testing::Values(
        Row{"OfASet", R"({"set":["a","b","a"]})", ".set: duplicate entries for key [=\"a\"]"},
        Row{"OfKeys", R"({"items":[{"name":"a"},{"name":"a","value":"x"}]})",
            ".items: duplicate entries for key [name=\"a\"]"},
        Row{"OfDefaultsAndEqualNumbers",
            R"({"ports":[{"port":80},{"port":80.0,"protocol":"TCP"}]})",
            ".ports: duplicate entries for key [port=80,protocol=\"TCP\"]"},
        Row{"AreListedWithOtherErrors", R"({"items":[{"name":"a"},{"name":"a","foo":1}]})",
            "errors:\n  .items: duplicate entries for key [name=\"a\"]\n"
            "  .items[name=\"a\"].foo: field not declared in schema"}),
    kRowName);

TEST(ValidateTest, Validate_DuplicatesAllowed_ReportsOnlyOtherErrors) {
  const BuiltSchema built = *ParseSchema(kSampleSchema, "root");
  EXPECT_THAT(Validate(*ParseJson(R"({"set":["a","a"],"items":[{"name":"a"},{"name":"a"}]})"),
                       *built.schema, {.allow_duplicates = true}),
              IsOk());
  EXPECT_THAT(
      Validate(*ParseJson(R"({"items":[{"name":"a"},{"name":"a","foo":1},{}]})"), *built.schema,
               {.allow_duplicates = true}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "errors:\n  .items[name=\"a\"].foo: field not declared in schema\n  .items: element "
               "2: associative list with keys has an element that omits all key fields "
               "[\"name\"] (and doesn't have default values for any key fields)"));
}

TEST(ValidateTest, Validate_SchemaThatAllowsNothing_IsASchemaError) {
  EXPECT_THAT(Validate(Value(), Schema()),
              StatusIs(absl::StatusCode::kInvalidArgument, "schema error: invalid atom: inlined"));
}

TEST(ValidateTest, Validate_DeducedSchema_AcceptsAnything) {
  EXPECT_THAT(
      Validate(*ParseJson(R"({"a":[1,{"b":[null]}],"c":{"d":{}},"e":1.5})"), DeducedSchema()),
      IsOk());
}

// Returns 1 within so many lists.
Value Nested(int levels) {
  Value value = 1;
  for (int i = 0; i < levels; ++i) {
    List<Value> list;
    list.push_back(std::move(value));
    value = Value(std::move(list));
  }
  return value;
}

TEST(ValidateTest, Validate_NestedMoreThanAThousandDeep_IsInvalidArgument) {
  EXPECT_THAT(Validate(Nested(1000), DeducedSchema()), IsOk());
  EXPECT_THAT(Validate(Nested(1001), DeducedSchema()),
              StatusIs(absl::StatusCode::kInvalidArgument, "nested more than 1000 deep"));
}

// The text of an error would show the value, which recurses as well.
TEST(ValidateTest, Validate_WrongTypeThatIsNestedTooDeeply_IsNotShown) {
  const BuiltSchema built = *ParseSchema(kSampleSchema, "root");
  for (const absl::string_view name : {"any", "flag", "nested", "number", "text"}) {
    EXPECT_THAT(Validate(Map<Value>{{name, Nested(1000)}}, *built.schema),
                StatusIs(absl::StatusCode::kInvalidArgument, "nested more than 1000 deep"))
        << name;
    EXPECT_THAT(Validate(Map<Value>{{name, Nested(999)}}, *built.schema),
                StatusIs(absl::StatusCode::kInvalidArgument, StartsWith(absl::StrCat(".", name))))
        << name;
  }
}

}  // namespace
}  // namespace kube::managedfields
