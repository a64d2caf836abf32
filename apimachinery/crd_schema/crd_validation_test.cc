#include "apimachinery/crd_schema/crd_validation.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/validation/field_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Returns a definition whose schema is an object with these properties.
CustomResourceDefinition WithProperties(absl::string_view properties) {
  CustomResourceDefinition definition =
      codec::DecodeYaml<CustomResourceDefinition>(
          absl::StrCat("{metadata: {name: things.example.com, resourceVersion: '1'}, spec: {group: "
                       "example.com, scope: Namespaced, names: {plural: things, kind: Thing}, "
                       "versions: [{name: v1, served: true, storage: true, schema: "
                       "{openAPIV3Schema: {type: object, properties: {",
                       properties, "}}}}]}}"))
          .value();
  SetDefaults(definition);
  return definition;
}

// Returns the places in the schema and the details of errors.
std::vector<std::string> Lines(const validation::field::ErrorList& errors) {
  std::vector<std::string> lines;
  for (const auto& error : errors) {
    lines.push_back(absl::StrCat(absl::StripPrefix(error.field, "spec.validation.openAPIV3Schema"),
                                 ": ", error.detail));
  }
  return lines;
}

TEST(CrdValidationTest, DefaultsOfNames) {
  CustomResourceDefinition definition;
  definition.spec.names.kind = "Thing";
  SetDefaults(definition);
  EXPECT_EQ(definition.spec.names.singular, "thing");
  EXPECT_EQ(definition.spec.names.list_kind, "ThingList");
  EXPECT_EQ(definition.spec.conversion->strategy, "None");
}

TEST(CrdValidationTest, TheGroupStays) {
  CustomResourceDefinition old_definition;
  old_definition.spec.group = "example.com";
  CustomResourceDefinition definition = old_definition;
  definition.spec.group = "example.org";
  EXPECT_EQ(ValidateDefinitionUpdate(definition, old_definition).size(),
            ValidateDefinitionUpdate(old_definition, old_definition).size() + 1);
}

TEST(CrdValidationTest, RefusesADefinitionWithoutVersions_AsInTheHeader) {
  CustomResourceDefinition definition;
  definition.spec.names.kind = "Thing";
  SetDefaults(definition);
  const validation::field::ErrorList errors = ValidateDefinition(definition);
  const int code = errors.empty() ? 201 : 422;
  EXPECT_EQ(code, 422);
}

constexpr absl::string_view kAdvice =
    " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, "
    "maps, and strings are declared)";

