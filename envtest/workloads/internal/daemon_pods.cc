#include "envtest/workloads/internal/daemon_pods.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/labels/requirement.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "envtest/workloads/internal/controller_revisions.h"
#include "envtest/workloads/internal/pods.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

constexpr absl::string_view kNodeName = "metadata.name";
constexpr absl::string_view kTemplateGeneration = "pod-template-generation";

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
           return each.key == kNodeName && Matches(each, &node.metadata.name);
         });
}

// (Go: `GetRequiredNodeAffinity`)
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

bool Tolerates(const corev1::Toleration& toleration, const corev1::Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  return toleration.operator_ == "Exists" || toleration.value == taint.value;
}

// Returns whether the pod tolerates all taints of the node with this effect.
bool ToleratesAll(const corev1::PodSpec& pod, const corev1::Node& node, absl::string_view effect) {
  return std::all_of(node.spec.taints.begin(), node.spec.taints.end(), [&](const auto& taint) {
    return taint.effect != effect ||
           std::any_of(pod.tolerations.begin(), pod.tolerations.end(),
                       [&](const auto& each) { return Tolerates(each, taint); });
  });
}

// (Go: `AddOrUpdateDaemonPodTolerations`)
void AddTolerations(corev1::PodSpec& pod) {
  struct Daemons {
    absl::string_view key;
    absl::string_view effect;
  };
  std::vector<Daemons> all = {{"node.kubernetes.io/not-ready", "NoExecute"},
                              {"node.kubernetes.io/unreachable", "NoExecute"},
                              {"node.kubernetes.io/disk-pressure", "NoSchedule"},
                              {"node.kubernetes.io/memory-pressure", "NoSchedule"},
                              {"node.kubernetes.io/pid-pressure", "NoSchedule"},
                              {"node.kubernetes.io/unschedulable", "NoSchedule"}};
  if (pod.host_network) all.push_back({"node.kubernetes.io/network-unavailable", "NoSchedule"});
  for (const Daemons& each : all) {
    corev1::Toleration toleration;
    toleration.key = each.key;
    toleration.operator_ = "Exists";
    toleration.effect = each.effect;
    const auto same = std::find_if(
        pod.tolerations.begin(), pod.tolerations.end(), [&](const corev1::Toleration& other) {
          return other.key == toleration.key && other.operator_ == toleration.operator_ &&
                 other.effect == toleration.effect && other.value.empty();
        });
    if (same != pod.tolerations.end()) {
      *same = std::move(toleration);
    } else {
      pod.tolerations.push_back(std::move(toleration));
    }
  }
}

const String* GenerationOf(const appsv1::DaemonSet& set) {
  return set.metadata.annotations.find("deprecated.daemonset.template.generation");
}

}  // namespace

DaemonFit FitOf(const corev1::Node& node, const appsv1::DaemonSet& set) {
  corev1::PodSpec pod = set.spec.template_.spec;
  AddTolerations(pod);
  if (!pod.node_name.empty() && pod.node_name != node.metadata.name) return {};
  if (!FitsAffinity(pod, node)) return {};
  const bool stays = ToleratesAll(pod, node, "NoExecute");
  return {.should_run = stays && ToleratesAll(pod, node, "NoSchedule"), .should_stay = stays};
}

corev1::Pod NewDaemonPod(const appsv1::DaemonSet& set, absl::string_view node,
                         absl::string_view hash) {
  corev1::Pod pod =
      PodFrom(set.spec.template_, set.metadata,
              meta::NewControllerRef(set.metadata,
                                     {.group = "apps", .version = "v1", .kind = "DaemonSet"}));
  AddTolerations(pod.spec);
  const String* generation = GenerationOf(set);
  if (generation != nullptr) pod.metadata.labels[kTemplateGeneration] = *generation;
  pod.metadata.labels[kRevisionHashLabel] = hash;
  if (!pod.spec.affinity) pod.spec.affinity.emplace();
  if (!pod.spec.affinity->node_affinity) pod.spec.affinity->node_affinity.emplace();
  corev1::NodeSelector selector;
  corev1::NodeSelectorRequirement& only =
      selector.node_selector_terms.emplace_back().match_fields.emplace_back();
  only.key = kNodeName;
  only.operator_ = "In";
  only.values.push_back(node);
  pod.spec.affinity->node_affinity->required_during_scheduling_ignored_during_execution =
      std::move(selector);
  return pod;
}

bool IsUpdated(const corev1::Pod& pod, const appsv1::DaemonSet& set, absl::string_view hash) {
  if (pod.metadata.labels.value_or(kRevisionHashLabel, "") == hash) return true;
  const String* wanted = GenerationOf(set);
  const String* generation = pod.metadata.labels.find(kTemplateGeneration);
  return wanted != nullptr && generation != nullptr && *generation == *wanted;
}

std::string TargetNode(const corev1::Pod& pod) {
  if (!pod.spec.node_name.empty()) return std::string(pod.spec.node_name);
  if (!pod.spec.affinity || !pod.spec.affinity->node_affinity) return "";
  const auto& required =
      pod.spec.affinity->node_affinity->required_during_scheduling_ignored_during_execution;
  if (!required) return "";
  for (const corev1::NodeSelectorTerm& term : required->node_selector_terms) {
    for (const corev1::NodeSelectorRequirement& each : term.match_fields) {
      if (each.key == kNodeName && each.operator_ == "In" && each.values.size() == 1) {
        return std::string(each.values[0]);
      }
    }
  }
  return "";
}

}  // namespace kube::envtest::internal
