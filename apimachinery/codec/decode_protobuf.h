#ifndef APIMACHINERY_CODEC_DECODE_PROTOBUF_H_
#define APIMACHINERY_CODEC_DECODE_PROTOBUF_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/internal/decode.h"
#include "apimachinery/codec/internal/envelope.h"
#include "apimachinery/codec/padded_buffer.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// An API object from its protobuf message, without an envelope: what the Unmarshal of the same Go
// type reads. Unknown fields are dropped; FieldValidation is for JSON and YAML. Texts are not
// checked to be UTF-8, as Go's are not.
//
// INVALID_ARGUMENT where the bytes are not such a message, with the place:
//   decode Pod: spec.containers[0]: truncated value (byte 71)
//
// A PaddedBuffer is decoded where it is, a view is copied first. Thread-safe.
template <ApiStruct T>
absl::StatusOr<T> DecodeProtobuf(const PaddedBuffer& message, const DecodeOptions& options = {}) {
  T object;
  absl::Status status =
      internal::DecodeInto(reinterpret_cast<char*>(&object), T::kMessage,
                           internal::Encoding::kProtobuf, message.view(), options);
  if (!status.ok()) return status;
  return object;
}
template <ApiStruct T>
absl::StatusOr<T> DecodeProtobuf(absl::string_view message, const DecodeOptions& options = {}) {
  return DecodeProtobuf<T>(PaddedBuffer(message), options);
}

// The same of a body of type application/vnd.kubernetes.protobuf: "k8s", a zero, and a
// runtime.Unknown, whose apiVersion and kind the object gets where its type has them (COD-1).
// Whether they are those of a T is the caller's to check. INVALID_ARGUMENT also where the envelope
// is broken.
template <ApiStruct T>
absl::StatusOr<T> DecodeKubernetesProtobuf(const PaddedBuffer& body,
                                           const DecodeOptions& options = {}) {
  T object;
  absl::Status status = internal::DecodeEnvelopeInto(reinterpret_cast<char*>(&object), T::kMessage,
                                                     body.view(), options);
  if (!status.ok()) return status;
  return object;
}
template <ApiStruct T>
absl::StatusOr<T> DecodeKubernetesProtobuf(absl::string_view body,
                                           const DecodeOptions& options = {}) {
  return DecodeKubernetesProtobuf<T>(PaddedBuffer(body), options);
}

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_DECODE_PROTOBUF_H_
