#ifndef APIMACHINERY_PATCH_JSON_PATCH_H_
#define APIMACHINERY_PATCH_JSON_PATCH_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/value.h"

// JSON patches (RFC 6902), the patch type application/json-patch+json: operations, one after the
// other. What an admission webhook answers, and the only patch that can ask before it changes.
// (gopkg.in/evanphx/json-patch.v4 applies, gomodules.xyz/jsonpatch/v2 makes them)
//
//   KUBE_ASSIGN_OR_RETURN(const std::string patch, patch::MakeJsonPatch(before, after));
//   // [{"op":"replace","path":"/spec/replicas","value":5}]
//
// All functions are pure and thread-safe.
namespace kube::patch {

enum class JsonPatchOp {
  kAdd,      // Sets a member, or inserts an element: before it, or at the end where it is "-".
  kRemove,   // It must be there.
  kReplace,  // An element must be there; a member need not, as with upstream.
  kMove,     // From `from`.
  kCopy,     // From `from`. A member that is not there counts as null, as with upstream.
  kTest,     // Must be equal to `value`. A member that is not there counts as null.
};

struct JsonPatchOperation {
  JsonPatchOp op = JsonPatchOp::kAdd;
  // JSON pointers: "/spec/containers/0/image". See JsonPointer for keys. Negative indices count
  // from the end, as with upstream.
  std::string path = {};
  std::string from = {};  // of move and copy
  // Of add, replace and test; without one, null is added or replaced.
  std::optional<unstructured::Value> value = {};

  friend bool operator==(const JsonPatchOperation&, const JsonPatchOperation&) = default;
};
using JsonPatch = std::vector<JsonPatchOperation>;

// `key` as a part of a pointer: "/", and it with its "~" and "/" escaped.
//   "/metadata/annotations" + JsonPointer("example.com/a")
std::string JsonPointer(absl::string_view key);

// INVALID_ARGUMENT where it is not a list of operations, with the number of the first that is none:
// op, path, and of move and copy from, must be there. Other members are ignored. (DecodePatch)
absl::StatusOr<JsonPatch> ParseJsonPatch(absl::string_view json);
absl::StatusOr<std::string> EncodeJsonPatch(const JsonPatch& patch);

// The patch that makes `to` of `from`: add, remove and replace, by ascending keys. Of lists, what
// is the same at both ends stays. "[]": there is nothing to do. INVALID_ARGUMENT: a Value is
// neither object nor list.
template <ApiStruct T>
absl::StatusOr<std::string> MakeJsonPatch(const T& from, const T& to);
absl::StatusOr<JsonPatch> MakeJsonPatch(const unstructured::Value& from,
                                        const unstructured::Value& to);

struct ApplyJsonPatchOptions {
  // How many operations a patch may have. Default: the API server's. Zero: any.
  size_t max_operations = 10'000;
  // How large, in bytes of JSON, all that a patch copies may be together: copies of copies grow
  // without limit otherwise. Default: the API server's. Zero: any.
  size_t max_copied_bytes = 3 * 1024 * 1024;
};

// `object` with all operations applied, or an error, which names the operation:
//   FAILED_PRECONDITION  a test failed: read the object again, and decide anew
//   NOT_FOUND            a path leads nowhere
//   OUT_OF_RANGE         an index that a list does not have
//   RESOURCE_EXHAUSTED   a limit of the options
//   INVALID_ARGUMENT     an index is no number; the object, or what replaces it, is neither object
//                        nor list; the result is not of that type, or nested more than 10000 deep
// Values are compared as ==, where upstream compares numbers and strings as they are written.
absl::StatusOr<unstructured::Value> ApplyJsonPatch(unstructured::Value object,
                                                   const JsonPatch& patch,
                                                   const ApplyJsonPatchOptions& options = {});
// The limits are those by default.
template <ApiStruct T>
absl::StatusOr<T> ApplyJsonPatch(const T& object, absl::string_view patch,
                                 const codec::DecodeOptions& options = {});

// ---- what the templates are made of

namespace internal {

absl::StatusOr<std::string> MakeJsonPatch(const void* from, const void* to,
                                          const kube::table::Message& message);
// `to` has zero bits; after an error too it is to be destroyed.
absl::Status ApplyJsonPatch(void* to, const void* object, const kube::table::Message& message,
                            absl::string_view patch, const codec::DecodeOptions& options);

}  // namespace internal

template <ApiStruct T>
absl::StatusOr<std::string> MakeJsonPatch(const T& from, const T& to) {
  return internal::MakeJsonPatch(&from, &to, T::kMessage);
}

template <ApiStruct T>
absl::StatusOr<T> ApplyJsonPatch(const T& object, absl::string_view patch,
                                 const codec::DecodeOptions& options) {
  T to = {};
  absl::Status status = internal::ApplyJsonPatch(&to, &object, T::kMessage, patch, options);
  if (!status.ok()) return status;
  return to;
}

}  // namespace kube::patch

#endif  // APIMACHINERY_PATCH_JSON_PATCH_H_
