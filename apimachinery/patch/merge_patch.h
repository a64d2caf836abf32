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

// JSON merge patches (RFC 7386), the patch type application/merge-patch+json: an object with the
// members to set, null for members to remove, and nested patches for members that are objects.
// Lists are replaced as a whole. They work for any resource, including custom ones. (client-go:
// `github.com/evanphx/json-patch`, `k8s.io/apimachinery/pkg/util/jsonmergepatch`)
//
//   const absl::StatusOr<std::string> patch = patch::MakeMergePatch(before, after);
//   // {"metadata":{"labels":{"old":null}},"spec":{"replicas":5}}
//
// A merge patch cannot set a member to null. For members of API types null means absent anyway; but
// a null that is added within embedded JSON (RawExtension, RawJson) is lost, and so is a map entry
// whose value is null in JSON (a zero time).
//
// Functions of API structs convert them to Values, so embedded JSON comes out with its keys sorted.
// All functions are pure and thread-safe.
namespace kube::patch {

// Returns the patch that turns `from` into `to`; "{}" if both are equal. Returns the errors of
// EncodeJson, and INVALID_ARGUMENT if a Value is not an object. (client-go:
// `jsonpatch.CreateMergePatch`, which however does not distinguish integers of more than 53 bits.)
template <ApiStruct T>
absl::StatusOr<std::string> MakeMergePatch(const T& from, const T& to);
absl::StatusOr<unstructured::Value> MakeMergePatch(const unstructured::Value& from,
                                                   const unstructured::Value& to);

// Returns the patch that `kubectl apply` sends for a custom resource. It removes from `current`,
// the live object, what `original`, the configuration that was applied last, has and `modified` has
// not, and it sets what `modified` has. Other changes in `current` are kept. The preconditions are
// called in order with the new patch. (client-go: `jsonmergepatch.CreateThreeWayJSONMergePatch`)
//
// Returns INVALID_ARGUMENT if one of the three is not an object, and an error for which
// IsPreconditionFailed holds if a precondition fails.
absl::StatusOr<unstructured::Value> MakeThreeWayMergePatch(
    const unstructured::Value& original, const unstructured::Value& modified,
    const unstructured::Value& current, const std::vector<Precondition>& preconditions = {});

// Returns `object` with `patch` applied, as the API server does it (client-go:
// `jsonpatch.MergePatch`), which also drops nulls from new objects within lists. If `patch` is a
// list, or `object` is not an object, the result is the patch alone.
//
// Returns INVALID_ARGUMENT if the patch is not JSON, or is neither an object nor a list, if
// `object` is null, or if the result is not a T.
template <ApiStruct T>
absl::StatusOr<T> ApplyMergePatch(const T& object, absl::string_view patch,
                                  const codec::DecodeOptions& options = {});
absl::StatusOr<unstructured::Value> ApplyMergePatch(unstructured::Value object,
                                                    unstructured::Value patch);

// Returns whether two patches set the same member to different values (client-go:
// `mergepatch.HasConflicts`).
bool MergePatchesConflict(const unstructured::Value& left, const unstructured::Value& right);

// ---- implementation of the templates

namespace internal {

absl::StatusOr<std::string> MakeMergePatch(const void* from, const void* to,
                                           const kube::table::Message& message);
// `to` must have zero bits. After an error too, the caller must destroy it.
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
