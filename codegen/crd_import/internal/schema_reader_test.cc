#include "codegen/crd_import/internal/schema_reader.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "codegen/crd_import/internal/idl.h"
#include "codegen/crd_import/internal/schema_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using unstructured::Value;

Map<Value> Schema(absl::string_view yaml) {
  return *unstructured::ParseYaml(yaml).value().object();
}

std::string Text(const IdlOptions& options) {
  return absl::StrJoin(options, ", ", [](std::string* out, const IdlOption& option) {
    absl::StrAppend(out, option.name, ": ",
                    option.members.empty() ? option.value : "{" + Text(option.members) + "}");
  });
}

std::string Read(absl::string_view yaml) {
  const Map<Value> schema = Schema(yaml);
  const SchemaType type = TypeOfSchema(schema);
  return Text(SchemaReader(schema, type).Finish());
}

TEST(SchemaReader, RulesOfTheIdl) {
  const struct {
    const char* schema;
    const char* want;
  } kRows[] = {
      {"{type: string}", ""},
      {"{type: string, minLength: 1, maxLength: 9, pattern: \"^a$\"}",
       R"(min_length: 1, max_length: 9, pattern: "^a$")"},
      {"{type: string, format: uuid}", R"(format: "uuid")"},
      {"{type: string, format: date-time}", ""},
      {"{type: integer, format: int32, minimum: 0, maximum: 7, exclusiveMaximum: true}",
       "minimum: 0, maximum: 7, exclusive_maximum: true"},
      {"{type: integer, format: int64}", ""},
      {"{type: integer}", R"(format: "")"},
      {"{type: number, format: double, multipleOf: 0.5}", R"(multiple_of: 0.5, format: "double")"},
      {"{type: number, maximum: 100000000000000000000}", "maximum: 100000000000000000000.0"},
      {"{type: integer, enum: [1, 2]}", R"(format: "", enum_json: "1", enum_json: "2")"},
      {"{type: array, items: {type: string}, minItems: 1, maxItems: 2}",
       "min_items: 1, max_items: 2"},
      {"{type: object, minProperties: 1, maxProperties: 2}",
       "min_properties: 1, max_properties: 2"},
      {"{type: object, nullable: true}", "nullable: true"},
      {"{anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true}", ""},
      {"{type: string, x-kubernetes-validations: [{rule: a, message: b, reason: FieldValueInvalid, "
       "fieldPath: .c, optionalOldSelf: true}, {rule: d, messageExpression: e}]}",
       R"(rule: {rule: "a", message: "b", reason: "FieldValueInvalid", field_path: ".c", )"
       R"(optional_old_self: true}, rule: {rule: "d", message_expression: "e"})"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Read(row.schema), row.want) << row.schema;
}

// What has no rule in the IDL, or not for this type, and what the type says but the schema does
// not.
TEST(SchemaReader, TheRestIsJson) {
  const struct {
    const char* schema;
    const char* want;
  } kRows[] = {
      {"{type: string, title: T, format: binary}",
       R"(schema_json: "{\"format\":\"binary\",\"title\":\"T\"}")"},
      {"{type: integer, format: uint32}", R"(schema_json: "{\"format\":\"uint32\"}")"},
      {"{type: string, minimum: 1}", R"(schema_json: "{\"minimum\":1}")"},
      {"{type: integer, format: int32, minimum: 2, maximum: 1}",
       R"(schema_json: "{\"maximum\":1,\"minimum\":2}")"},
      {"{type: integer, format: int32, exclusiveMinimum: true}",
       R"(schema_json: "{\"exclusiveMinimum\":true}")"},
      {"{x-kubernetes-int-or-string: true}", R"(schema_json: "{\"anyOf\":null}")"},
      {"{type: integer, format: int32, enum: [\"a\"]}", R"(schema_json: "{\"enum\":[\"a\"]}")"},
      {"{type: string, x-kubernetes-validations: [{rule: \"a\\nb\"}]}",
       R"(schema_json: "{\"x-kubernetes-validations\":[{\"rule\":\"a\\nb\"}]}")"},
      {"{x-kubernetes-preserve-unknown-fields: true}", ""},
      {"{type: object, x-kubernetes-preserve-unknown-fields: true, maxProperties: 3}",
       R"(schema_json: "{\"maxProperties\":3,\"type\":\"object\"}")"},
      {"{type: array, items: {type: array, items: {type: string}}, oneOf: [{minItems: 1}]}",
       R"(schema_json: "{\"oneOf\":[{\"minItems\":1}]}")"},
      {"{type: object, additionalProperties: true}",
       R"(schema_json: "{\"additionalProperties\":true}")"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Read(row.schema), row.want) << row.schema;
}

TEST(SchemaReader, AValueHasTheWholeSchema) {
  const Map<Value> schema = Schema("{type: array, items: {type: string}, description: d}");
  SchemaType any;
  any.written["x-kubernetes-preserve-unknown-fields"] = true;
  SchemaReader reader(schema, any);
  reader.Take("description");
  EXPECT_EQ(Text(reader.Finish()),
            R"(schema_json: "{\"items\":{\"type\":\"string\"},\"type\":\"array\",)"
            R"(\"x-kubernetes-preserve-unknown-fields\":null}")");
}

TEST(SchemaReader, EnumsOfTexts) {
  const Map<Value> schema = Schema("{type: string, enum: [b, a]}");
  const SchemaType type = TypeOfSchema(schema);
  SchemaReader reader(schema, type);
  EXPECT_THAT(reader.TakeEnumTexts(), ElementsAre("b", "a"));
  EXPECT_THAT(reader.Finish(), IsEmpty());
}

TEST(SchemaReader, EnumsWithOtherValuesStay) {
  const Map<Value> schema = Schema("{type: string, nullable: true, enum: [b, null]}");
  const SchemaType type = TypeOfSchema(schema);
  SchemaReader reader(schema, type);
  EXPECT_THAT(reader.TakeEnumTexts(), IsEmpty());
  EXPECT_EQ(Text(reader.Finish()), R"(nullable: true, enum_json: "\"b\"", enum_json: "null")");
}

TEST(SchemaReader, DefaultsOfTheType) {
  const struct {
    const char* schema;
    const char* want;
  } kRows[] = {
      {"{type: string, default: a}", "\"a\""},
      {"{type: integer, default: 3}", "3"},
      {"{type: boolean, default: false}", "false"},
      {"{type: object, default: {}}", "{}"},
      {"{type: string}", ""},
      {"{type: string, nullable: true, default: null}", ""},
      {"{type: string, default: 3}", ""},
      {"{x-kubernetes-int-or-string: true, default: \"1\"}", "\"1\""},
  };
  for (const auto& row : kRows) {
    const Map<Value> schema = Schema(row.schema);
    const SchemaType type = TypeOfSchema(schema);
    EXPECT_EQ(SchemaReader(schema, type).TakeDefault(), row.want) << row.schema;
  }
}

TEST(SchemaReader, WhatIsSetIsWritten) {
  const Map<Value> schema = Schema("{type: object, properties: {a: {type: string}}}");
  const SchemaType type = TypeOfSchema(schema);
  SchemaReader reader(schema, type);
  reader.Set("x-kubernetes-preserve-unknown-fields", Value());
  EXPECT_EQ(Text(reader.Finish()),
            R"(schema_json: "{\"x-kubernetes-preserve-unknown-fields\":null}")");
}

}  // namespace
}  // namespace kube::codegen::internal
