#ifndef APIMACHINERY_PATCH_INTERNAL_STRATEGIC_DIFF_H_
#define APIMACHINERY_PATCH_INTERNAL_STRATEGIC_DIFF_H_

#include "absl/status/statusor.h"
#include "apimachinery/patch/internal/patch_schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {

// (strategicpatch.DiffOptions)
struct StrategicDiffOptions {
  // Whether $setElementOrder is made.
  bool set_element_order = false;
  // What is not in the patch.
  bool ignore_changes_and_additions = false;
  bool ignore_deletions = false;
  // Whether $retainKeys is made, of this object; of those in it their own rules decide.
  bool build_retain_keys = false;
};

// The strategic merge patch that makes `modified` of `original`. (diffMaps)
absl::StatusOr<Map<unstructured::Value>> DiffStrategically(const Map<unstructured::Value>& original,
                                                           const Map<unstructured::Value>& modified,
                                                           const PatchSchema& schema,
                                                           const StrategicDiffOptions& options);

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_STRATEGIC_DIFF_H_
