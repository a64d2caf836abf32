#include "apimachinery/crd_schema/internal/rule_tree.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/cel/rules.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

using api::apiextensions::v1::JSONSchemaProps;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using unstructured::Value;
using validation::field::Path;

Value Yaml(absl::string_view yaml) { return unstructured::ParseYaml(yaml).value(); }

// A schema with the rules in it.
class RuleTreeTest : public ::testing::Test {
 protected:
  void Make(absl::string_view yaml) {
    node_ = MakeNode(codec::DecodeYaml<JSONSchemaProps>(yaml).value()).value();
    tree_ = RuleTree::Make(*node_, /*is_resource=*/true);
  }
  // Makes the schema of an object with these properties.
  void MakeObject(absl::string_view properties) {
    Make(absl::StrCat("{type: object, properties: {", properties, "}}"));
  }

  std::vector<std::string> Errors(absl::string_view yaml, int64_t budget = cel::kObjectCostLimit) {
    return Texts(tree_->Check(Path(), Yaml(yaml), {.budget = budget}));
  }
  std::vector<std::string> UpdateErrors(absl::string_view yaml, absl::string_view old_yaml) {
    const Value old_value = Yaml(old_yaml);
    const RuleFindings findings =
        tree_->Check(Path(), Yaml(yaml), {.old_value = &old_value, .ratchets = true});
    warnings_ = findings.warnings;
    return Texts(findings);
  }

  std::vector<std::string> warnings_;
  std::unique_ptr<const Node> node_;
  std::unique_ptr<const RuleTree> tree_;

 private:
  static std::vector<std::string> Texts(const RuleFindings& findings) {
    std::vector<std::string> texts;
    for (const auto& error : findings.errors) texts.push_back(error.ToString());
    return texts;
  }
};

TEST_F(RuleTreeTest, SchemasWithoutRules) {
  MakeObject("a: {type: string}");
  EXPECT_EQ(tree_, nullptr);
}

TEST_F(RuleTreeTest, RulesOfAllNodes) {
  Make(
      "{type: object, x-kubernetes-validations: [{rule: self.kind == 'Thing'}], properties: {"
      "num: {type: integer, x-kubernetes-validations: [{rule: self > 0}]},"
      "list: {type: array, items: {type: integer, x-kubernetes-validations: [{rule: self > 1}]}},"
      "map: {type: object, additionalProperties: {type: integer, x-kubernetes-validations: "
      "[{rule: self > 2}]}},"
      "a-b: {type: integer, x-kubernetes-validations: [{rule: self > 3}]}}}");
  ASSERT_NE(tree_, nullptr);
  EXPECT_THAT(Errors("{kind: Thing, num: 1, list: [2], map: {a: 3}, a-b: 4}"), IsEmpty());
  EXPECT_THAT(Errors("{kind: Other, num: 0, list: [2, 1], map: {x.y: 2}, a-b: 0}"),
              ElementsAre("<nil>: Invalid value: failed rule: self.kind == 'Thing'",
                          "a-b: Invalid value: 0: failed rule: self > 3",
                          "list[1]: Invalid value: 1: failed rule: self > 1",
                          "map[x.y]: Invalid value: 2: failed rule: self > 2",
                          "num: Invalid value: 0: failed rule: self > 0"));
  EXPECT_THAT(Errors("{kind: Thing, num: null, list: null}"), IsEmpty());
}

TEST_F(RuleTreeTest, MembersThatRulesCannotSee) {
  MakeObject(
      "hidden: {x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: integer, "
      "x-kubernetes-validations: [{rule: self > 0}]}}}, '9': {type: integer, "
      "x-kubernetes-validations: [{rule: self > 0}]}");
  EXPECT_THAT(Errors("{hidden: {a: 0}, '9': 0}"),
              ElementsAre("9: Invalid value: 0: failed rule: self > 0"));
}

