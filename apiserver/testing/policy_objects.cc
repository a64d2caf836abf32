#include "apiserver/testing/policy_objects.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apiserver/testing/webhook_world.h"

namespace kube::apiserver {

std::string PolicyJson(absl::string_view name, absl::string_view spec,
                       absl::string_view constraints) {
  return absl::StrCat(
      R"({"metadata":{"name":")", name, R"("},"spec":{"matchConstraints":{"resourceRules":[)",
      R"({"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"]}])",
      constraints, "},", spec, "}}");
}

std::string BindingJson(absl::string_view name, absl::string_view policy, absl::string_view more,
                        absl::string_view action) {
  return absl::StrCat(R"({"metadata":{"name":")", name, R"("},"spec":{"policyName":")", policy,
                      R"(","validationActions":[")", action, "\"]", more, "}}");
}

void BindPolicy(WebhookWorld& world, absl::string_view name, absl::string_view spec,
                absl::string_view more, absl::string_view constraints) {
  world.Expect(201, "POST", kPolicies, PolicyJson(name, spec, constraints));
  world.Expect(201, "POST", kBindings, BindingJson(name, name, more));
}

std::string Says(absl::string_view expression, absl::string_view more) {
  return absl::StrCat(R"("validations":[{"expression":")", expression, "\"", more, "}]");
}

}  // namespace kube::apiserver
