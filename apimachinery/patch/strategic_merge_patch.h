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

// Strategic merge patches, the patch type application/strategic-merge-patch+json: as a JSON merge
// patch, but lists whose elements have a key are merged element by element. What `kubectl patch`
// and `kubectl apply` send for built-in kinds. (k8s.io/apimachinery/pkg/util/strategicpatch)
//
//   KUBE_ASSIGN_OR_RETURN(const std::string patch, patch::MakeStrategicMergePatch(before, after));
//   // {"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"web"}],
//   //                              "containers":[{"image":"web:2","name":"web"}]}}}}
//
// How a list merges is in the field tables: `patchStrategy` and `patchMergeKey` of Go's types. A
// patch may hold directives:
//   {"$patch": "replace", ...}           of an object: take this one instead; of an element of a
//                                        list: the patch's other elements are the whole list
//   {"$patch": "delete", "name": "x"}    of an object: empty it; of an element of a list: drop that
//   "$retainKeys": ["type"]              drop all members of this object but these
//   "$setElementOrder/containers": [...] the order of a list that merges
//   "$deleteFromPrimitiveList/finalizers": [...]  what to drop of a list of texts
//
// Functions of objects (an API struct T) go by way of Values; embedded JSON (RawExtension, RawJson)
// comes out with its keys sorted. A custom resource has no field tables, and no strategic merge
// patch: use a merge patch. All functions are pure and thread-safe.
//
// Errors: INVALID_ARGUMENT where an object has no JSON, the patch is no object, or the two do not
// fit: unknown directives, elements without their merge key, lists of lists, an object or list
// where the type has no such field. Upstream's texts, but that they do not show what is in objects.
namespace kube::patch {

struct StrategicMergePatchOptions {
  // Asked in turn about the patch that was made. Default: none.
  std::vector<Precondition> preconditions = {};
};

struct ThreeWayMergePatchOptions {
  // Whether the patch may change what changed meanwhile, from original to current. If not, that is
  // an error, ABORTED, for which IsConflict holds. Default: it may, as with kubectl.
  bool overwrite = true;
  // Asked in turn about the patch that was made. Default: none.
  std::vector<Precondition> preconditions = {};
};

// The patch that makes `modified` of `original`. "{}": there is nothing to do.
// (CreateTwoWayMergePatch)
template <ApiStruct T>
absl::StatusOr<std::string> MakeStrategicMergePatch(const T& original, const T& modified,
                                                    const StrategicMergePatchOptions& options = {});
absl::StatusOr<unstructured::Value> MakeStrategicMergePatch(
    const unstructured::Value& original, const unstructured::Value& modified, const KindInfo& kind,
    const StrategicMergePatchOptions& options = {});

// The same where the kind is known by its table alone.
absl::StatusOr<unstructured::Value> MakeStrategicMergePatch(
    const unstructured::Value& original, const unstructured::Value& modified,
    const kube::table::Message& message, const StrategicMergePatchOptions& options = {});

// What `kubectl apply` computes: the patch for `current`, the object as it is, that deletes what
// `modified` no longer has of `original`, the configuration that was applied last, and adds and
// changes what `modified` has. Other changes of `current` stay. (CreateThreeWayMergePatch)
//
// These are Values, for they are configurations, in which an absent member is not an empty one.
absl::StatusOr<unstructured::Value> MakeThreeWayStrategicMergePatch(
    const unstructured::Value& original, const unstructured::Value& modified,
    const unstructured::Value& current, const KindInfo& kind,
    const ThreeWayMergePatchOptions& options = {});

// `object` with `patch` applied, as a server does it. (StrategicMergePatch)
template <ApiStruct T>
absl::StatusOr<T> ApplyStrategicMergePatch(const T& object, absl::string_view patch,
                                           const codec::DecodeOptions& options = {});
absl::StatusOr<unstructured::Value> ApplyStrategicMergePatch(unstructured::Value object,
                                                             unstructured::Value patch,
                                                             const KindInfo& kind);

// Whether two patches set the same member to different values; elements of lists that merge are the
// same where their keys are. The errors are those of patches that no list fits.
// (MergingMapsHaveConflicts)
absl::StatusOr<bool> StrategicMergePatchesConflict(const unstructured::Value& left,
                                                   const unstructured::Value& right,
                                                   const KindInfo& kind);

// ---- what the templates are made of

namespace internal {

absl::StatusOr<std::string> MakeStrategicMergePatch(const void* original, const void* modified,
                                                    const kube::table::Message& message,
                                                    const StrategicMergePatchOptions& options);
absl::StatusOr<unstructured::Value> ApplyStrategicMergePatch(unstructured::Value object,
                                                             unstructured::Value patch,
                                                             const kube::table::Message& message);
// `to` has zero bits; after an error too it is to be destroyed.
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
