#include "apiserver/type_checking/type_check.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apiserver/openapi/testing/sample_kind.h"
#include "apiserver/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kCronTab[] =
    R"({"type":"object","properties":{"spec":{"type":"object","properties":{)"
    R"("limit":{"type":"integer"},"names":{"type":"array","items":{"type":"string"}}}}}})";
constexpr char kDeployments[] =
    R"({"operations":["*"],"apiGroups":["apps"],"apiVersions":["v1"],"resources":["deployments"]})";
constexpr char kPods[] =
    R"({"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],"resources":["pods"]})";
constexpr char kCronTabs[] =
    R"({"operations":["*"],"apiGroups":["stable.example.com"],"apiVersions":["v1"],)"
    R"("resources":["crontabs"]})";

// Returns "FIELD: WARNING" for each warning about a policy with these rules; `spec` has further
// members of its spec. The server also has the kind CronTab.
std::vector<std::string> Warnings(absl::string_view rules, absl::string_view spec) {
  const auto policy = codec::DecodeJson<api::admissionregistration::v1::ValidatingAdmissionPolicy>(
                          absl::StrCat(R"({"spec":{"matchConstraints":{"resourceRules":[)", rules,
                                       "]},", spec, "}}"))
                          .value();
  const Resources resources = Resources::With({{.kind = SampleKind(kCronTab)}});
  std::vector<std::string> warnings;
  for (const auto& each : CheckTypes(policy, resources)) {
    warnings.push_back(absl::StrCat(each.field_ref.view(), ": ", each.warning.view()));
  }
  return warnings;
}

std::string Validation(absl::string_view expression) {
  return absl::StrCat(R"("validations":[{"expression":")", expression, "\"}]");
}

// Returns the warning about the first validation for one kind.
std::string Warning(absl::string_view kind, absl::string_view error) {
  return absl::StrCat("spec.validations[0].expression: ", kind, ": ERROR: <input>:", error, "\n");
}

TEST(CheckTypes, WarnsOfWhatAKindDoesNotHave) {
  EXPECT_THAT(Warnings(kDeployments, Validation("object.spec.replicas > 1")), IsEmpty());
  EXPECT_THAT(Warnings(kDeployments, Validation("object.spec.replica > 1")),
              ElementsAre(Warning("apps/v1, Kind=Deployment",
                                  "1:12: undefined field 'replica'\n"
                                  " | object.spec.replica > 1\n"
                                  " | ...........^")));
  EXPECT_THAT(Warnings(kPods, Validation("oldObject.spec.replicas > 1")),
              ElementsAre(Warning("/v1, Kind=Pod",
                                  "1:15: undefined field 'replicas'\n"
                                  " | oldObject.spec.replicas > 1\n"
                                  " | ..............^")));
  EXPECT_THAT(Warnings(kCronTabs, Validation("object.spec.limit == 'a'")),
              ElementsAre(Warning("stable.example.com/v1, Kind=CronTab",
                                  "1:19: found no matching overload for '_==_' applied to "
                                  "'(int, string)'\n"
                                  " | object.spec.limit == 'a'\n"
                                  " | ..................^")));
}

TEST(CheckTypes, KnowsWhatAllPoliciesCanReferTo) {
  for (const char* expression : {
           "object.metadata.namespace == request.namespace",
           "namespaceObject.metadata.labels['a'] == request.userInfo.username",
           "authorizer.group('').resource('pods').check('get').allowed()",
           "object.spec.template.spec.containers.all(c, c.image.startsWith('a'))",
           "oldObject == null || object.spec.replicas >= oldObject.spec.replicas",
           // It need not be a bool.
           "object.spec.replicas",
       }) {
    EXPECT_THAT(Warnings(kDeployments, Validation(expression)), IsEmpty()) << expression;
  }
}

TEST(CheckTypes, NamesEachKindThatDoesNotFit) {
  const std::string both = absl::StrCat(kDeployments, ",", kPods, ",", kCronTabs);
  const std::string spec =
      R"("validations":[{"expression":"object.spec.limit > 1"},)"
      R"({"expression":"object.metadata.name != ''","messageExpression":"object.spec.limit"}])";
  const auto about = [](absl::string_view field, absl::string_view expression) {
    const std::string error = absl::StrCat("ERROR: <input>:1:12: undefined field 'limit'\n | ",
                                           expression, "\n | ...........^\n");
    return absl::StrCat(field, ": /v1, Kind=Pod: ", error, "\napps/v1, Kind=Deployment: ", error);
  };
  EXPECT_THAT(Warnings(both, spec),
              ElementsAre(about("spec.validations[0].expression", "object.spec.limit > 1"),
                          about("spec.validations[1].messageExpression", "object.spec.limit")));
}

TEST(CheckTypes, KnowsVariables) {
  const std::string variables = R"("variables":[{"name":"n","expression":"object.spec.replicas"},)"
                                R"({"name":"twice","expression":"variables.n * 2"},)"
                                R"({"name":"bad","expression":"object.none"}],)";
  for (const char* expression : {"variables.twice > 1", "variables.bad > 1"}) {
    EXPECT_THAT(Warnings(kDeployments, absl::StrCat(variables, Validation(expression))), IsEmpty())
        << expression;
  }
  EXPECT_THAT(
      Warnings(kDeployments, absl::StrCat(variables, Validation("variables.twice == 'a'"))),
      ElementsAre(Warning("apps/v1, Kind=Deployment",
                          "1:17: found no matching overload for '_==_' applied to '(int, string)'\n"
                          " | variables.twice == 'a'\n"
                          " | ................^")));
}

TEST(CheckTypes, KnowsTheTypeOfParameters) {
  const std::string maps = R"("paramKind":{"apiVersion":"v1","kind":"ConfigMap"},)";
  const std::string unknown = R"("paramKind":{"apiVersion":"none.example.com/v1","kind":"X"},)";
  EXPECT_THAT(Warnings(kPods, absl::StrCat(maps, Validation("params.data['a'] == 'b'"))),
              IsEmpty());
  EXPECT_THAT(Warnings(kPods, absl::StrCat(maps, Validation("params.date['a'] == 'b'"))),
              ElementsAre(Warning("/v1, Kind=Pod",
                                  "1:7: undefined field 'date'\n"
                                  " | params.date['a'] == 'b'\n"
                                  " | ......^")));
  EXPECT_THAT(Warnings(kPods, absl::StrCat(unknown, Validation("params.any.thing == 1"))),
              IsEmpty());
}

TEST(CheckTypes, SaysNothingWithoutKinds) {
  const std::string wild =
      R"({"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":["*"]})";
  EXPECT_THAT(Warnings(wild, Validation("object.none")), IsEmpty());
  EXPECT_TRUE(CheckTypes({}, Resources::BuiltIn()).empty());
}

}  // namespace
}  // namespace kube::apiserver::internal
