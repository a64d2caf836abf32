#ifndef ENVTEST_WORKLOADS_INTERNAL_PODS_H_
#define ENVTEST_WORKLOADS_INTERNAL_PODS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"

// What controllers ask of pods, and how they make them. Pure functions. (pkg/api/v1/pod,
// controller_utils.go)
namespace kube::envtest::internal {

// Objects that nobody changes, as a cache has them.
template <typename T>
using Objects = std::vector<std::shared_ptr<const T>>;

// Null: it has none of this type.
const api::core::v1::PodCondition* FindCondition(const api::core::v1::Pod& pod,
                                                 absl::string_view type);

// (IsPodReady)
bool IsReady(const api::core::v1::Pod& pod);

// From when on it counts as available: when it has been ready for so long. Never, as long as it is
// not ready. (IsPodAvailable)
absl::Time AvailableFrom(const api::core::v1::Pod& pod, int32_t min_ready_seconds);

// Whether its containers have ended, and are not started again. (IsPodTerminal)
bool HasEnded(const api::core::v1::Pod& pod);
// When its containers ended; `otherwise` if no status of a container says it.
absl::Time EndOf(const api::core::v1::Pod& pod, absl::Time otherwise);
// From when on a pod that has ended gives way to another one of its node or its name: a second
// after its end. Upstream does so at once the first time, and then waits longer each time.
absl::Time ReplaceFrom(const api::core::v1::Pod& pod);

// Neither ended nor being deleted. (IsPodActive)
bool IsActive(const api::core::v1::Pod& pod);
// Being deleted, and not ended. (IsPodTerminating)
bool IsTerminating(const api::core::v1::Pod& pod);

// A pod as a template says, of the controller that `owner` refers to. Its name is generated.
// (GetPodFromTemplate)
api::core::v1::Pod PodFrom(const api::core::v1::PodTemplateSpec& pod_template,
                           const api::meta::v1::ObjectMeta& controller,
                           const api::meta::v1::OwnerReference& owner);

// In the order in which a controller gives them up: not scheduled, not running, not ready, many on
// one node, restarted often, new. Upstream picks among old and not so old ones at random; here it
// is the newest. (ActivePodsWithRanks)
void SortForDeletion(Objects<api::core::v1::Pod>& pods);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_PODS_H_
