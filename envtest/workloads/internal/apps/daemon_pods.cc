#include "envtest/workloads/internal/apps/daemon_pods.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/string.h"
#include "envtest/workloads/internal/apps/controller_revisions.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "envtest/workloads/internal/nodes/node_fit.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

constexpr absl::string_view kNodeName = "metadata.name";
constexpr absl::string_view kTemplateGeneration = "pod-template-generation";

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
  const bool stays = UntoleratedTaints(pod, node.spec.taints, "NoExecute") == 0;
  return {.should_run = stays && UntoleratedTaints(pod, node.spec.taints, "NoSchedule") == 0,
          .should_stay = stays};
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
