#ifndef APIMACHINERY_PATCH_MERGE_PATCH_H_
#define APIMACHINERY_PATCH_MERGE_PATCH_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/patch/preconditions.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/value.h"

// JSON merge patches (RFC 7386), the patch type application/merge-patch+json: an object that has
// the members to set, null for those to remove, and such objects for objects. Lists are replaced
// whole. For any resource, custom ones too. (github.com/evanphx/json-patch,
// k8s.io/apimachinery/pkg/util/jsonmergepatch)
//
//   const absl::StatusOr<std::string> patch = patch::MakeMergePatch(*cached, changed);
//   // {"metadata":{"labels":{"old":null}},"spec":{"replicas":5}}
//
// A merge patch cannot set a member to null. For the members of API types null and absent are the
// same; but a null that the target adds within embedded JSON (RawExtension, RawJson) gets lost, and
// so does an entry of a map whose value is null in JSON (a zero time).
//
// Functions of objects (an API struct T) go by way of Values; embedded JSON comes out with its keys
// sorted. All functions are pure and thread-safe.
namespace kube::patch {

// The patch that makes of `from` what `to` is; "{}" where there is nothing to do.
// INVALID_ARGUMENT as EncodeJson, or where a Value is not an object. (jsonpatch.CreateMergePatch,
// but integers of more than 53 bits are told apart.)
template <ApiStruct T>
absl::StatusOr<std::string> MakeMergePatch(const T& from, const T& to);
absl::StatusOr<unstructured::Value> MakeMergePatch(const unstructured::Value& from,
                                                   const unstructured::Value& to);

// The patch for `current`, the object as it is, that deletes what `modified` no longer has of
// `original`, the configuration that was applied last, and adds and changes what `modified` has.
// Other changes of `current` stay. What `kubectl apply` sends for custom resources. Preconditions
// are asked in turn about the patch that was made. (CreateThreeWayJSONMergePatch)
absl::StatusOr<unstructured::Value> MakeThreeWayMergePatch(
    const unstructured::Value& original, const unstructured::Value& modified,
    const unstructured::Value& current, const std::vector<Precondition>& preconditions = {});

// `object` with `patch` applied, as the API server does it: jsonpatch.MergePatch, with its way of
// dropping nulls from new objects within lists, too.
//
// INVALID_ARGUMENT where the patch is not JSON, or neither an object nor a list; or puts something
// where a value of another type belongs. A list is the whole result, and so is an object where
// `object` is none.
template <ApiStruct T>
absl::StatusOr<T> ApplyMergePatch(const T& object, absl::string_view patch,
                                  const codec::DecodeOptions& options = {});
absl::StatusOr<unstructured::Value> ApplyMergePatch(unstructured::Value object,
                                                    unstructured::Value patch);

// Whether two patches set the same member to different values. (mergepatch.HasConflicts)
bool MergePatchesConflict(const unstructured::Value& left, const unstructured::Value& right);

// ---- what the templates are made of

namespace internal {

absl::StatusOr<std::string> MakeMergePatch(const void* from, const void* to,
                                           const kube::table::Message& message);
// `to` has zero bits; after an error too it is to be destroyed.
absl::Status ApplyMergePatch(void* to, const void* object, const kube::table::Message& message,
                             absl::string_view patch, const codec::DecodeOptions& options);

}  // namespace internal

template <ApiStruct T>
absl::StatusOr<std::string> MakeMergePatch(const T& from, const T& to) {
  return internal::MakeMergePatch(&from, &to, T::kMessage);
}

template <ApiStruct T>
absl::StatusOr<T> ApplyMergePatch(const T& object, absl::string_view patch,
                                  const codec::DecodeOptions& options) {
  T to = {};
  absl::Status status = internal::ApplyMergePatch(&to, &object, T::kMessage, patch, options);
  if (!status.ok()) return status;
  return to;
}

}  // namespace kube::patch

#endif  // APIMACHINERY_PATCH_MERGE_PATCH_H_
