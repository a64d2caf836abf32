#ifndef APIMACHINERY_PATCH_INTERNAL_STRATEGIC_MERGE_H_
#define APIMACHINERY_PATCH_INTERNAL_STRATEGIC_MERGE_H_

#include "absl/status/status.h"
#include "apimachinery/patch/internal/patch_schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {

// What a strategic merge patch is merged into.
enum class MergeTarget {
  kObject,  // An object: nulls, directives and orders take effect and disappear.
  kPatch,   // Another patch, such as one with deletions: they stay.
};

// Merges `patch` into `original`. Afterwards `patch` must not be used; after an error, neither.
// (client-go: `mergeMap`)
absl::Status MergeStrategically(Map<unstructured::Value>& original, Map<unstructured::Value>& patch,
                                const PatchSchema& schema, MergeTarget target);

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_STRATEGIC_MERGE_H_
