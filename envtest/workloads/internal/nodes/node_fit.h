#ifndef ENVTEST_WORKLOADS_INTERNAL_NODES_NODE_FIT_H_
#define ENVTEST_WORKLOADS_INTERNAL_NODES_NODE_FIT_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/list.h"

// Whether a pod may run on a node, by selectors, affinity and taints. Pure functions.
// (Go: k8s.io/component-helpers/scheduling/corev1)
namespace kube::envtest::internal {

// Evaluates spec.nodeSelector and the required node affinity. (Go: `GetRequiredNodeAffinity`)
bool FitsAffinity(const api::core::v1::PodSpec& pod, const api::core::v1::Node& node);

// Returns the sum of the weights of those preferred node affinity terms that match the node.
// (Go: `PreferredSchedulingTerms.Score`)
int64_t PreferenceFor(const api::core::v1::PodSpec& pod, const api::core::v1::Node& node);

// Returns whether the pod tolerates this taint. The operators Lt and Gt, a feature that is off by
// default, tolerate only an equal value. (Go: `TolerationsTolerateTaint`)
bool Tolerates(const api::core::v1::PodSpec& pod, const api::core::v1::Taint& taint);

// Returns the number of taints with this effect that the pod does not tolerate.
int UntoleratedTaints(const api::core::v1::PodSpec& pod, const List<api::core::v1::Taint>& taints,
                      absl::string_view effect);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_NODES_NODE_FIT_H_
