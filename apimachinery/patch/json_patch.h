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

// JSON patches (RFC 6902), the patch type application/json-patch+json: a list of operations that
// are applied one after another. Admission webhooks answer with them, and they are the only patches
// that can test a value before they change it. (Go: `gopkg.in/evanphx/json-patch.v4` applies them,
// `gomodules.xyz/jsonpatch/v2` makes them.)
//
//   const absl::StatusOr<std::string> patch = patch::MakeJsonPatch(before, after);
//   // [{"op":"replace","path":"/spec/replicas","value":5}]
//
// All functions are pure and thread-safe.
namespace kube::patch {

// What an operation does at its path.
enum class JsonPatchOp {
  kAdd,      // Sets a member, or inserts an element before an index; "-" is the end.
  kRemove,   // Removes a member or element, which must exist.
  kReplace,  // Replaces an element, which must exist, or sets a member (as upstream).
  kMove,     // Moves the value at `from` to the path.
  kCopy,     // Copies the value at `from`; a missing member counts as null (as upstream).
  kTest,     // Fails if the value is not equal to `value`; a missing member counts as null.
};

// One operation of a JSON patch.
struct JsonPatchOperation {
  JsonPatchOp op = JsonPatchOp::kAdd;
  // JSON pointers: "/spec/containers/0/image". Use JsonPointer for keys. As upstream, negative
  // indexes count from the end.
  std::string path = {};
  std::string from = {};  // for kMove and kCopy
  // The value for kAdd, kReplace and kTest; nullopt means null.
  std::optional<unstructured::Value> value = {};

  friend bool operator==(const JsonPatchOperation&, const JsonPatchOperation&) = default;
};
using JsonPatch = std::vector<JsonPatchOperation>;

// Returns `key` as one step of a JSON pointer: "/" and the key, with "~" and "/" escaped.
//
//   const std::string path = "/metadata/annotations" + JsonPointer("example.com/a");
std::string JsonPointer(absl::string_view key);

// Parses a JSON patch. Returns INVALID_ARGUMENT if `json` is not a list of operations, with the
// index of the first operation that is malformed: it must have op and path, and for move and copy
// also from. Other members are ignored, and null is an empty patch. (client-go:
// `jsonpatch.DecodePatch`)
absl::StatusOr<JsonPatch> ParseJsonPatch(absl::string_view json);
// Returns the patch as JSON. Returns INVALID_ARGUMENT if a value has no JSON.
absl::StatusOr<std::string> EncodeJsonPatch(const JsonPatch& patch);

// Returns the patch that turns `from` into `to`, with add, remove and replace operations in the
// order of keys. Equal elements at both ends of a list are kept, and the others are changed by
// index. The patch is empty ("[]") if both are equal. Returns INVALID_ARGUMENT if an object has no
// JSON, or if a Value is neither an object nor a list.
template <ApiStruct T>
absl::StatusOr<std::string> MakeJsonPatch(const T& from, const T& to);
absl::StatusOr<JsonPatch> MakeJsonPatch(const unstructured::Value& from,
                                        const unstructured::Value& to);

// Limits for applying a patch that comes from somebody else.
struct ApplyJsonPatchOptions {
  // Maximum number of operations in a patch. Default: the API server's limit. Zero means no limit.
  size_t max_operations = 10'000;
  // Maximum total size, in bytes of JSON, of the values that copy operations copy. Without a limit,
  // copies of copies grow exponentially. Default: the API server's limit. Zero means no limit.
  size_t max_copied_bytes = 3 * 1024 * 1024;
};

// Returns `object` with all operations applied. Errors name the operation:
// - FAILED_PRECONDITION: a test failed. Read the object again and make a new patch.
// - NOT_FOUND: a path leads through, or to, something that does not exist.
// - OUT_OF_RANGE: a list does not have this index.
// - RESOURCE_EXHAUSTED: a limit of the options was exceeded.
// - INVALID_ARGUMENT: an index is not a number; the object, or the value that replaces it as a
//   whole, is neither an object nor a list; or the result is not a T, or is nested more than 10000
//   deep.
//
// Values are compared by ==, while upstream compares the spelling of numbers and strings.
absl::StatusOr<unstructured::Value> ApplyJsonPatch(unstructured::Value object,
                                                   const JsonPatch& patch,
                                                   const ApplyJsonPatchOptions& options = {});
// Applies a patch that is given as JSON, with the default limits.
template <ApiStruct T>
absl::StatusOr<T> ApplyJsonPatch(const T& object, absl::string_view patch,
                                 const codec::DecodeOptions& options = {});

// ---- implementation of the templates

namespace internal {

absl::StatusOr<std::string> MakeJsonPatch(const void* from, const void* to,
                                          const kube::table::Message& message);
// `to` must have zero bits. After an error too, the caller must destroy it.
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
