#ifndef APIMACHINERY_PATCH_INTERNAL_STRATEGIC_DIFF_H_
#define APIMACHINERY_PATCH_INTERNAL_STRATEGIC_DIFF_H_

#include "absl/status/statusor.h"
#include "apimachinery/patch/internal/patch_schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {

// What a patch contains (client-go: `strategicpatch.DiffOptions`).
struct StrategicDiffOptions {
  // Adds $setElementOrder.
  bool set_element_order = false;
  // Leaves these out of the patch.
  bool ignore_changes_and_additions = false;
  bool ignore_deletions = false;
  // Adds $retainKeys to this object; for objects within it their own schemas decide.
  bool build_retain_keys = false;
};

// Returns the strategic merge patch that turns `original` into `modified` (client-go: `diffMaps`).
absl::StatusOr<Map<unstructured::Value>> DiffStrategically(const Map<unstructured::Value>& original,
                                                           const Map<unstructured::Value>& modified,
                                                           const PatchSchema& schema,
                                                           const StrategicDiffOptions& options);

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_STRATEGIC_DIFF_H_
