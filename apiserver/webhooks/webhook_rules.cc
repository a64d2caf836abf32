#include "apiserver/webhooks/webhook_rules.h"

#include <cstddef>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;

bool HasOrStar(const List<String>& values, absl::string_view wanted) {
  for (const String& each : values) {
    if (each == "*" || each == wanted) return true;
  }
  return false;
}

bool ScopeMatches(const Opt<String>& scope, const RuleSubject& subject) {
  if (!scope.has_value() || *scope == "*") return true;
  const bool is_namespace = subject.group.empty() && subject.resource == "namespaces";
  // A namespace is in no namespace, though requests about it have one.
  const bool in_namespace = !is_namespace && !subject.namespace_name.empty();
  if (*scope == "Namespaced") return in_namespace;
  return *scope == "Cluster" && !in_namespace;
}

bool ResourceMatches(const List<String>& resources, const RuleSubject& subject) {
  for (const String& each : resources) {
    const absl::string_view text = each.view();
    const size_t slash = text.find('/');
    const absl::string_view resource = text.substr(0, slash);
    const absl::string_view subresource =
        slash == absl::string_view::npos ? "" : text.substr(slash + 1);
    if ((resource == "*" || resource == subject.resource) &&
        (subresource == "*" || subresource == subject.subresource)) {
      return true;
    }
  }
  return false;
}

}  // namespace

void SetResource(const Resource& resource, RuleSubject& subject) {
  subject.group = resource.kind->group;
  subject.version = resource.kind->version;
  subject.resource = resource.kind->plural;
}

bool RuleMatches(const admissionv1::RuleWithOperations& rule, const RuleSubject& subject) {
  return ScopeMatches(rule.scope, subject) && HasOrStar(rule.operations, subject.operation) &&
         HasOrStar(rule.api_groups, subject.group) &&
         HasOrStar(rule.api_versions, subject.version) && ResourceMatches(rule.resources, subject);
}

const Resource* SelectedAs(const List<admissionv1::RuleWithOperations>& rules, bool equivalent,
                           const Resources& resources, const Resource& resource,
                           RuleSubject subject) {
  SetResource(resource, subject);
  for (const admissionv1::RuleWithOperations& rule : rules) {
    if (RuleMatches(rule, subject)) return &resource;
  }
  if (!equivalent) return nullptr;
  const std::vector<const Resource*> others = Equivalents(resources, resource, subject.subresource);
  for (const admissionv1::RuleWithOperations& rule : rules) {
    for (const Resource* other : others) {
      if (other == &resource) continue;
      SetResource(*other, subject);
      if (RuleMatches(rule, subject)) return other;
    }
  }
  return nullptr;
}

std::vector<const Resource*> Equivalents(const Resources& resources, const Resource& resource,
                                         absl::string_view subresource) {
  std::vector<const Resource*> found;
  for (const schema::GroupVersion& group_version : resources.group_versions()) {
    const Resource* const other =
        resources.Find(group_version.group, group_version.version, resource.kind->plural);
    if (other == nullptr || other->storage != resource.storage) continue;
    if (!subresource.empty() && other->FindSubresource(subresource) == nullptr) continue;
    found.push_back(other);
  }
  return found;
}

std::vector<absl::string_view> OperationsOf(const RequestInfo& info) {
  const absl::string_view subresource = info.subresource;
  if (subresource == "exec" || subresource == "attach" || subresource == "portforward") {
    return {"CONNECT"};
  }
  if (info.verb == "create") return {"CREATE"};
  if (info.verb == "update" || info.verb == "patch") return {"UPDATE", "CREATE"};
  if (info.verb == "delete" || info.verb == "deletecollection") return {"DELETE"};
  return {};
}

bool IsExempt(const Resource& resource) {
  if (resource.kind->group != "admissionregistration.k8s.io") return false;
  for (absl::string_view kind :
       {"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration",
        "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration"}) {
    if (resource.kind->kind == kind) return true;
  }
  return false;
}

}  // namespace kube::apiserver::internal
