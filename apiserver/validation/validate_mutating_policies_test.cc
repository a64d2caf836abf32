#include "apiserver/validation/validate_mutating_policies.h"

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

using testing::ElementsAreArray;

constexpr char kMatch[] =
    R"("matchConstraints":{"resourceRules":[{"operations":["CREATE"],"apiGroups":[""],)"
    R"("apiVersions":["v1"],"resources":["pods"]}]},"reinvocationPolicy":"Never",)";

Object MakeObject(absl::string_view kind, absl::string_view spec) {
  const std::string json =
      absl::StrCat(R"({"metadata":{"name":"p.example.com"},"spec":{)", spec, "}}");
  absl::StatusOr<codec::AnyObject> object = codec::AnyObject::DecodeJson(
      *api::FindKind("admissionregistration.k8s.io/v1", kind), absl::string_view(json));
  KUBE_CHECK(object.ok()) << object.status();
  SetDefaults(*object);
  return Object(*std::move(object));
}

std::vector<std::string> ErrorsOf(const Object& object) {
  validation::field::ErrorList wrong;
  CheckMutatingPolicies(wrong, object, nullptr);
  std::vector<std::string> texts;
  for (const auto& each : wrong) texts.push_back(each.ToString());
  return texts;
}

std::string Mutation(absl::string_view members) {
  return absl::StrCat(kMatch, R"("mutations":[{)", members, "}]");
}

struct Row {
  const char* name;
  std::string spec;
  std::vector<std::string> errors;
};

TEST(ValidateMutatingPolicies, ErrorsOfPolicies) {
  const std::vector<Row> rows = {
      {"a configuration",
       Mutation(
           R"("patchType":"ApplyConfiguration","applyConfiguration":{"expression":"Object{}"})"),
       {}},
      {"a patch",
       Mutation(R"("patchType":"JSONPatch","jsonPatch":{"expression":"[JSONPatch{op: 'add'}]"})"),
       {}},
      {"no mutations",
       absl::StrCat(kMatch, R"("mutations":[])"),
       {"spec.mutations: Required value: mutations must contain at least one item"}},
      {"no type", Mutation(""), {"spec.mutations[0].patchType: Required value"}},
      {"another type",
       Mutation(R"("patchType":"Other")"),
       {"spec.mutations[0].patchType: Unsupported value: \"Other\": supported values: "
        "\"ApplyConfiguration\", \"JSONPatch\""}},
      {"the other member",
       Mutation(R"("patchType":"JSONPatch","applyConfiguration":{"expression":"Object{}"})"),
       {"spec.mutations[0].jsonPatch: Required value: must be specified when patchType is "
        "JSONPatch",
        "spec.mutations[0].applyConfiguration: Invalid value: \"{applyConfiguration}\": must not "
        "be specified when patchType is JSONPatch"}},
      {"a blank expression",
       Mutation(R"("patchType":"ApplyConfiguration","applyConfiguration":{"expression":" "})"),
       {"spec.mutations[0].applyConfiguration.expression: Required value"}},
      {"another value",
       Mutation(R"("patchType":"ApplyConfiguration","applyConfiguration":{"expression":"1"})"),
       {"spec.mutations[0].applyConfiguration.expression: Invalid value: \"1\": must evaluate to "
        "Object but got int"}},
      {"deletions",
       R"("matchConstraints":{"resourceRules":[{"operations":["DELETE"],"apiGroups":[""],)"
       R"("apiVersions":["v1"],"resources":["pods"]}]},"mutations":[{"patchType":"JSONPatch",)"
       R"("jsonPatch":{"expression":"[JSONPatch{}]"}}])",
       {"spec.matchConstraints.resourceRules.operations: Unsupported value: \"DELETE\": supported "
        "values: \"*\", \"CONNECT\", \"CREATE\", \"UPDATE\"",
        "spec.reinvocationPolicy: Required value"}},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(ErrorsOf(MakeObject("MutatingAdmissionPolicy", row.spec)),
                ElementsAreArray(row.errors))
        << row.name;
  }
}

TEST(ValidateMutatingPolicies, ErrorsOfBindings) {
  const std::vector<Row> rows = {
      {"a good one", R"("policyName":"p")", {}},
      {"no policy", "", {"spec.policyName: Required value"}},
      {"no name and no selector",
       R"("policyName":"p","paramRef":{"parameterNotFoundAction":"Deny"})",
       {"spec.paramRef: Required value: one of name or selector must be specified"}},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(ErrorsOf(MakeObject("MutatingAdmissionPolicyBinding", row.spec)),
                ElementsAreArray(row.errors))
        << row.name;
  }
}

}  // namespace
}  // namespace kube::apiserver::internal
