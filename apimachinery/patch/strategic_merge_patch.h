#ifndef APIMACHINERY_PATCH_STRATEGIC_MERGE_PATCH_H_
#define APIMACHINERY_PATCH_STRATEGIC_MERGE_PATCH_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/patch/preconditions.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/value.h"

// Strategic merge patches, the patch type application/strategic-merge-patch+json: like JSON merge
// patches, but lists whose elements have a merge key are merged element by element. `kubectl patch`
// and `kubectl apply` send them for built-in kinds. (client-go:
// `k8s.io/apimachinery/pkg/util/strategicpatch`)
//
//   const absl::StatusOr<std::string> patch = patch::MakeStrategicMergePatch(before, after);
//   // {"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"web"}],
//   //                              "containers":[{"image":"web:2","name":"web"}]}}}}
//
// The field tables say how a list is merged, as `patchStrategy` and `patchMergeKey` do in Go's
// types. A patch may contain directives:
//
//   {"$patch": "replace", ...}           in an object: it replaces the old object; in an element of
//                                        a list: the patch's other elements replace the whole list
//   {"$patch": "delete", "name": "x"}    in an object: empties it; in an element: removes it
//   "$retainKeys": ["type"]              removes all members of this object but these
//   "$setElementOrder/containers": [...] the order of a list that is merged
//   "$deleteFromPrimitiveList/finalizers": [...]  the elements to remove from a list of scalars
//
// Functions of API structs convert them to Values, so embedded JSON (RawExtension, RawJson) comes
// out with its keys sorted. A custom resource has no field tables and therefore no strategic merge
// patch: use a merge patch. All functions are pure and thread-safe.
//
// Functions return INVALID_ARGUMENT if an object has no JSON, if the patch is not an object, or if
// the two do not fit: unknown directives, elements without their merge key, lists of lists, and an
// object or list for a field that the type does not have. The texts are upstream's, but do not show
// values.
namespace kube::patch {

// Options for MakeStrategicMergePatch.
struct StrategicMergePatchOptions {
  // Called in order with the new patch. Default: none.
  std::vector<Precondition> preconditions = {};
};

// Options for MakeThreeWayStrategicMergePatch.
struct ThreeWayMergePatchOptions {
  // Allows the patch to change what was changed from `original` to `current` in the meantime. If
  // false, that is an ABORTED error for which IsConflict holds. Default: true, as in kubectl.
  bool overwrite = true;
  // Called in order with the new patch. Default: none.
  std::vector<Precondition> preconditions = {};
};

// Returns the patch that turns `original` into `modified`; "{}" if both are equal. Returns an error
// for which IsPreconditionFailed holds if a precondition fails. (client-go:
// `strategicpatch.CreateTwoWayMergePatch`)
template <ApiStruct T>
absl::StatusOr<std::string> MakeStrategicMergePatch(const T& original, const T& modified,
                                                    const StrategicMergePatchOptions& options = {});
absl::StatusOr<unstructured::Value> MakeStrategicMergePatch(
    const unstructured::Value& original, const unstructured::Value& modified, const KindInfo& kind,
    const StrategicMergePatchOptions& options = {});

// Does the same for a kind that is known only by its field table.
absl::StatusOr<unstructured::Value> MakeStrategicMergePatch(
    const unstructured::Value& original, const unstructured::Value& modified,
    const kube::table::Message& message, const StrategicMergePatchOptions& options = {});

// Returns the patch that `kubectl apply` computes. It removes from `current`, the live object, what
// `original`, the configuration that was applied last, has and `modified` has not, and it sets what
// `modified` has. Other changes in `current` are kept. (client-go:
// `strategicpatch.CreateThreeWayMergePatch`)
//
// The arguments are Values, because in a configuration an absent member differs from an empty one.
absl::StatusOr<unstructured::Value> MakeThreeWayStrategicMergePatch(
    const unstructured::Value& original, const unstructured::Value& modified,
    const unstructured::Value& current, const KindInfo& kind,
    const ThreeWayMergePatchOptions& options = {});

// Returns `object` with `patch` applied, as a server does it (client-go:
// `strategicpatch.StrategicMergePatch`).
template <ApiStruct T>
absl::StatusOr<T> ApplyStrategicMergePatch(const T& object, absl::string_view patch,
                                           const codec::DecodeOptions& options = {});
absl::StatusOr<unstructured::Value> ApplyStrategicMergePatch(unstructured::Value object,
                                                             unstructured::Value patch,
                                                             const KindInfo& kind);

// Returns whether two patches set the same member to different values. Elements of lists that are
// merged are compared if their merge keys are equal. Returns INVALID_ARGUMENT if a patch does not
// fit the kind. (client-go: `strategicpatch.MergingMapsHaveConflicts`)
absl::StatusOr<bool> StrategicMergePatchesConflict(const unstructured::Value& left,
                                                   const unstructured::Value& right,
                                                   const KindInfo& kind);

// ---- implementation of the templates

namespace internal {

absl::StatusOr<std::string> MakeStrategicMergePatch(const void* original, const void* modified,
                                                    const kube::table::Message& message,
                                                    const StrategicMergePatchOptions& options);
absl::StatusOr<unstructured::Value> ApplyStrategicMergePatch(unstructured::Value object,
                                                             unstructured::Value patch,
                                                             const kube::table::Message& message);
// `to` must have zero bits. After an error too, the caller must destroy it.
absl::Status ApplyStrategicMergePatch(void* to, const void* object,
                                      const kube::table::Message& message, absl::string_view patch,
                                      const codec::DecodeOptions& options);

}  // namespace internal

template <ApiStruct T>
absl::StatusOr<std::string> MakeStrategicMergePatch(const T& original, const T& modified,
                                                    const StrategicMergePatchOptions& options) {
  return internal::MakeStrategicMergePatch(&original, &modified, T::kMessage, options);
}

template <ApiStruct T>
absl::StatusOr<T> ApplyStrategicMergePatch(const T& object, absl::string_view patch,
                                           const codec::DecodeOptions& options) {
  T to = {};
  absl::Status status =
      internal::ApplyStrategicMergePatch(&to, &object, T::kMessage, patch, options);
  if (!status.ok()) return status;
  return to;
}

}  // namespace kube::patch

#endif  // APIMACHINERY_PATCH_STRATEGIC_MERGE_PATCH_H_