TEST(CrdValidationTest, Rules) {
  const struct {
    const char* name;
    const char* properties;
    std::vector<std::string> errors;
  } kTests[] = {
      {"valid",
       "s: {type: object, properties: {num: {type: integer}}, x-kubernetes-validations: [{rule: "
       "self.num > 0, messageExpression: string(self.num)}, {rule: self.num >= oldSelf.num, "
       "message: m, "
       "reason: FieldValueForbidden, fieldPath: .num}]}",
       {}},
      {"unknown field",
       "s: {type: object, x-kubernetes-validations: [{rule: 'true'}, {rule: self.x}]}",
       {".properties[s].x-kubernetes-validations[1].rule: compilation failed: ERROR: "
        "<input>:1:5: undefined field 'x'\n | self.x\n | ....^"}},
      {"not a bool",
       "s: {type: integer, x-kubernetes-validations: [{rule: self}]}",
       {".properties[s].x-kubernetes-validations[0].rule: cel expression must evaluate to a bool"}},
      {"message is not a string",
       "s: {type: integer, x-kubernetes-validations: [{rule: self > 0, messageExpression: self}]}",
       {".properties[s].x-kubernetes-validations[0].messageExpression: messageExpression must "
        "evaluate to a string"}},
      {"no old values",
       "s: {type: array, items: {type: array, items: {type: integer, x-kubernetes-validations: "
       "[{rule: self >= oldSelf}]}}}",
       {".properties[s].items.items.x-kubernetes-validations[0].rule: oldSelf cannot be used on "
        "the "
        "uncorrelatable portion of the schema within "
        "spec.validation.openAPIV3Schema.properties[s]"}},
      {"old values by their keys",
       "s: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: "
       "{type: "
       "object, required: [k], properties: {k: {type: integer}}, x-kubernetes-validations: [{rule: "
       "self.k >= oldSelf.k}]}}",
       {}},
      {"optional old value that is not used",
       "s: {type: integer, x-kubernetes-validations: [{rule: self > 0, optionalOldSelf: false}]}",
       {".properties[s].x-kubernetes-validations[0].optionalOldSelf: may not be set if oldSelf is "
        "not used in rule"}},
      {"form before content",
       "s: {type: object, x-kubernetes-validations: [{rule: self.x, message: ' '}]}",
       {".properties[s].x-kubernetes-validations[0].message: must be non-empty if specified"}},
      {"other places are checked nevertheless",
       "s: {type: integer, x-kubernetes-validations: [{rule: self}]}, t: {type: integer, "
       "uniqueItems: true}",
       {".properties[t].uniqueItems: uniqueItems cannot be set to true since the runtime "
        "complexity "
        "becomes quadratic",
        ".properties[s].x-kubernetes-validations[0].rule: cel expression must evaluate to a bool"}},
      {"values that rules cannot see",
       "s: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: "
       "'true'}]}",
       {".properties[s].x-kubernetes-validations: internal error: failed to construct type "
        "information for x-kubernetes-validations rules: unable to convert structural schema to "
        "CEL "
        "declarations"}},
      {"a default that breaks a rule",
       "s: {type: integer, default: 5, x-kubernetes-validations: [{rule: self < 5}]}",
       {".properties[s].default: failed rule: self < 5"}},
      {"a new default that breaks a rule",
       "s: {type: integer, default: 5, x-kubernetes-validations: [{rule: oldSelf.hasValue(), "
       "optionalOldSelf: true}]}",
       {".properties[s].default: failed rule: oldSelf.hasValue()"}},
      {"too expensive for many values",
       "s: {type: array, items: {type: string, x-kubernetes-validations: [{rule: self.size() < 5 "
       "&& "
       "self.size() < 6 && self.size() < 7 && self.size() < 8}]}}",
       {absl::StrCat(".properties[s].items.x-kubernetes-validations[0].rule: estimated rule cost "
                     "exceeds budget by factor of 1.258291x",
                     kAdvice)}},
      {"cheap enough for a few",
       "s: {type: array, maxItems: 9, items: {type: string, x-kubernetes-validations: [{rule: "
       "self.size() < 5 && self.size() < 6 && self.size() < 7 && self.size() < 8}]}}",
       {}},
      {"too expensive alone",
       "s: {type: string, x-kubernetes-validations: [{rule: self.contains(self)}]}",
       {absl::StrCat(".properties[s].x-kubernetes-validations[0].rule: estimated rule cost exceeds "
                     "budget by factor of more than 100x",
                     kAdvice),
        ".properties[s].x-kubernetes-validations[0].rule: contributed to estimated rule cost total "
        "exceeding cost limit for entire OpenAPIv3 schema",
        absl::StrCat(": x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 "
                     "schema exceeds budget by factor of more than 100x",
                     kAdvice)}},
  };
  for (const auto& test : kTests) {
    EXPECT_THAT(Lines(ValidateDefinition(WithProperties(test.properties))),
                ElementsAreArray(test.errors))
        << test.name;
  }
}

TEST(CrdValidationTest, RulesAreShownAsUpstreamDoes) {
  const validation::field::ErrorList errors = ValidateDefinition(
      WithProperties("s: {type: integer, x-kubernetes-validations: [{rule: self < 1 && 2, reason: "
                     "FieldValueInvalid}]}"));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_THAT(
      errors[0].ToString(),
      StartsWith("spec.validation.openAPIV3Schema.properties[s].x-kubernetes-validations[0].rule: "
                 "Invalid value: {\"Rule\":\"self \\u003c 1 \\u0026\\u0026 "
                 "2\",\"Message\":\"\",\"MessageExpression\":\"\",\"Reason\":"
                 "\"FieldValueInvalid\",\"FieldPath\":\"\",\"OptionalOldSelf\":null}: compilation "
                 "failed: "));
}

TEST(CrdValidationTest, AnUpdateMayKeepExpensiveRules) {
  constexpr absl::string_view kRules =
      "x-kubernetes-validations: [{rule: self.size() < 5 && self.size() < 6 && self.size() < 7 && "
      "self.size() < 8}]";
  const CustomResourceDefinition old_definition =
      WithProperties(absl::StrCat("s: {type: array, items: {type: string, ", kRules, "}}"));
  EXPECT_THAT(Lines(ValidateDefinitionUpdate(old_definition, old_definition)), IsEmpty());
  const CustomResourceDefinition changed = WithProperties(
      absl::StrCat("s: {type: array, items: {type: string, ", kRules, "}}, t: {type: string}"));
  EXPECT_THAT(Lines(ValidateDefinitionUpdate(changed, old_definition)),
              ::testing::ElementsAre(HasSubstr("estimated rule cost exceeds budget")));
}

}  // namespace
}  // namespace kube::crd_schema