TEST_F(RuleTreeTest, TransitionsOfTheSamePart) {
  MakeObject(
      "num: {type: integer, x-kubernetes-validations: [{rule: self >= oldSelf}]},"
      "list: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: "
      "{type: object, properties: {k: {type: string}, num: {type: integer, "
      "x-kubernetes-validations: "
      "[{rule: self >= oldSelf}]}}}},"
      "map: {type: object, additionalProperties: {type: integer, x-kubernetes-validations: "
      "[{rule: self >= oldSelf}]}}");
  constexpr absl::string_view kOld =
      "{num: 5, list: [{k: a, num: 5}, {k: b, num: 5}], map: {a: 5, b: 5}}";
  EXPECT_THAT(Errors("{num: 1, list: [{k: a, num: 1}]}"), IsEmpty());
  EXPECT_THAT(UpdateErrors("{num: 5, list: [{k: b, num: 5}, {k: a, num: 6}], map: {b: 6}}", kOld),
              IsEmpty());
  EXPECT_THAT(
      UpdateErrors("{num: 4, list: [{k: b, num: 4}, {k: c, num: 1}], map: {b: 4, c: 1}}", kOld),
      ElementsAre("list[0].num: Invalid value: 4: failed rule: self >= oldSelf",
                  "map[b]: Invalid value: 4: failed rule: self >= oldSelf",
                  "num: Invalid value: 4: failed rule: self >= oldSelf"));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(RuleTreeTest, OptionalOldValue) {
  MakeObject(
      "num: {type: integer, x-kubernetes-validations: [{rule: 'oldSelf.hasValue() ? self >= "
      "oldSelf.value() : self == 0', optionalOldSelf: true}]}");
  EXPECT_THAT(Errors("{num: 0}"), IsEmpty());
  EXPECT_EQ(Errors("{num: 1}").size(), 1u);
  EXPECT_THAT(UpdateErrors("{num: 1}", "{num: 1}"), IsEmpty());
  EXPECT_EQ(UpdateErrors("{num: 1}", "{}").size(), 1u);
  // Rules with an old value are never forgiven.
  EXPECT_EQ(UpdateErrors("{num: 1}", "{num: 2}").size(), 1u);
}

TEST_F(RuleTreeTest, ErrorsOfUnchangedPartsAreWarnings) {
  MakeObject(
      "a: {type: object, x-kubernetes-validations: [{rule: 'self.num > 1'}], properties: {num: "
      "{type: "
      "integer, x-kubernetes-validations: [{rule: self > 0}]}, m: {type: integer}}},"
      "list: {type: array, items: {type: integer, x-kubernetes-validations: [{rule: self > 0}]}}");
  EXPECT_THAT(UpdateErrors("{a: {num: 0}, list: [0]}", "{a: {num: 0}, list: [0]}"), IsEmpty());
  EXPECT_THAT(warnings_, ElementsAre("a: Invalid value: failed rule: self.num > 1",
                                     "a.num: Invalid value: 0: failed rule: self > 0",
                                     "list[0]: Invalid value: 0: failed rule: self > 0"));
  // The object has changed, but not its member; elements of such a list are not compared alone.
  EXPECT_THAT(UpdateErrors("{a: {num: 0, m: 1}, list: [0, 1]}", "{a: {num: 0}, list: [0]}"),
              ElementsAre("a: Invalid value: failed rule: self.num > 1",
                          "list[0]: Invalid value: 0: failed rule: self > 0"));
  EXPECT_THAT(warnings_, ElementsAre("a.num: Invalid value: 0: failed rule: self > 0"));
  // Without an old object nothing is forgiven.
  EXPECT_EQ(Errors("{a: {num: 0}}").size(), 2u);
}

TEST_F(RuleTreeTest, KindAndVersionAreNotForgiven) {
  MakeObject("kind: {type: string, x-kubernetes-validations: [{rule: self != 'Thing'}]}");
  EXPECT_EQ(UpdateErrors("{kind: Thing}", "{kind: Thing}").size(), 1u);
}

TEST_F(RuleTreeTest, ErrorsOfEvaluationAreNotForgiven) {
  MakeObject(
      "a: {type: object, x-kubernetes-validations: [{rule: self.num > 0}], properties: {num: "
      "{type: "
      "integer}}}");
  EXPECT_THAT(
      UpdateErrors("{a: {}}", "{a: {}}"),
      ElementsAre("a: Invalid value: \"object\": no such key: num evaluating rule: self.num > "
                  "0"));
}

TEST_F(RuleTreeTest, TheBudgetIsThatOfTheWholeObject) {
  MakeObject(
      "list: {type: array, items: {type: integer, x-kubernetes-validations: [{rule: self > 0}]}}");
  // Each evaluation costs two.
  EXPECT_THAT(Errors("{list: [1, 1, 1]}", 6), IsEmpty());
  EXPECT_THAT(Errors("{list: [1, 0, 1, 1]}", 5),
              ElementsAre("list[1]: Invalid value: 0: failed rule: self > 0",
                          "list[2]: Invalid value: \"integer\": validation failed due to running "
                          "out of cost budget, no further validation rules will be run"));
  EXPECT_EQ(tree_->Check(Path(), Yaml("{list: [1, 1]}"), {.budget = 10}).budget, 6);
}

TEST_F(RuleTreeTest, EmbeddedResourcesHaveNames) {
  MakeObject(
      "inner: {type: object, x-kubernetes-embedded-resource: true, "
      "x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: "
      "'self.metadata.name == self.kind'}]}");
  EXPECT_THAT(Errors("{inner: {apiVersion: v1, kind: a, metadata: {name: a}}}"), IsEmpty());
  EXPECT_EQ(Errors("{inner: {apiVersion: v1, kind: a, metadata: {name: b}}}").size(), 1u);
}

}  // namespace
}  // namespace kube::crd_schema::internal
