#ifndef APIMACHINERY_UNSTRUCTURED_TYPED_CBOR_H_
#define APIMACHINERY_UNSTRUCTURED_TYPED_CBOR_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/cbor.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"

// CBOR of API structs, by way of a Value: it costs more time than JSON does. For programs that
// store or exchange objects in the form of application/cbor; clients speak it with
// dynamic::MakeCborTransport. (client-go: `cbor.Serializer`) Thread-safe, as long as no other
// thread changes an object.
namespace kube::unstructured {

// Returns the members that EncodeJson writes as CBOR; kind and apiVersion must be set if a server
// is to read it. Bytes, such as the data of Secrets, are byte strings of their base64 text, which
// apimachinery's decoder accepts; its encoder writes the bytes under tag 22. Returns the errors of
// EncodeJson and EncodeCbor.
template <ApiStruct T>
absl::StatusOr<std::string> EncodeTypedCbor(const T& object,
                                            const EncodeCborOptions& options = {}) {
  const absl::StatusOr<Value> value = ToValue(object);
  if (!value.ok()) return value.status();
  return EncodeCbor(*value, options);
}

// Returns the API struct of CBOR that EncodeTypedCbor or apimachinery has written. Unknown members
// are dropped unless the options are strict. Returns the errors of ParseCbor, and INVALID_ARGUMENT
// with the path if the data is not a T.
//
//   const absl::StatusOr<corev1::Pod> pod = DecodeTypedCbor<corev1::Pod>(*cbor);
template <ApiStruct T>
absl::StatusOr<T> DecodeTypedCbor(absl::string_view cbor,
                                  const codec::DecodeOptions& options = {}) {
  const absl::StatusOr<Value> value = ParseCbor(cbor);
  if (!value.ok()) return value.status();
  return FromValue<T>(*value, options);
}

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_TYPED_CBOR_H_
