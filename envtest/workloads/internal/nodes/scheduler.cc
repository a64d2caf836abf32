#include "envtest/workloads/internal/nodes/scheduler.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "envtest/workloads/internal/nodes/node.h"
#include "envtest/workloads/internal/nodes/node_fit.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;

constexpr absl::string_view kFull = "Too many pods";

// Returns the only node names that the term allows, or nothing if it does not name nodes.
std::optional<std::set<std::string>> NamesOf(const corev1::NodeSelectorTerm& term) {
  std::optional<std::set<std::string>> names;
  for (const corev1::NodeSelectorRequirement& each : term.match_fields) {
    if (each.key != "metadata.name" || each.operator_ != "In") continue;
    std::set<std::string> listed;
    for (const String& name : each.values) {
      if (!names.has_value() || names->count(std::string(name)) != 0) listed.emplace(name);
    }
    names = std::move(listed);
  }
  return names;
}

// Returns the only node names that the affinity of the pod allows, or nothing if one of its terms
// does not name nodes. (Go: `NodeAffinity.PreFilter`)
std::optional<std::set<std::string>> NamesOf(const corev1::PodSpec& pod) {
  if (!pod.affinity || !pod.affinity->node_affinity) return std::nullopt;
  const auto& required =
      pod.affinity->node_affinity->required_during_scheduling_ignored_during_execution;
  if (!required || required->node_selector_terms.empty()) return std::nullopt;
  std::set<std::string> all;
  for (const corev1::NodeSelectorTerm& term : required->node_selector_terms) {
    std::optional<std::set<std::string>> names = NamesOf(term);
    if (!names.has_value()) return std::nullopt;
    all.merge(*names);
  }
  return all;
}

bool HasReported(const corev1::Node& node) {
  const auto& conditions = node.status.conditions;
  return std::any_of(conditions.begin(), conditions.end(),
                     [](const auto& each) { return each.type == "Ready"; });
}

// Returns why the node does not fit, or "".
absl::string_view Filter(const corev1::PodSpec& pod, const corev1::Node& node,
                         const List<corev1::Taint>& taints,
                         const std::optional<std::set<std::string>>& names) {
  if (names.has_value() && names->count(std::string(node.metadata.name)) == 0) {
    return "node(s) didn't satisfy plugin(s) [NodeAffinity]";
  }
  corev1::Taint cordon;
  cordon.key = "node.kubernetes.io/unschedulable";
  cordon.effect = "NoSchedule";
  if (node.spec.unschedulable && !Tolerates(pod, cordon)) return "node(s) were unschedulable";
  if (UntoleratedTaints(pod, taints, "NoSchedule") != 0 ||
      UntoleratedTaints(pod, taints, "NoExecute") != 0) {
    return "node(s) had untolerated taint(s)";
  }
  if (!FitsAffinity(pod, node)) return "node(s) didn't match Pod's node affinity/selector";
  return names.has_value() || HasReported(node) ? "" : kFull;
}

using Reasons = std::map<absl::string_view, int>;

// Returns "0/3 nodes are available: 1 <reason>, 2 <reason>." (Go: `FitError.Error`)
std::string FitError(size_t nodes, const Reasons& reasons) {
  std::vector<std::string> texts;
  for (const auto& [reason, count] : reasons) texts.push_back(absl::StrCat(count, " ", reason));
  std::sort(texts.begin(), texts.end());
  return absl::StrCat("0/", nodes, " nodes are available: ", absl::StrJoin(texts, ", "), ".");
}

// Nobody is preempted: the text is what kube-scheduler finds if there is nobody to preempt.
std::string Failure(const corev1::PodSpec& pod, size_t nodes, const Reasons& reasons) {
  if (nodes == 0) return "no nodes available to schedule pods";
  const std::string failure =
      absl::StrCat(FitError(nodes, reasons), " no new claims to deallocate, preemption: ");
  if (pod.preemption_policy.has_value() && *pod.preemption_policy == "Never") {
    return absl::StrCat(failure, "not eligible due to preemptionPolicy=Never.");
  }
  Reasons preemption;
  for (const auto& [reason, count] : reasons) {
    preemption[reason == kFull ? "No preemption victims found for incoming pod"
                               : "Preemption is not helpful for scheduling"] += count;
  }
  return absl::StrCat(failure, FitError(nodes, preemption));
}

}  // namespace

Placement PlacePod(const corev1::Pod& pod, const Objects<corev1::Node>& nodes,
                   std::map<std::string, int>& pods_by_node, absl::Time now) {
  const std::optional<std::set<std::string>> names = NamesOf(pod.spec);
  // Untolerated taints, negated preference, number of pods: the least is the best.
  using Score = std::tuple<int, int64_t, int>;
  std::optional<Score> best;
  Placement placement;
  Reasons reasons;
  for (const auto& node : nodes) {
    const List<corev1::Taint> taints = TaintsFor(*node, now);
    const absl::string_view reason = Filter(pod.spec, *node, taints, names);
    if (!reason.empty()) {
      ++reasons[reason];
      continue;
    }
    const std::string name(node->metadata.name);
    const Score score(UntoleratedTaints(pod.spec, taints, "PreferNoSchedule"),
                      -PreferenceFor(pod.spec, *node), pods_by_node[name]);
    if (best.has_value() && *best <= score) continue;
    best = score;
    placement.node = name;
  }
  if (best.has_value()) {
    ++pods_by_node[placement.node];
  } else {
    placement.failure = Failure(pod.spec, nodes.size(), reasons);
  }
  return placement;
}

corev1::PodStatus UnschedulableStatus(const corev1::Pod& pod, absl::string_view failure,
                                      absl::Time now) {
  corev1::PodStatus status = pod.status;
  corev1::PodCondition condition;
  condition.type = "PodScheduled";
  condition.observed_generation = pod.metadata.generation;
  condition.status = "False";
  condition.last_transition_time = Time(now);
  condition.reason = "Unschedulable";
  condition.message = failure;
  for (corev1::PodCondition& each : status.conditions) {
    if (each.type != condition.type) continue;
    if (each.status == condition.status) {
      condition.last_transition_time = each.last_transition_time;
    }
    each = std::move(condition);
    return status;
  }
  status.conditions.push_back(std::move(condition));
  return status;
}

}  // namespace kube::envtest::internal
