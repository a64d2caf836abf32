#ifndef APIMACHINERY_CODEC_MERGE_PATCH_H_
#define APIMACHINERY_CODEC_MERGE_PATCH_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/types/internal/message.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// JSON merge patches (RFC 7386), the patch type application/merge-patch+json: an object that has
// the members to set, null for those to remove, and such objects for objects. Lists are replaced
// whole.
//
//   const absl::StatusOr<std::string> patch = MakeMergePatch(*cached, changed);
//   // {"metadata":{"labels":{"old":null}},"spec":{"replicas":5}}

// The patch that makes of the JSON of `from` that of `to`; "{}" where there is nothing to do.
// Go: jsonpatch.CreateMergePatch, but integers of more than 53 bits are told apart.
//
// A merge patch cannot set a member to null. For the members of API types null and absent are the
// same; but a null that `to` adds within embedded JSON (RawExtension, RawJson) gets lost, and so
// does an entry of a map whose value is null in JSON (a zero time).
//
// INVALID_ARGUMENT as EncodeJson, and where embedded JSON is nested more than 1000 deep.
template <ApiStruct T>
absl::StatusOr<std::string> MakeMergePatch(const T& from, const T& to);

// A copy of `object` with `patch` applied, as the API server does it. Go: jsonpatch.MergePatch,
// with its way of dropping nulls from new objects within lists, too.
//
// INVALID_ARGUMENT where `patch` is not an object in JSON, is nested more than 1000 deep, or puts
// something where a value of another type belongs.
template <ApiStruct T>
absl::StatusOr<T> ApplyMergePatch(const T& object, absl::string_view patch,
                                  const DecodeOptions& options = {});

// The same of JSON texts. `from`, `to` and `json` are objects.
absl::StatusOr<std::string> MakeJsonMergePatch(absl::string_view from, absl::string_view to);
absl::StatusOr<std::string> ApplyJsonMergePatch(absl::string_view json, absl::string_view patch);

// ---- what the templates are made of

namespace internal {

absl::StatusOr<std::string> MakeMergePatch(const void* from, const void* to,
                                           const kube::internal::Message& message);
// `to` has zero bits; after an error too it is to be destroyed.
absl::Status ApplyMergePatch(void* to, const void* object, const kube::internal::Message& message,
                             absl::string_view patch, const DecodeOptions& options);

}  // namespace internal

template <ApiStruct T>
absl::StatusOr<std::string> MakeMergePatch(const T& from, const T& to) {
  return internal::MakeMergePatch(&from, &to, T::kMessage);
}

template <ApiStruct T>
absl::StatusOr<T> ApplyMergePatch(const T& object, absl::string_view patch,
                                  const DecodeOptions& options) {
  T to = {};
  absl::Status status = internal::ApplyMergePatch(&to, &object, T::kMessage, patch, options);
  if (!status.ok()) return status;
  return to;
}

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_MERGE_PATCH_H_
