#include "apimachinery/cel/rules.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_path.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;
using validation::field::Path;

unstructured::Value Json(absl::string_view json) { return unstructured::ParseJson(json).value(); }

SchemaPtr Of(SchemaKind kind) { return std::make_shared<const Schema>(Schema{.kind = kind}); }

SchemaPtr ListOf(SchemaKind kind) {
  Schema list;
  list.kind = SchemaKind::kList;
  list.element = Of(kind);
  return std::make_shared<const Schema>(std::move(list));
}

// {min: int, max: int, name: string, port: int or string, days: [string]}
SchemaPtr MakeSchema() {
  Schema schema;
  schema.kind = SchemaKind::kObject;
  schema.properties.emplace("min", Of(SchemaKind::kInteger));
  schema.properties.emplace("max", Of(SchemaKind::kInteger));
  schema.properties.emplace("name", Of(SchemaKind::kString));
  schema.properties.emplace("port", Of(SchemaKind::kIntOrString));
  schema.properties.emplace("days", ListOf(SchemaKind::kString));
  return std::make_shared<const Schema>(std::move(schema));
}

// Returns the errors of a value as texts.
std::vector<std::string> Errors(const std::vector<Rule>& rules, const SchemaPtr& schema,
                                absl::string_view self, absl::string_view old_self = "null",
                                int64_t budget = kObjectCostLimit) {
  const absl::StatusOr<RuleSet> compiled = RuleSet::Compile(rules, schema);
  if (!compiled.ok()) return {compiled.status().ToString()};
  Context context;
  const unstructured::Value value = Json(self);
  const unstructured::Value old_value = Json(old_self);
  const absl::StatusOr<RuleSet::Outcome> outcome =
      compiled->Evaluate(context, Path("spec"), value, &old_value, budget);
  if (!outcome.ok()) return {outcome.status().ToString()};
  std::vector<std::string> texts;
  for (const RuleError& error : outcome->errors) texts.push_back(error.error.ToString());
  return texts;
}

TEST(RulesTest, RulesThatAreNotKept) {
  const std::vector<Rule> rules = {
      {.rule = "self.min <= self.max"},
      {.rule = " self.min < 100 ", .message = " too large ", .field_path = ".min"},
      {.rule = "self.min != 7",
       .message_expression = "'min is ' + string(self.min)",
       .reason = RuleReason::kForbidden},
      {.rule = "self.min != 7", .message = "b", .reason = RuleReason::kRequired},
      {.rule = "self.min != 7", .message = "c", .reason = RuleReason::kDuplicate},
  };
  EXPECT_THAT(Errors(rules, MakeSchema(), R"({"min": 1, "max": 2})"), IsEmpty());
  EXPECT_THAT(Errors(rules, MakeSchema(), R"({"min": 100, "max": 2})"),
              ElementsAre("spec: Invalid value: failed rule: self.min <= self.max",
                          "spec.min: Invalid value: too large"));
  EXPECT_THAT(Errors(rules, MakeSchema(), R"({"min": 7, "max": 8})"),
              ElementsAre("spec: Forbidden: min is 7", "spec: Required value: b",
                          StartsWith("spec: Duplicate value")));
}

TEST(RulesTest, ScalarsAreShown) {
  EXPECT_THAT(Errors({{.rule = "self.startsWith('a')"}}, Of(SchemaKind::kString), "\"b\""),
              ElementsAre("spec: Invalid value: \"b\": failed rule: self.startsWith('a')"));
  EXPECT_THAT(Errors({{.rule = "self < 2"}}, Of(SchemaKind::kInteger), "5"),
              ElementsAre("spec: Invalid value: 5: failed rule: self < 2"));
  EXPECT_THAT(Errors({{.rule = "self < 2.0"}}, Of(SchemaKind::kNumber), "5"),
              ElementsAre("spec: Invalid value: 5: failed rule: self < 2.0"));
  // As upstream, which omits only what the schema calls a list or an object.
  EXPECT_THAT(Errors({{.rule = "false"}}, Of(SchemaKind::kIntOrString), R"({"a": 1})"),
              ElementsAre("spec: Invalid value: {\"a\":1}: failed rule: false"));
  const auto typed =
      std::make_shared<const Schema>(Schema{.kind = SchemaKind::kIntOrString, .type = "object"});
  EXPECT_THAT(Errors({{.rule = "false"}}, typed, R"({"a": 1})"),
              ElementsAre("spec: Invalid value: failed rule: false"));
}

TEST(RulesTest, NullIsNotEvaluated) {
  EXPECT_THAT(Errors({{.rule = "false"}}, Of(SchemaKind::kString), "null"), IsEmpty());
}

