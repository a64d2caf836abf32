#include "apiserver/registry/aggregated_rules.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/types/list.h"

namespace kube::apiserver::internal {

namespace metav1 = api::meta::v1;
namespace rbacv1 = api::rbac::v1;

std::optional<List<rbacv1::PolicyRule>> AggregatedRules(
    const rbacv1::ClusterRole& role, const std::vector<const rbacv1::ClusterRole*>& all) {
  if (!role.aggregation_rule) return std::nullopt;
  List<rbacv1::PolicyRule> rules;
  for (const metav1::LabelSelector& each : role.aggregation_rule->cluster_role_selectors) {
    const absl::StatusOr<labels::Selector> selector = labels::LabelSelectorAsSelector(&each);
    if (!selector.ok()) return std::nullopt;
    for (const rbacv1::ClusterRole* other : all) {
      if (other->metadata.name == role.metadata.name) continue;
      if (!selector->Matches(other->metadata.labels)) continue;
      for (const rbacv1::PolicyRule& rule : other->rules) {
        if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
      }
    }
  }
  return rules;
}

}  // namespace kube::apiserver::internal
