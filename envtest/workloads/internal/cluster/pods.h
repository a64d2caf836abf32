#ifndef ENVTEST_WORKLOADS_INTERNAL_CLUSTER_PODS_H_
#define ENVTEST_WORKLOADS_INTERNAL_CLUSTER_PODS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"

// Functions on pods that the controllers share. Pure functions. (Go: pkg/api/v1/pod,
// controller_utils.go)
namespace kube::envtest::internal {

// Shared immutable objects, as a cache returns them.
template <typename T>
using Objects = std::vector<std::shared_ptr<const T>>;

// Returns the condition of this type, or null.
const api::core::v1::PodCondition* FindCondition(const api::core::v1::Pod& pod,
                                                 absl::string_view type);

// (Go: `IsPodReady`)
bool IsReady(const api::core::v1::Pod& pod);

// Returns when the pod counts as available: when it has been ready for `min_ready_seconds`.
// Infinite if it is not ready. (Go: `IsPodAvailable`)
absl::Time AvailableFrom(const api::core::v1::Pod& pod, int32_t min_ready_seconds);

// Returns whether its containers have ended and are not restarted. (Go: `IsPodTerminal`)
bool HasEnded(const api::core::v1::Pod& pod);
// Returns when its containers ended, or `otherwise` if no container status says it.
absl::Time EndOf(const api::core::v1::Pod& pod, absl::Time otherwise);
// Returns when an ended pod may be replaced by another one with its node or name: one second after
// its end. Kubernetes does it at once the first time, and then waits longer each time.
absl::Time ReplaceFrom(const api::core::v1::Pod& pod);

// Returns whether it has neither ended nor is being deleted. (Go: `IsPodActive`)
bool IsActive(const api::core::v1::Pod& pod);
// Returns whether it is being deleted and has not ended. (Go: `IsPodTerminating`)
bool IsTerminating(const api::core::v1::Pod& pod);

// Makes a pod from a template for the controller that `owner` refers to, with a generated name.
// (Go: `GetPodFromTemplate`)
api::core::v1::Pod PodFrom(const api::core::v1::PodTemplateSpec& pod_template,
                           const api::meta::v1::ObjectMeta& controller,
                           const api::meta::v1::OwnerReference& owner);

// Sorts pods in the order in which a controller deletes them: not scheduled, not running, not
// ready, many on one node, often restarted, newest. Among pods of similar age Kubernetes chooses at
// random; this chooses the newest. (Go: `ActivePodsWithRanks`)
void SortForDeletion(Objects<api::core::v1::Pod>& pods);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CLUSTER_PODS_H_
