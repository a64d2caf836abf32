// The folder config/rbac: the service account, and a role and a binding for each purpose.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"
#include "controller/cache/required_access.h"
#include "controller/manifests/install_options.h"
#include "controller/manifests/internal/objects.h"
#include "controller/manifests/roles.h"

namespace kube::manifests::internal {
namespace {

namespace rbacv1 = api::rbac::v1;
using controller::AccessPurpose;
using unstructured::Value;

constexpr char kRbac[] = "rbac.authorization.k8s.io/v1";

void SetTexts(Object& object, absl::string_view member, const List<String>& texts) {
  if (texts.empty()) return;
  Array values;
  for (const String& text : texts) values.push_back(Value(text.view()));
  object[member] = std::move(values);
}

Value RuleValue(const rbacv1::PolicyRule& rule) {
  Object value;
  SetTexts(value, "apiGroups", rule.api_groups);
  SetTexts(value, "nonResourceURLs", rule.non_resource_urls);
  SetTexts(value, "resourceNames", rule.resource_names);
  SetTexts(value, "resources", rule.resources);
  SetTexts(value, "verbs", rule.verbs);
  return value;
}

// The names of a purpose's role, without that of the program, and of its files.
struct RoleNames {
  const char* name;
  const char* file;
};

RoleNames NamesOf(AccessPurpose purpose) {
  switch (purpose) {
    case AccessPurpose::kLeaderElection:
      return {.name = "leader-election-role", .file = "rbac/leader_election_role"};
    case AccessPurpose::kMetrics:
      return {.name = "metrics-auth-role", .file = "rbac/metrics_auth_role"};
    case AccessPurpose::kWork:
      break;
  }
  return {.name = "manager-role", .file = "rbac/role"};
}

Object RoleObject(const Names& names, const RoleRules& role) {
  const char* kind = role.namespace_name.empty() ? "ClusterRole" : "Role";
  Object object =
      MakeObject(names, kRbac, kind, names.With(NamesOf(role.purpose).name), role.namespace_name);
  Array rules;
  for (const rbacv1::PolicyRule& rule : role.rules) rules.push_back(RuleValue(rule));
  object["rules"] = std::move(rules);
  return object;
}

Object BindingObject(const Names& names, const RoleRules& role) {
  const std::string kind = role.namespace_name.empty() ? "ClusterRole" : "Role";
  const std::string name = names.With(NamesOf(role.purpose).name);
  Object object = MakeObject(names, kRbac, absl::StrCat(kind, "Binding"),
                             absl::StrCat(name, "binding"), role.namespace_name);
  object["roleRef"] =
      Object{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", kind}, {"name", name}};
  object["subjects"] = Array{Object{
      {"kind", "ServiceAccount"}, {"name", names.account()}, {"namespace", names.namespace_name}}};
  return object;
}

// What Prometheus' service account is bound to.
Object MetricsReader(const Names& names) {
  Object object = MakeObject(names, kRbac, "ClusterRole", names.With("metrics-reader"), "");
  object["rules"] = Array{Object{{"nonResourceURLs", Array{"/metrics"}}, {"verbs", Array{"get"}}}};
  return object;
}

}  // namespace

PlacedObjects RbacObjects(const Names& names, const ProgramFacts& program,
                          const InstallOptions& options) {
  PlacedObjects placed;
  placed.push_back(
      {.file = "rbac/service_account.yaml",
       .object = MakeObject(names, "v1", "ServiceAccount", names.account(), names.namespace_name)});
  for (const RoleRules& role : RolesOf(program.access)) {
    const std::string file = NamesOf(role.purpose).file;
    placed.push_back({.file = absl::StrCat(file, ".yaml"), .object = RoleObject(names, role)});
    placed.push_back(
        {.file = absl::StrCat(file, "_binding.yaml"), .object = BindingObject(names, role)});
  }
  if (options.metrics) {
    placed.push_back({.file = "rbac/metrics_reader_role.yaml", .object = MetricsReader(names)});
  }
  return placed;
}

}  // namespace kube::manifests::internal