TEST(RulesTest, ErrorsOfEvaluation) {
  EXPECT_THAT(Errors({{.rule = "self.min > 0"}}, MakeSchema(), "{}"),
              ElementsAre("spec: Invalid value: \"object\": no such key: min evaluating rule: "
                          "self.min > 0"));
  EXPECT_THAT(
      Errors({{.rule = "self.port > 0", .message = "m"}}, MakeSchema(), R"({"port": "http"})"),
      ElementsAre("spec: Invalid value: \"object\": 'no such overload': call arguments did not "
                  "match a supported operator, function or macro signature for rule: m"));
}

TEST(RulesTest, TransitionRules) {
  const std::vector<Rule> rules = {{.rule = "self.min >= oldSelf.min"}};
  EXPECT_THAT(Errors(rules, MakeSchema(), R"({"min": 1})"), IsEmpty());
  EXPECT_THAT(Errors(rules, MakeSchema(), R"({"min": 1})", R"({"min": 1})"), IsEmpty());
  EXPECT_THAT(Errors(rules, MakeSchema(), R"({"min": 1})", R"({"min": 2})"),
              ElementsAre("spec: Invalid value: failed rule: self.min >= oldSelf.min"));
  const std::vector<Rule> optional = {
      {.rule = "oldSelf.hasValue() || self.min == 0", .optional_old_self = true}};
  EXPECT_THAT(Errors(optional, MakeSchema(), R"({"min": 1})"),
              ElementsAre("spec: Invalid value: failed rule: oldSelf.hasValue() || self.min == 0"));
  EXPECT_THAT(Errors(optional, MakeSchema(), R"({"min": 1})", R"({"min": 2})"), IsEmpty());
  // As upstream, an optional old value has lost its schema: members are those of the JSON.
  const std::vector<Rule> same = {{.rule = "oldSelf.value() == self", .optional_old_self = true}};
  EXPECT_THAT(Errors(same, MakeSchema(), R"({"min": 1})", R"({"min": 1})"), IsEmpty());
  EXPECT_THAT(
      Errors(same, Of(SchemaKind::kIntOrString), "[]", "[]"),
      ElementsAre(StartsWith("spec: Invalid value: \"\": unsupported conversion to ref.Val: "
                             "(*errors.errorString)invalid data, expected XIntOrString")));
  EXPECT_THAT(Errors(same, MakeSchema(), R"({"other": 1})", R"({"other": 1})"),
              ElementsAre("spec: Invalid value: failed rule: oldSelf.value() == self"));
}

TEST(RulesTest, OnlyErrorsOfOtherRulesCanBeRatcheted) {
  const absl::StatusOr<RuleSet> rules = RuleSet::Compile(
      {{.rule = "self < 0"}, {.rule = "self < oldSelf"}, {.rule = "1 / (self - 5) > 0"}},
      Of(SchemaKind::kInteger));
  ASSERT_THAT(rules, IsOk());
  EXPECT_FALSE(rules->UsesOldSelf(0));
  EXPECT_TRUE(rules->UsesOldSelf(1));
  Context context;
  const unstructured::Value five = Json("5");
  const absl::StatusOr<RuleSet::Outcome> outcome =
      rules->Evaluate(context, Path("spec"), five, &five, kObjectCostLimit);
  ASSERT_THAT(outcome, IsOk());
  std::vector<bool> can_be_ratcheted;
  for (const RuleError& error : outcome->errors) can_be_ratcheted.push_back(error.can_be_ratcheted);
  EXPECT_THAT(can_be_ratcheted, ElementsAre(true, false, false));
}

TEST(RulesTest, MessagesThatCannotBeUsed) {
  for (const char* message : {"''", "'a\\nb'", "' '", "string(1 / (self.min - 1))"}) {
    EXPECT_THAT(
        Errors({{.rule = "false", .message_expression = message}}, MakeSchema(), R"({"min": 1})"),
        ElementsAre("spec: Invalid value: failed rule: false"))
        << message;
  }
}

