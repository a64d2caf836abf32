#include "apimachinery/crd_schema/internal/rule_check.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

using api::apiextensions::v1::JSONSchemaProps;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using validation::field::Path;

std::unique_ptr<const Node> Parse(absl::string_view yaml) {
  return MakeNode(codec::DecodeYaml<JSONSchemaProps>(yaml).value()).value();
}

std::vector<std::string> Fields(const validation::field::ErrorList& errors) {
  std::vector<std::string> fields;
  for (const auto& error : errors) fields.push_back(error.field);
  return fields;
}

TEST(RulePlaceTest, HowManyValuesThereMayBe) {
  const std::unique_ptr<const Node> node = Parse(
      "{type: object, properties: {a: {type: array, maxItems: 3, items: {type: object, "
      "maxProperties: 4, additionalProperties: {type: string}}}, b: {type: array, items: {type: "
      "object, properties: {c: {type: string}}}}, d: {type: array, maxItems: -1, items: {type: "
      "string}}}}");
  const RulePlace root(*node);
  EXPECT_EQ(root.cardinality(), 1u);
  const RulePlace a = root.Property("a");
  EXPECT_EQ(a.cardinality(), 1u);
  const RulePlace items = a.Items();
  EXPECT_EQ(items.cardinality(), 3u);
  EXPECT_EQ(items.AdditionalProperties().cardinality(), 12u);
  const RulePlace b = root.Property("b");
  const RulePlace unlimited = b.Items();
  EXPECT_EQ(unlimited.cardinality(), std::nullopt);
  EXPECT_EQ(unlimited.Property("c").cardinality(), std::nullopt);
  const RulePlace d = root.Property("d");
  EXPECT_EQ(d.Items().cardinality(), 0u);
}

TEST(RulePlaceTest, Schemas) {
  constexpr absl::string_view kRules = "x-kubernetes-validations: [{rule: 'true'}]";
  const std::unique_ptr<const Node> node =
      Parse(absl::StrCat("{type: object, ", kRules,
                         ", properties: {a: {type: array, items: {type: "
                         "integer}}, b: {x-kubernetes-preserve-unknown-fields: true}}}"));
  const RulePlace root(*node);
  const cel::SchemaPtr schema = root.Schema().value();
  EXPECT_EQ(schema->properties.count("metadata"), 1u);
  const RulePlace a = root.Property("a");
  const RulePlace items = a.Items();
  // A part of the same schema.
  EXPECT_EQ(items.Schema().value(), schema->properties.at("a")->element);
  EXPECT_FALSE(root.Property("b").Schema().ok());

  const std::unique_ptr<const Node> lower =
      Parse(absl::StrCat("{type: object, properties: {a: {type: integer, ", kRules, "}}}"));
  const RulePlace around(*lower);
  EXPECT_EQ(around.Property("a").Schema().value()->kind, cel::SchemaKind::kInteger);
}

// Checks the rules of properties that are texts of any size.
validation::field::ErrorList TotalOf(const std::vector<std::string>& names, bool limits_each,
                                     validation::field::ErrorList& errors) {
  RuleChecker checker(limits_each);
  for (const std::string& name : names) {
    const std::unique_ptr<const Node> node = Parse(
        "{type: string, x-kubernetes-validations: [{rule: self.contains('abcdefghijk') && "
        "self.contains('abcdefghijk') && self.contains('abcdefghijk')}]}");
    checker.Check(RulePlace(*node), Path(), Path(name));
  }
  errors = checker.TakeErrors();
  return checker.CheckTotal(Path("s"));
}

TEST(RuleCheckerTest, Totals) {
  validation::field::ErrorList errors;
  // Each rule costs about 1,900,000.
  EXPECT_THAT(TotalOf({"a", "b"}, true, errors), IsEmpty());
  EXPECT_THAT(errors, IsEmpty());
  std::vector<std::string> many;
  for (int i = 0; i < 60; ++i) many.push_back(absl::StrCat("n", i));
  EXPECT_THAT(
      Fields(TotalOf(many, true, errors)),
      ElementsAre("n0.x-kubernetes-validations[0].rule", "n1.x-kubernetes-validations[0].rule",
                  "n2.x-kubernetes-validations[0].rule", "n3.x-kubernetes-validations[0].rule",
                  "s"));
  EXPECT_THAT(errors, IsEmpty());
}

TEST(RuleCheckerTest, EachRule) {
  const std::unique_ptr<const Node> node =
      Parse("{type: string, x-kubernetes-validations: [{rule: self.contains(self)}]}");
  RuleChecker strict(/*limits_each=*/true);
  strict.Check(RulePlace(*node), Path(), Path("a"));
  EXPECT_THAT(Fields(strict.TakeErrors()), ElementsAre("a.x-kubernetes-validations[0].rule"));
  EXPECT_THAT(strict.TakeErrors(), IsEmpty());
  RuleChecker lax(/*limits_each=*/false);
  lax.Check(RulePlace(*node), Path(), Path("a"));
  EXPECT_THAT(lax.TakeErrors(), IsEmpty());
  EXPECT_EQ(lax.CheckTotal(Path("s")).size(), 2u);
}

TEST(RuleCheckerTest, OldValuesOfElements) {
  const std::unique_ptr<const Node> node = Parse(
      "{type: integer, x-kubernetes-validations: [{rule: self >= oldSelf}, {rule: self > 0}]}");
  RuleChecker checker(/*limits_each=*/true);
  checker.Check(RulePlace(*node), Path("list"), Path("a"));
  EXPECT_THAT(Fields(checker.TakeErrors()), ElementsAre("a.x-kubernetes-validations[0].rule"));
}

}  // namespace
}  // namespace kube::crd_schema::internal
