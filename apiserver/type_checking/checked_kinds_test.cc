#include "apiserver/type_checking/checked_kinds.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apiserver/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::SizeIs;

// Returns the kinds for these rules, such as "apps/v1 Deployment".
std::vector<std::string> Checked(absl::string_view rules) {
  const auto constraints = codec::DecodeJson<api::admissionregistration::v1::MatchResources>(
                               absl::StrCat(R"({"resourceRules":[)", rules, "]}"))
                               .value();
  const Resources resources = Resources::BuiltIn();
  std::vector<std::string> checked;
  for (const Resource* resource : CheckedKinds(constraints, resources)) {
    checked.push_back(absl::StrCat(resource->ApiVersion(), " ", resource->kind->kind));
  }
  return checked;
}

std::string Rule(absl::string_view groups, absl::string_view versions,
                 absl::string_view resources) {
  return absl::StrCat(R"({"operations":["CREATE"],"apiGroups":[)", groups, R"(],"apiVersions":[)",
                      versions, R"(],"resources":[)", resources, "]}");
}

TEST(CheckedKinds, AreThoseThatRulesName) {
  struct Row {
    const char* name;
    std::string rules;
    std::vector<std::string> kinds;
  };
  for (const Row& row : {
           Row{"one resource",
               Rule(R"("apps")", R"("v1")", R"("deployments")"),
               {"apps/v1 Deployment"}},
           Row{"all combinations that exist, sorted",
               Rule(R"("batch","apps")", R"("v2","v1")", R"("jobs","deployments")"),
               {"apps/v1 Deployment", "batch/v1 Job"}},
           Row{"rules that name the same kind",
               absl::StrCat(Rule(R"("apps")", R"("v1")", R"("deployments")"), ",",
                            Rule(R"("apps")", R"("v1")", R"("deployments")")),
               {"apps/v1 Deployment"}},
           Row{"a singular name, in capitals",
               Rule(R"("apps")", R"("v1")", R"("Deployment")"),
               {"apps/v1 Deployment"}},
           Row{"the core group stands for all groups",
               Rule(R"("")", R"("v1")", R"("events")"),
               {"v1 Event", "events.k8s.io/v1 Event"}},
           Row{"a wildcard among groups", Rule(R"("apps","*")", R"("v1")", R"("deployments")"), {}},
           Row{"a wildcard among versions", Rule(R"("apps")", R"("*")", R"("deployments")"), {}},
           Row{"a wildcard and a subresource among resources",
               Rule(R"("apps")", R"("v1")", R"("*","deployments/scale","daemonsets")"),
               {"apps/v1 DaemonSet"}},
           Row{"no such resource", Rule(R"("apps")", R"("v1")", R"("none")"), {}},
       }) {
    EXPECT_THAT(Checked(row.rules), ElementsAreArray(row.kinds)) << row.name;
  }
}

TEST(CheckedKinds, AreTenOfARuleAndThenNoMore) {
  const std::string many = Rule(R"("")", R"("v1")",
                                R"("configmaps","endpoints","limitranges","namespaces","nodes",)"
                                R"("persistentvolumeclaims","persistentvolumes","pods",)"
                                R"("podtemplates","resourcequotas","secrets","services")");
  const std::string other = Rule(R"("apps")", R"("v1")", R"("deployments")");
  EXPECT_THAT(Checked(many), SizeIs(10));
  EXPECT_THAT(Checked(absl::StrCat(many, ",", other)), SizeIs(10));
  EXPECT_THAT(Checked(absl::StrCat(other, ",", many)), SizeIs(11));
  EXPECT_THAT(Checked(""), ElementsAre());
}

}  // namespace
}  // namespace kube::apiserver::internal
