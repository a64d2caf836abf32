#ifndef APIMACHINERY_PATCH_INTERNAL_STRATEGIC_CONFLICTS_H_
#define APIMACHINERY_PATCH_INTERNAL_STRATEGIC_CONFLICTS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/patch/internal/patch_schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {

// Returns the path of a member that two strategic merge patches set to different values, such as
// "spec.replicas", or nullopt if there is none (client-go: `MergingMapsHaveConflicts`).
absl::StatusOr<std::optional<std::string>> FindStrategicConflict(
    const Map<unstructured::Value>& left, const Map<unstructured::Value>& right,
    const PatchSchema& schema);

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_STRATEGIC_CONFLICTS_H_
