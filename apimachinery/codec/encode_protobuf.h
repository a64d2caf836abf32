#ifndef APIMACHINERY_CODEC_ENCODE_PROTOBUF_H_
#define APIMACHINERY_CODEC_ENCODE_PROTOBUF_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// What an object says of itself: Go's runtime.TypeMeta.
struct ProtobufTypeMeta {
  // "v1", "apps/v1".
  absl::string_view api_version = {};
  // "Pod".
  absl::string_view kind = {};
};

// Appends the protobuf of `value`, a struct that `message` describes. After an error `out` is as it
// was.
absl::Status AppendProtobuf(std::string& out, const void* value,
                            const kube::table::Message& message);
// The same in the envelope of Kubernetes.
absl::Status AppendKubernetesProtobuf(std::string& out, const void* value,
                                      const kube::table::Message& message,
                                      const ProtobufTypeMeta& type_meta);

// The protobuf message of an API object, byte for byte what the Marshal of the same Go type writes:
// ascending field numbers, maps by key, members that are no pointers also where they are zero. It
// does not say what it is: see below. Its apiVersion and kind are not part of it, nor are other
// members without a field number; an apply configuration has nothing but such.
//
// INVALID_ARGUMENT where a text set as a Quantity is none; the message names the member. Embedded
// JSON is written as it is.
//
// Thread-safe where nobody changes `object` meanwhile.
template <ApiStruct T>
absl::StatusOr<std::string> EncodeProtobuf(const T& object) {
  std::string bytes;
  absl::Status status = AppendProtobuf(bytes, &object, T::kMessage);
  if (!status.ok()) return status;
  return bytes;
}

// The body of a request of type application/vnd.kubernetes.protobuf: "k8s", a zero, and a
// runtime.Unknown with `type_meta` and the message of `object`. Errors as above.
//
//   EncodeKubernetesProtobuf(pod, {.api_version = "v1", .kind = "Pod"});
template <ApiStruct T>
absl::StatusOr<std::string> EncodeKubernetesProtobuf(const T& object,
                                                     const ProtobufTypeMeta& type_meta) {
  std::string bytes;
  absl::Status status = AppendKubernetesProtobuf(bytes, &object, T::kMessage, type_meta);
  if (!status.ok()) return status;
  return bytes;
}

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_ENCODE_PROTOBUF_H_
