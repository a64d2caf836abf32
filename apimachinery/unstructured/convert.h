#ifndef APIMACHINERY_UNSTRUCTURED_CONVERT_H_
#define APIMACHINERY_UNSTRUCTURED_CONVERT_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/value.h"

// Between API structs and Values. (runtime.DefaultUnstructuredConverter)
namespace kube::unstructured {

// The same of types known at run time: `object` points to a struct that `message` describes. After
// an error the struct may have been changed, and is still one to destroy.
absl::StatusOr<Value> ToValue(const void* object, const kube::table::Message& message);
absl::Status FromValue(const Value& value, void* object, const kube::table::Message& message,
                       const codec::DecodeOptions& options);

// The object that `object` is in JSON: members as EncodeJson writes them, empty ones left out or
// not as Go's tags say, integers as ints. INVALID_ARGUMENT where EncodeJson has it.
// (ToUnstructured)
//
//   KUBE_ASSIGN_OR_RETURN(Value value, ToValue(deployment));
//
// Thread-safe where nobody changes `object` meanwhile.
template <ApiStruct T>
absl::StatusOr<Value> ToValue(const T& object) {
  return ToValue(&object, T::kMessage);
}

// An API struct from a Value, as DecodeJson makes it of the same JSON; unknown members are dropped
// unless the options are strict. INVALID_ARGUMENT with the path where it is not one of a T.
// (FromUnstructured)
template <ApiStruct T>
absl::StatusOr<T> FromValue(const Value& value, const codec::DecodeOptions& options = {}) {
  T object;
  absl::Status status = FromValue(value, &object, T::kMessage, options);
  if (!status.ok()) return status;
  return object;
}

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_CONVERT_H_
