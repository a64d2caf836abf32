#include "apiserver/validation/validate_policies.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/defaults/defaults.h"
#include "apiserver/object.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::StartsWith;

constexpr char kMatch[] =
    R"("matchConstraints":{"resourceRules":[{"operations":["CREATE"],"apiGroups":[""],)"
    R"("apiVersions":["v1"],"resources":["pods"]}]})";
constexpr char kGood[] = R"("validations":[{"expression":"true"}])";

Object MakeObject(absl::string_view kind, absl::string_view spec) {
  const std::string json =
      absl::StrCat(R"({"metadata":{"name":"p.example.com"},"spec":{)", spec, "}}");
  absl::StatusOr<codec::AnyObject> object = codec::AnyObject::DecodeJson(
      *api::FindKind("admissionregistration.k8s.io/v1", kind), absl::string_view(json));
  KUBE_CHECK(object.ok()) << object.status();
  SetDefaults(*object);
  return Object(*std::move(object));
}

Object Policy(absl::string_view members) {
  return MakeObject("ValidatingAdmissionPolicy", members);
}

std::vector<std::string> ErrorsOf(const Object& object, const Object* old = nullptr) {
  validation::field::ErrorList wrong;
  CheckPolicies(wrong, object, old);
  std::vector<std::string> texts;
  for (const auto& each : wrong) texts.push_back(each.ToString());
  return texts;
}

struct Row {
  const char* name;
  std::string spec;
  std::vector<std::string> errors;
};

TEST(ValidatePolicies, ErrorsOfPolicies) {
  const std::string match = absl::StrCat(kMatch, ",");
  const std::vector<Row> rows = {
      {"a good one", absl::StrCat(match, kGood), {}},
      {"no constraints", kGood, {"spec.matchConstraints: Required value"}},
      {"no rules",
       absl::StrCat(R"("matchConstraints":{},)", kGood),
       {"spec.matchConstraints.resourceRules: Required value"}},
      {"nothing to do",
       kMatch,
       {"spec.validations: Required value: validations or auditAnnotations must contain at least "
        "one item",
        "spec.auditAnnotations: Required value: validations or auditAnnotations must contain at "
        "least one item"}},
      {"another failure policy",
       absl::StrCat(R"("failurePolicy":"Other",)", match, kGood),
       {"spec.failurePolicy: Unsupported value: \"Other\": supported values: \"Fail\", "
        "\"Ignore\""}},
      {"parameters without version and kind",
       absl::StrCat(R"("paramKind":{},)", match, kGood),
       {"spec.paramKind.apiVersion: Required value", "spec.paramKind.kind: Required value"}},
      {"parameters of a bad version",
       absl::StrCat(R"("paramKind":{"apiVersion":"a/b/c","kind":"K"},)", match, kGood),
       {"spec.paramKind.apiVersion: Invalid value: \"a/b/c\": unexpected GroupVersion string: "
        "a/b/c"}},
      {"a wrong type",
       absl::StrCat(match, R"("validations":[{"expression":"1"}])"),
       {"spec.validations[0].expression: Invalid value: \"1\": must evaluate to bool but got "
        "int"}},
      {"no expression",
       absl::StrCat(match, R"("validations":[{"expression":" "}])"),
       {"spec.validations[0].expression: Required value: expression is not specified"}},
      {"blank messages",
       absl::StrCat(match, R"("validations":[{"expression":"true","message":" ",)",
                    R"("messageExpression":" "}])"),
       {"spec.validations[0].messageExpression: Invalid value: \" \": must be non-empty if "
        "specified",
        "spec.validations[0].message: Invalid value: \" \": must be non-empty if specified"}},
      {"another reason",
       absl::StrCat(match, R"("validations":[{"expression":"true","reason":"Conflict"}])"),
       {"spec.validations[0].reason: Unsupported value: \"Conflict\": supported values: "
        "\"Forbidden\", \"Invalid\", \"RequestEntityTooLarge\""}},
      {"a reserved name",
       absl::StrCat(match, R"("variables":[{"name":"if","expression":"1"}],)", kGood),
       {"spec.variables[0].name: Invalid value: \"if\": must be a valid CEL identifier"}},
      {"the same annotation twice",
       absl::StrCat(match, R"("auditAnnotations":[{"key":"k","valueExpression":"'a'"},)",
                    R"({"key":"k","valueExpression":"'b'"}])"),
       {"spec.auditAnnotations[1].key: Duplicate value: \"k\""}},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(ErrorsOf(Policy(row.spec)), ElementsAreArray(row.errors)) << row.name;
  }
}

TEST(ValidatePolicies, ExpressionsAreCompiled) {
  EXPECT_THAT(
      ErrorsOf(Policy(absl::StrCat(kMatch, R"(,"validations":[{"expression":"none"}])"))),
      ElementsAre(StartsWith("spec.validations[0].expression: Invalid value: \"none\": "
                             "compilation failed: ERROR: <input>:1:1: undeclared reference to "
                             "'none'")));
}

TEST(ValidatePolicies, UpdatesMayKeepTheirConditions) {
  const std::string spec =
      absl::StrCat(R"("matchConditions":[{"name":"c","expression":"1"}],)", kMatch, ",", kGood);
  const Object policy = Policy(spec);
  EXPECT_THAT(ErrorsOf(policy), ElementsAre("spec.matchConditions[0].expression: Invalid value: "
                                            "\"1\": must evaluate to bool but got int"));
  EXPECT_THAT(ErrorsOf(policy, &policy), ElementsAre());
}

TEST(ValidatePolicies, ErrorsOfBindings) {
  const std::string good = R"("policyName":"p","validationActions":["Deny"])";
  const std::vector<Row> rows = {
      {"a good one", good, {}},
      {"empty",
       "",
       {"spec.policyName: Required value",
        "spec.validationActions: Required value: at least one validation action is required"}},
      {"an unknown action",
       R"("policyName":"p","validationActions":["Log"])",
       {"spec.validationActions[0]: Unsupported value: \"Log\": supported values: \"Audit\", "
        "\"Deny\", \"Warn\""}},
      {"both actions",
       R"("policyName":"p","validationActions":["Deny","Warn"])",
       {"spec.validationActions: Invalid value: [\"Deny\",\"Warn\"]: must not contain both Deny "
        "and Warn (repeating the same validation failure information in the API response and "
        "headers serves no purpose)"}},
      {"no action for missing parameters",
       absl::StrCat(good, R"(,"paramRef":{"name":"n"})"),
       {"spec.paramRef.parameterNotFoundAction: Required value"}},
      {"neither name nor selector",
       absl::StrCat(good, R"(,"paramRef":{"parameterNotFoundAction":"Allow"})"),
       {"spec.paramRef: Required value: one of name or selector must be specified"}},
      {"name and selector",
       absl::StrCat(good, R"(,"paramRef":{"name":"n","selector":{},)",
                    R"("parameterNotFoundAction":"Allow"})"),
       {"spec.paramRef.name: Forbidden: name and selector are mutually exclusive",
        "spec.paramRef.selector: Forbidden: name and selector are mutually exclusive"}},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(ErrorsOf(MakeObject("ValidatingAdmissionPolicyBinding", row.spec)),
                ElementsAreArray(row.errors))
        << row.name;
  }
}

}  // namespace
}  // namespace kube::apiserver::internal
