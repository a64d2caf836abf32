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

// Decodes an API object from its protobuf message, without an envelope, as Unmarshal of the same Go
// type does. Unknown fields are dropped: FieldValidation applies to JSON and YAML only. As in Go,
// strings are not checked to be valid UTF-8.
//
// As in Go, the elements of a repeated field may stand apart, a struct that occurs twice is merged,
// and of other values, and of the entries with one key, the last one counts. Numbers may be packed,
// and numbers that are too long for their type are truncated. The decoder differs from Go in these
// points, all of them in messages that no encoder writes:
// - Structs may be nested at most DecodeOptions::max_depth deep.
// - A map entry ends where its length says, and its key and value must have the right wire type. Go
//   reads on beyond the entry and does not check the type.
// - If a map entry has two values, only the last one is decoded.
// - Field number 0 is an error in a map entry too.
// - The type of an IntOrString has 32 bits.
//
// Returns INVALID_ARGUMENT if the bytes are not such a message. The error names the place, such as
// `decode Pod: spec.containers[0]: truncated value (byte 71)`. Returns RESOURCE_EXHAUSTED if there
// are more than 512 MiB. A PaddedBuffer is decoded in place; a string view is copied first.
// Thread-safe.
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

// Decodes a body of content type application/vnd.kubernetes.protobuf: the prefix "k8s\0" and a
// runtime.Unknown that contains the message. Sets the object's apiVersion and kind from the
// envelope if its type has these members; whether they are those of a T is for the caller to check.
// Returns the errors of DecodeProtobuf, and INVALID_ARGUMENT if the envelope is malformed or has a
// content encoding. Thread-safe.
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
