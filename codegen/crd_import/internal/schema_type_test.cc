#include "codegen/crd_import/internal/schema_type.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::codegen::internal {
namespace {

using unstructured::Value;

Map<Value> Schema(absl::string_view yaml) {
  return *unstructured::ParseYaml(yaml).value().object();
}

std::string Text(const SchemaType& type) {
  switch (type.form) {
    case Form::kLeaf:
      return type.leaf;
    case Form::kMessage:
      return "message";
    case Form::kList:
      return "list";
    case Form::kMap:
      return "map";
    case Form::kValue:
      return "Value";
  }
  return "";
}

TEST(TypeOfSchema, Rows) {
  const struct {
    const char* schema;
    const char* want;
  } kRows[] = {
      {"{type: string}", "string"},
      {"{type: string, format: uuid}", "string"},
      {"{type: string, format: date-time}", "kube.Time"},
      {"{type: string, format: datetime}", "kube.Time"},
      {"{type: string, format: date}", "string"},
      {"{type: string, format: duration}", "string"},
      {"{type: string, format: byte}", "bytes"},
      {"{type: string, format: binary}", "string"},
      {"{type: boolean}", "bool"},
      {"{type: integer}", "int64"},
      {"{type: integer, format: int32}", "int32"},
      {"{type: integer, format: int64}", "int64"},
      {"{type: integer, format: uint32}", "int64"},
      {"{type: number, format: float}", "double"},
      {"{x-kubernetes-int-or-string: true}", "kube.IntOrString"},
      {"{x-kubernetes-int-or-string: true, pattern: \"^[0-9]+$\"}", "kube.IntOrString"},
      {"{type: array, items: {type: string}}", "list"},
      {"{type: object, additionalProperties: {type: string}}", "map"},
      {"{type: object, additionalProperties: true}", "map"},
      {"{type: object, additionalProperties: false}", "Value"},
      {"{type: object, properties: {a: {type: string}}}", "message"},
      {"{type: object}", "message"},
      {"{type: object, x-kubernetes-preserve-unknown-fields: true}", "Value"},
      {"{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {}}}",
       "message"},
      {"{type: object, x-kubernetes-embedded-resource: true, properties: {a: {}}}", "Value"},
      {"{x-kubernetes-preserve-unknown-fields: true}", "Value"},
      {"{}", "Value"},
      {"{type: array}", "Value"},
      {"{type: \"null\"}", "Value"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Text(TypeOfSchema(Schema(row.schema))), row.want);
}

TEST(TypeOfSchema, QuantitiesHaveAPattern) {
  constexpr char kPattern[] = R"(^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|)"
                              R"(([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$)";
  Map<Value> schema = Schema("{x-kubernetes-int-or-string: true}");
  schema["pattern"] = kPattern;
  EXPECT_EQ(Text(TypeOfSchema(schema)), "kube.Quantity");
}

TEST(TypeOfSchema, AnObjectWithMoreThanAThousandPropertiesIsAValue) {
  for (const int count : {1000, 1001}) {
    std::string properties;
    for (int i = 0; i < count; ++i)
      absl::StrAppend(&properties, i == 0 ? "" : ", ", "p", i, ": {}");
    const Map<Value> schema =
        Schema(absl::StrCat("{type: object, properties: {", properties, "}}"));
    EXPECT_EQ(Text(TypeOfSchema(schema)), count == 1000 ? "message" : "Value");
  }
}

TEST(TypeOfElement, NoContainersAndNoNulls) {
  const struct {
    const char* schema;
    const char* want;
  } kRows[] = {
      {"{type: string}", "string"},
      {"{type: object, properties: {a: {}}}", "message"},
      {"{type: string, nullable: true}", "Value"},
      {"{type: object, nullable: true}", "Value"},
      {"{type: array, items: {type: string}}", "Value"},
      {"{type: object, additionalProperties: {type: string}}", "Value"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Text(TypeOfElement(Schema(row.schema))), row.want);
}

}  // namespace
}  // namespace kube::codegen::internal
