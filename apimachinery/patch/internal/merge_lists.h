#ifndef APIMACHINERY_PATCH_INTERNAL_MERGE_LISTS_H_
#define APIMACHINERY_PATCH_INTERNAL_MERGE_LISTS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/patch/internal/element_order.h"
#include "apimachinery/patch/internal/patch_schema.h"
#include "apimachinery/patch/internal/strategic_merge.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"

// The part of MergeStrategically that merges lists.
namespace kube::patch::internal {

// Merges `patch` into `original` by the rules of `list` (client-go: `mergeSlice`).
absl::StatusOr<List<unstructured::Value>> MergeLists(List<unstructured::Value> original,
                                                     List<unstructured::Value> patch,
                                                     const MemberSchema& list, MergeTarget target);

// Returns `original` without the elements that $deleteFromPrimitiveList names (client-go:
// `mergeSlice` with a list of deletions).
absl::StatusOr<List<unstructured::Value>> DeleteFromList(List<unstructured::Value> original,
                                                         List<unstructured::Value> deletions,
                                                         const MemberSchema& list);

// Merges a list for which the patch gives the order `order`, from $setElementOrder. `original` and
// `patch` may be null, but not both. (client-go: `mergePatchIntoOriginal`)
absl::StatusOr<List<unstructured::Value>> MergeOrderedLists(
    const List<unstructured::Value>* original, List<unstructured::Value>* patch,
    const List<unstructured::Value>& order, const MemberSchema& list, MergeTarget target);

// Returns an error unless the elements of `patch` are in the order of `order` and `order` has all
// of them (client-go: `validatePatchWithSetOrderList`).
absl::Status CheckOrder(const List<unstructured::Value>& patch,
                        const List<unstructured::Value>& order, absl::string_view merge_key);

// Drops objects that have a directive, at any depth. Returns false if `value` is such an object
// itself. (client-go: `removeDirectives`)
bool RemoveDirectives(unstructured::Value& value);

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_MERGE_LISTS_H_