TEST(RulesTest, Defects) {
  const absl::StatusOr<RuleSet> rules =
      RuleSet::Compile({{.rule = "self.x"},
                        {.rule = "self.min"},
                        {.rule = "int('a') > 1"},
                        {.rule = "true", .message_expression = "self.min"},
                        {.rule = ""}},
                       MakeSchema());
  ASSERT_THAT(rules, IsOk());
  std::vector<std::string> details;
  for (const RuleDefect& defect : rules->defects()) details.push_back(defect.detail);
  EXPECT_THAT(details,
              ElementsAre("compilation failed: ERROR: <input>:1:5: undefined field 'x'\n"
                          " | self.x\n"
                          " | ....^",
                          "cel expression must evaluate to a bool",
                          "program instantiation failed: type conversion error from 'string' to "
                          "'int'",
                          "messageExpression must evaluate to a string"));
  EXPECT_TRUE(rules->defects()[3].in_message);
  EXPECT_EQ(rules->defects()[3].rule, 3u);
  EXPECT_THAT(
      Errors({{.rule = "self.min"}}, MakeSchema(), "{}"),
      ElementsAre("spec: Invalid value: \"object\": rule compile error: cel expression must "
                  "evaluate to a bool"));
}

TEST(RulesTest, Estimates) {
  const absl::StatusOr<RuleSet> rules =
      RuleSet::Compile({{.rule = "self.min > 0", .message_expression = "string(self.min)"},
                        {.rule = "self.name.contains('abc')"},
                        {.rule = "self.x"}},
                       MakeSchema());
  ASSERT_THAT(rules, IsOk());
  EXPECT_EQ(rules->EstimateOf(0).rule, 3u);
  EXPECT_EQ(rules->EstimateOf(0).message, 3u);
  EXPECT_EQ(rules->EstimateOf(1).rule, 2u + 314'573u);
  EXPECT_EQ(rules->EstimateOf(1).message, 0u);
  EXPECT_EQ(rules->EstimateOf(2).rule, 0u);
  EXPECT_EQ(rules->EstimateOf(3).rule, 0u);
  // An empty object and a comma.
  EXPECT_EQ(rules->MaxCardinality(), 1'048'576u);
}

TEST(RulesTest, InvisibleValues) {
  EXPECT_THAT(RuleSet::Compile({{.rule = "true"}}, Of(SchemaKind::kPreserved)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "failed to convert to declType for CEL validation rules"));
}

TEST(RulesTest, Budget) {
  constexpr absl::string_view kNoBudget =
      "spec: Invalid value: \"integer\": validation failed due to running out of cost budget, no "
      "further validation rules will be run";
  const std::vector<Rule> rules = {{.rule = "self > 1"}, {.rule = "self > 2"}};
  EXPECT_THAT(Errors(rules, Of(SchemaKind::kInteger), "5", "null", 4), IsEmpty());
  EXPECT_THAT(Errors(rules, Of(SchemaKind::kInteger), "5", "null", 3), ElementsAre(kNoBudget));
  EXPECT_THAT(Errors(rules, Of(SchemaKind::kInteger), "5", "null", 0), ElementsAre(kNoBudget));
  EXPECT_THAT(
      Errors({{.rule = "lists.range(1000).all(x, lists.range(1000).all(y, x + y >= 0))"}},
             Of(SchemaKind::kInteger), "5"),
      ElementsAre("spec: Invalid value: \"integer\": 'operation cancelled: actual cost limit "
                  "exceeded': no further validation rules will be run due to call cost exceeds "
                  "limit for rule: lists.range(1000).all(x, lists.range(1000).all(y, x + y >= "
                  "0))"));
}

TEST(RulesTest, WhatIsLeftOfTheBudget) {
  const absl::StatusOr<RuleSet> rules =
      RuleSet::Compile({{.rule = "self > 1"}}, Of(SchemaKind::kInteger));
  ASSERT_THAT(rules, IsOk());
  Context context;
  const unstructured::Value five = Json("5");
  const absl::StatusOr<RuleSet::Outcome> outcome =
      rules->Evaluate(context, Path("spec"), five, nullptr, 100);
  ASSERT_THAT(outcome, IsOk());
  EXPECT_EQ(outcome->budget, 98);
}

TEST(RulesTest, ContextEndsTheEvaluation) {
  const absl::StatusOr<RuleSet> rules =
      RuleSet::Compile({{.rule = "self > 1"}}, Of(SchemaKind::kInteger));
  ASSERT_THAT(rules, IsOk());
  Context context;
  CancelScope scope = WithCancel(context);
  scope.Cancel();
  const unstructured::Value five = Json("5");
  EXPECT_THAT(rules->Evaluate(scope.context(), Path("spec"), five, nullptr, 100),
              StatusIs(absl::StatusCode::kCancelled));
}

TEST(RulesTest, ListsOfAnObject) {
  EXPECT_THAT(Errors({{.rule = "self.days.all(d, d in ['mon', 'tue'])"}}, MakeSchema(),
                     R"({"days": ["mon", "tue"]})"),
              IsEmpty());
}

}  // namespace
}  // namespace kube::cel
