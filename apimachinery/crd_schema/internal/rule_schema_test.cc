#include "apimachinery/crd_schema/internal/rule_schema.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/cel/rules.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

using api::apiextensions::v1::JSONSchemaProps;
using cel::SchemaKind;
using ::testing::ElementsAre;

std::unique_ptr<const Node> Parse(absl::string_view yaml) {
  return MakeNode(codec::DecodeYaml<JSONSchemaProps>(yaml).value()).value();
}

cel::SchemaPtr SchemaOf(absl::string_view yaml, bool is_resource = false) {
  return RuleSchema(*Parse(yaml), is_resource);
}

std::vector<std::string> Names(const cel::Schema& schema) {
  std::vector<std::string> names;
  for (const auto& [name, property] : schema.properties) names.push_back(name);
  return names;
}

TEST(RuleSchemaTest, Kinds) {
  const struct {
    const char* yaml;
    SchemaKind kind;
  } kTests[] = {
      {"{type: string}", SchemaKind::kString},
      {"{type: string, format: byte}", SchemaKind::kByte},
      {"{type: string, format: duration}", SchemaKind::kDuration},
      {"{type: string, format: date}", SchemaKind::kDate},
      {"{type: string, format: date-time}", SchemaKind::kDateTime},
      {"{type: string, format: uuid}", SchemaKind::kString},
      {"{type: integer}", SchemaKind::kInteger},
      {"{type: number}", SchemaKind::kNumber},
      {"{type: boolean}", SchemaKind::kBoolean},
      {"{x-kubernetes-int-or-string: true}", SchemaKind::kIntOrString},
      {"{x-kubernetes-preserve-unknown-fields: true}", SchemaKind::kPreserved},
      {"{type: object}", SchemaKind::kObject},
      {"{type: object, additionalProperties: true}", SchemaKind::kObject},
      {"{type: object, additionalProperties: {type: string}}", SchemaKind::kMap},
      {"{type: array, items: {type: string}}", SchemaKind::kList},
      {"{type: array}", SchemaKind::kPreserved},
  };
  for (const auto& test : kTests) EXPECT_EQ(SchemaOf(test.yaml)->kind, test.kind) << test.yaml;
}

TEST(RuleSchemaTest, Limits) {
  EXPECT_EQ(SchemaOf("{type: string, maxLength: 5}")->max_size, 5);
  EXPECT_EQ(SchemaOf("{type: string}")->max_size, std::nullopt);
  EXPECT_EQ(SchemaOf("{type: string, enum: [a, abc]}")->longest_enum, 3);
  EXPECT_EQ(SchemaOf("{type: array, maxItems: 5, items: {type: string}}")->max_size, 5);
  EXPECT_EQ(
      SchemaOf("{type: object, maxProperties: 5, additionalProperties: {type: string}}")->max_size,
      5);
  EXPECT_THAT(SchemaOf("{type: object, required: [a, b], properties: {a: {type: string}, b: {type: "
                       "string, default: x}}}")
                  ->required,
              ElementsAre("a"));
}

TEST(RuleSchemaTest, TypeOfAnIntOrString) {
  EXPECT_EQ(SchemaOf("{x-kubernetes-int-or-string: true}")->type, "");
  EXPECT_EQ(SchemaOf("{type: object, x-kubernetes-int-or-string: true}")->type, "object");
}

TEST(RuleSchemaTest, ListTypes) {
  const cel::SchemaPtr list = SchemaOf(
      "{type: array, nullable: true, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], "
      "items: {type: object, properties: {a: {type: string}}}}");
  EXPECT_TRUE(list->nullable);
  EXPECT_EQ(list->list_kind, cel::ListKind::kMap);
  EXPECT_THAT(list->list_keys, ElementsAre("a"));
}

TEST(RuleSchemaTest, ResourcesHaveNames) {
  constexpr absl::string_view kSchema =
      "{type: object, required: [metadata], properties: {spec: {type: object, "
      "x-kubernetes-embedded-resource: true}, metadata: {type: object, properties: {name: {type: "
      "string, maxLength: 9}}}}}";
  const cel::SchemaPtr root = SchemaOf(kSchema, true);
  EXPECT_THAT(Names(*root), ElementsAre("apiVersion", "kind", "metadata", "spec"));
  EXPECT_THAT(Names(*root->properties.at("metadata")), ElementsAre("generateName", "name"));
  EXPECT_EQ(root->properties.at("metadata")->properties.at("name")->max_size, std::nullopt);
  EXPECT_THAT(root->required, ElementsAre("metadata"));
  EXPECT_THAT(Names(*root->properties.at("spec")), ElementsAre("apiVersion", "kind", "metadata"));
  EXPECT_THAT(Names(*SchemaOf(kSchema)), ElementsAre("metadata", "spec"));
}

TEST(RuleSchemaTest, Rules) {
  const std::vector<cel::Rule> rules = MakeRules(*Parse(
      "{type: string, x-kubernetes-validations: [{rule: a, message: b, messageExpression: c, "
      "reason: FieldValueDuplicate, fieldPath: d, optionalOldSelf: true}, {rule: e}]}"));
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].rule, "a");
  EXPECT_EQ(rules[0].message, "b");
  EXPECT_EQ(rules[0].message_expression, "c");
  EXPECT_EQ(rules[0].reason, cel::RuleReason::kDuplicate);
  EXPECT_EQ(rules[0].field_path, "d");
  EXPECT_TRUE(rules[0].optional_old_self);
  EXPECT_EQ(rules[1].reason, cel::RuleReason::kInvalid);
  EXPECT_FALSE(rules[1].optional_old_self);
}

}  // namespace
}  // namespace kube::crd_schema::internal
