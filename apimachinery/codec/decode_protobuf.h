#ifndef APIMACHINERY_CODEC_DECODE_PROTOBUF_H_
#define APIMACHINERY_CODEC_DECODE_PROTOBUF_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/envelope.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// An API object from its protobuf message, without an envelope: what the Unmarshal of the same Go
// type reads. Unknown fields are dropped; FieldValidation is for JSON and YAML. Texts are not
// checked to be UTF-8, as Go's are not.
//
// As in Go: what is repeated goes on where it stopped, a struct that comes twice is read into what
// is there, of other values and of a key the last one counts; numbers may be packed; what is longer
// than its type is cut off. Different from Go, all in what no encoder writes:
//   * structs are nested at most DecodeOptions::max_depth deep;
//   * an entry of a map ends where its length says, and its key and value have the right wire type
//     (Go reads on into what follows, and does not look at the type);
//   * of two values in one entry of a map only the last is looked at;
//   * the field number 0 is an error also in an entry of a map;
//   * IntOrString's type has 32 bits.
//
// INVALID_ARGUMENT where the bytes are not such a message, with the place:
//   decode Pod: spec.containers[0]: truncated value (byte 71)
//
// A PaddedBuffer is decoded where it is, a view is copied first. Thread-safe.
template <ApiStruct T>
absl::StatusOr<T> DecodeProtobuf(const PaddedBuffer& message, const DecodeOptions& options = {}) {
  T object;
  absl::Status status = codec::DecodeInto(reinterpret_cast<char*>(&object), T::kMessage,
                                          codec::Encoding::kProtobuf, message.view(), options);
  if (!status.ok()) return status;
  return object;
}
template <ApiStruct T>
absl::StatusOr<T> DecodeProtobuf(absl::string_view message, const DecodeOptions& options = {}) {
  return DecodeProtobuf<T>(PaddedBuffer(message), options);
}

// The same of a body of type application/vnd.kubernetes.protobuf: "k8s", a zero, and a
// runtime.Unknown, whose apiVersion and kind the object gets where its type has them.
// Whether they are those of a T is the caller's to check. INVALID_ARGUMENT also where the envelope
// is broken.
template <ApiStruct T>
absl::StatusOr<T> DecodeKubernetesProtobuf(const PaddedBuffer& body,
                                           const DecodeOptions& options = {}) {
  T object;
  absl::Status status = codec::DecodeEnvelopeInto(reinterpret_cast<char*>(&object), T::kMessage,
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
