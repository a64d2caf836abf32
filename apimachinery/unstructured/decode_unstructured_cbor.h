#ifndef APIMACHINERY_UNSTRUCTURED_DECODE_UNSTRUCTURED_CBOR_H_
#define APIMACHINERY_UNSTRUCTURED_DECODE_UNSTRUCTURED_CBOR_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"

// Decode CBOR into objects of any kind (client-go: `cbor.Serializer.Decode`); ParseCbor has the
// rules. Functions return INVALID_ARGUMENT if the data is not a CBOR map. Other than in JSON, kind
// and apiVersion are both required: schema::IsMissingKind and IsMissingVersion recognize the
// errors. EncodeCbor(object.object) writes such objects. Pure functions: thread-safe.
namespace kube::unstructured {

absl::StatusOr<Unstructured> DecodeUnstructuredCbor(absl::string_view cbor);

// Decodes a list. Items without kind and apiVersion, as in lists of built-in kinds, get the
// apiVersion of the list, and its kind without "List"; an item that has one of both is an error.
// Members other than apiVersion, kind, metadata and items are dropped.
absl::StatusOr<UnstructuredList> DecodeUnstructuredListCbor(absl::string_view cbor);

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_DECODE_UNSTRUCTURED_CBOR_H_
