#include "apiserver/policies/policy_match.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/validation/admission_rules.h"
#include "apiserver/webhooks/admission_question.h"
#include "apiserver/webhooks/webhook_rules.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;

std::vector<PolicyRule> RulesOf(const List<admissionv1::NamedRuleWithOperations>& rules) {
  std::vector<PolicyRule> made;
  for (const admissionv1::NamedRuleWithOperations& each : rules) {
    PolicyRule rule = {.rule = RuleOf(each)};
    for (const String& name : each.resource_names) rule.names.emplace_back(name);
    made.push_back(std::move(rule));
  }
  return made;
}

bool Names(const PolicyRule& rule, absl::string_view name) {
  return rule.names.empty() || absl::c_linear_search(rule.names, name);
}

// Returns null if no rule selects the request. `names` says whether the names of rules matter.
const Resource* SelectedBy(const std::vector<PolicyRule>& rules, bool equivalent,
                           const Resources& resources, const Resource& resource,
                           RuleSubject subject, absl::string_view name, bool names) {
  SetResource(resource, subject);
  for (const PolicyRule& rule : rules) {
    if (RuleMatches(rule.rule, subject) && (!names || Names(rule, name))) return &resource;
  }
  if (!equivalent) return nullptr;
  const std::vector<const Resource*> others = Equivalents(resources, resource, subject.subresource);
  for (const PolicyRule& rule : rules) {
    for (const Resource* other : others) {
      if (other == &resource) continue;
      SetResource(*other, subject);
      if (RuleMatches(rule.rule, subject) && (!names || Names(rule, name))) return other;
    }
  }
  return nullptr;
}

}  // namespace

PolicyMatch MakePolicyMatch(const admissionv1::MatchResources& match) {
  PolicyMatch made;
  made.rules = RulesOf(match.resource_rules);
  made.excluded = RulesOf(match.exclude_resource_rules);
  made.equivalent = match.match_policy == "Equivalent";
  made.namespace_selector = labels::LabelSelectorAsSelector(match.namespace_selector.get());
  made.object_selector = labels::LabelSelectorAsSelector(match.object_selector.get());
  return made;
}

bool MayMatch(const PolicyMatch& match, const Resources& resources, const Resource& resource,
              const RuleSubject& subject) {
  return match.rules.empty() || SelectedBy(match.rules, match.equivalent, resources, resource,
                                           subject, "", /*names=*/false) != nullptr;
}

absl::StatusOr<const Resource*> MatchedAs(const PolicyMatch& match,
                                          const AdmissionQuestion& question, absl::string_view name,
                                          const Storage& storage) {
  const Resource* const none = nullptr;
  const absl::StatusOr<bool> in_namespace = question.InNamespace(match.namespace_selector, storage);
  if (in_namespace.ok() && !*in_namespace) return none;
  if (match.object_selector.ok() && !question.HasLabels(*match.object_selector)) return none;
  const std::string namespace_name = question.NamespaceOf();
  const RuleSubject subject = {.operation = question.operation,
                               .subresource = question.info->subresource,
                               .namespace_name = namespace_name};
  const auto selected_by = [&](const std::vector<PolicyRule>& rules) {
    return SelectedBy(rules, match.equivalent, *question.resources, *question.resource, subject,
                      name, /*names=*/true);
  };
  if (selected_by(match.excluded) != nullptr) return none;
  const Resource* const as = match.rules.empty() ? question.resource : selected_by(match.rules);
  if (as == nullptr) return none;
  KUBE_RETURN_IF_ERROR(in_namespace.status());
  KUBE_RETURN_IF_ERROR(match.object_selector.status());
  return as;
}

}  // namespace kube::apiserver::internal
