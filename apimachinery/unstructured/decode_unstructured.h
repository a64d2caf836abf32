#ifndef APIMACHINERY_UNSTRUCTURED_DECODE_UNSTRUCTURED_H_
#define APIMACHINERY_UNSTRUCTURED_DECODE_UNSTRUCTURED_H_

#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"

// Decodes JSON into objects of any kind (client-go: `UnstructuredJSONScheme`); ParseJson has the
// rules. Functions return INVALID_ARGUMENT if the text is not a JSON object, or has no kind;
// scheme::IsMissingKind recognizes the latter. As upstream, a malformed apiVersion counts as a
// missing kind, and an absent apiVersion does not. codec::EncodeJson writes such objects. Pure
// functions: thread-safe.
namespace kube::unstructured {

absl::StatusOr<Unstructured> DecodeUnstructured(const codec::PaddedBuffer& json);
absl::StatusOr<Unstructured> DecodeUnstructured(absl::string_view json);

// Decodes a list. Items without kind and apiVersion, as in lists of built-in kinds, get the
// apiVersion of the list, and its kind without "List".
absl::StatusOr<UnstructuredList> DecodeUnstructuredList(const codec::PaddedBuffer& json);
absl::StatusOr<UnstructuredList> DecodeUnstructuredList(absl::string_view json);

// Decodes a list if the object has the member "items", even if it is null; otherwise an object
// (client-go: `UnstructuredJSONScheme.Decode`).
using UnstructuredOrList = std::variant<Unstructured, UnstructuredList>;
absl::StatusOr<UnstructuredOrList> DecodeUnstructuredOrList(const codec::PaddedBuffer& json);
absl::StatusOr<UnstructuredOrList> DecodeUnstructuredOrList(absl::string_view json);

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_DECODE_UNSTRUCTURED_H_
