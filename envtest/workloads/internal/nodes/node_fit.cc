#include "envtest/workloads/internal/nodes/node_fit.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/labels/requirement.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;

std::optional<labels::Operator> OperatorOf(absl::string_view text) {
  if (text == "In") return labels::Operator::kIn;
  if (text == "NotIn") return labels::Operator::kNotIn;
  if (text == "Exists") return labels::Operator::kExists;
  if (text == "DoesNotExist") return labels::Operator::kDoesNotExist;
  if (text == "Gt") return labels::Operator::kGreaterThan;
  if (text == "Lt") return labels::Operator::kLessThan;
  return std::nullopt;
}

bool Matches(const corev1::NodeSelectorRequirement& wanted, const String* value) {
  const std::optional<labels::Operator> op = OperatorOf(wanted.operator_.view());
  if (!op.has_value()) return false;
  std::vector<std::string> values;
  for (const String& each : wanted.values) values.emplace_back(each);
  const auto requirement = labels::Requirement::Make(wanted.key.view(), *op, std::move(values));
  return requirement.ok() && requirement->Matches(value);
}

// A term without expressions and fields matches no node.
bool Matches(const corev1::NodeSelectorTerm& term, const corev1::Node& node) {
  if (term.match_expressions.empty() && term.match_fields.empty()) return false;
  const Map<String>& node_labels = node.metadata.labels;
  return std::all_of(
             term.match_expressions.begin(), term.match_expressions.end(),
             [&](const auto& each) { return Matches(each, node_labels.find(each.key.view())); }) &&
         std::all_of(term.match_fields.begin(), term.match_fields.end(), [&](const auto& each) {
           return each.key == "metadata.name" && Matches(each, &node.metadata.name);
         });
}

bool Covers(const corev1::Toleration& toleration, const corev1::Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  return toleration.operator_ == "Exists" || toleration.value == taint.value;
}

}  // namespace

bool FitsAffinity(const corev1::PodSpec& pod, const corev1::Node& node) {
  for (const auto& [key, value] : pod.node_selector) {
    const String* label = node.metadata.labels.find(key.view());
    if (label == nullptr || *label != value) return false;
  }
  if (!pod.affinity || !pod.affinity->node_affinity) return true;
  const auto& required =
      pod.affinity->node_affinity->required_during_scheduling_ignored_during_execution;
  if (!required) return true;
  return std::any_of(required->node_selector_terms.begin(), required->node_selector_terms.end(),
                     [&](const auto& term) { return Matches(term, node); });
}

int64_t PreferenceFor(const corev1::PodSpec& pod, const corev1::Node& node) {
  if (!pod.affinity || !pod.affinity->node_affinity) return 0;
  int64_t sum = 0;
  for (const corev1::PreferredSchedulingTerm& each :
       pod.affinity->node_affinity->preferred_during_scheduling_ignored_during_execution) {
    if (Matches(each.preference, node)) sum += each.weight;
  }
  return sum;
}

bool Tolerates(const corev1::PodSpec& pod, const corev1::Taint& taint) {
  return std::any_of(pod.tolerations.begin(), pod.tolerations.end(),
                     [&](const corev1::Toleration& each) { return Covers(each, taint); });
}

int UntoleratedTaints(const corev1::PodSpec& pod, const List<corev1::Taint>& taints,
                      absl::string_view effect) {
  return static_cast<int>(std::count_if(taints.begin(), taints.end(), [&](const auto& taint) {
    return taint.effect == effect && !Tolerates(pod, taint);
  }));
}

}  // namespace kube::envtest::internal
