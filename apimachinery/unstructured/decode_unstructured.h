#ifndef APIMACHINERY_UNSTRUCTURED_DECODE_UNSTRUCTURED_H_
#define APIMACHINERY_UNSTRUCTURED_DECODE_UNSTRUCTURED_H_

#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"

// JSON to objects of any kind, as apimachinery's UnstructuredJSONScheme: see ParseJson for the
// rules. INVALID_ARGUMENT where the text is no JSON object, or has no kind, which
// scheme::IsMissingKind tells; as upstream, a malformed apiVersion counts as no kind, and an absent
// one does not. To write them again see codec::EncodeJson. Pure functions: thread-safe.
namespace kube::unstructured {

absl::StatusOr<Unstructured> DecodeUnstructured(const codec::PaddedBuffer& json);
absl::StatusOr<Unstructured> DecodeUnstructured(absl::string_view json);

// Items without kind and apiVersion, as the lists of built-in kinds have them, get those of the
// list, "PodList" without its ending.
absl::StatusOr<UnstructuredList> DecodeUnstructuredList(const codec::PaddedBuffer& json);
absl::StatusOr<UnstructuredList> DecodeUnstructuredList(absl::string_view json);

// A list where the object has "items", also null ones. (UnstructuredJSONScheme.Decode)
using UnstructuredOrList = std::variant<Unstructured, UnstructuredList>;
absl::StatusOr<UnstructuredOrList> DecodeUnstructuredOrList(const codec::PaddedBuffer& json);
absl::StatusOr<UnstructuredOrList> DecodeUnstructuredOrList(absl::string_view json);

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_DECODE_UNSTRUCTURED_H_
