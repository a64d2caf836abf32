#ifndef APIMACHINERY_UNSTRUCTURED_CONVERT_H_
#define APIMACHINERY_UNSTRUCTURED_CONVERT_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/value.h"

// Converts between API structs and Values (client-go: `runtime.DefaultUnstructuredConverter`).
namespace kube::unstructured {

// Do what the templates below do, for types known at run time: `object` points to a struct that
// `message` describes. After an error FromValue may have filled the struct partly; the caller must
// still destroy it.
absl::StatusOr<Value> ToValue(const void* object, const kube::table::Message& message);
absl::Status FromValue(const Value& value, void* object, const kube::table::Message& message,
                       const codec::DecodeOptions& options);

// Returns the JSON of `object` as a Value: the members that EncodeJson writes, with integers as
// ints. Returns the errors of EncodeJson. (client-go: `ToUnstructured`)
//
//   absl::StatusOr<Value> value = ToValue(selector);
//
// Thread-safe as long as no other thread changes `object`.
template <ApiStruct T>
absl::StatusOr<Value> ToValue(const T& object) {
  return ToValue(&object, T::kMessage);
}

// Returns the API struct that DecodeJson would make from the same JSON. Unknown members are dropped
// unless the options are strict. Returns INVALID_ARGUMENT with the path if the value is not a T.
// (client-go: `FromUnstructured`)
template <ApiStruct T>
absl::StatusOr<T> FromValue(const Value& value, const codec::DecodeOptions& options = {}) {
  T object;
  absl::Status status = FromValue(value, &object, T::kMessage, options);
  if (!status.ok()) return status;
  return object;
}

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_CONVERT_H_
