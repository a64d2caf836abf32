#ifndef APIMACHINERY_PATCH_INTERNAL_STRATEGIC_MERGE_H_
#define APIMACHINERY_PATCH_INTERNAL_STRATEGIC_MERGE_H_

#include "absl/status/status.h"
#include "apimachinery/patch/internal/patch_schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {

// What a strategic merge patch is merged into.
enum class MergeTarget {
  kObject,  // An object: nulls, directives and orders have their effect, and are gone.
  kPatch,   // Another patch, as that of deletions: they stay.
};

// Merges `patch`, of which afterwards nothing is left to use, into `original`. After an error
// neither is. (mergeMap)
absl::Status MergeStrategically(Map<unstructured::Value>& original, Map<unstructured::Value>& patch,
                                const PatchSchema& schema, MergeTarget target);

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_STRATEGIC_MERGE_H_
