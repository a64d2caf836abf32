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

// The lists of MergeStrategically.
namespace kube::patch::internal {

// Which of the elements of a patch are to be there. (mergeSlice; `list` is how the list merges)
absl::StatusOr<List<unstructured::Value>> MergeLists(List<unstructured::Value> original,
                                                     List<unstructured::Value> patch,
                                                     const MemberSchema& list, MergeTarget target);

// Without those that $deleteFromPrimitiveList names. (mergeSlice of a deletion list)
absl::StatusOr<List<unstructured::Value>> DeleteFromList(List<unstructured::Value> original,
                                                         List<unstructured::Value> deletions,
                                                         const MemberSchema& list);

// A list of a patch that has an order: `original` and `patch` are null where they are not there,
// and one of them is. `order` is that of $setElementOrder. (mergePatchIntoOriginal)
absl::StatusOr<List<unstructured::Value>> MergeOrderedLists(
    const List<unstructured::Value>* original, List<unstructured::Value>* patch,
    const List<unstructured::Value>& order, const MemberSchema& list, MergeTarget target);

// Whether the elements of `patch` are in the order of `order`, which has all of them.
// (validatePatchWithSetOrderList)
absl::Status CheckOrder(const List<unstructured::Value>& patch,
                        const List<unstructured::Value>& order, absl::string_view merge_key);

// Drops objects that have a directive, wherever they are. False: `value` is one.
// (removeDirectives)
bool RemoveDirectives(unstructured::Value& value);

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_MERGE_LISTS_H_
