#ifndef APIMACHINERY_CODEC_ENCODE_PROTOBUF_H_
#define APIMACHINERY_CODEC_ENCODE_PROTOBUF_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// The apiVersion and kind of an object (client-go: `runtime.TypeMeta`).
struct ProtobufTypeMeta {
  // "v1", "apps/v1".
  absl::string_view api_version = {};
  // "Pod".
  absl::string_view kind = {};
};

// Appends the protobuf message of `value`, a struct that `message` describes. Returns the errors of
// EncodeProtobuf and then leaves `out` unchanged.
absl::Status AppendProtobuf(std::string& out, const void* value,
                            const kube::table::Message& message);
// Appends the same message in the envelope of Kubernetes, as EncodeKubernetesProtobuf does.
absl::Status AppendKubernetesProtobuf(std::string& out, const void* value,
                                      const kube::table::Message& message,
                                      const ProtobufTypeMeta& type_meta);

// Returns the protobuf message of an API object, byte for byte what Marshal of the same Go type
// writes: fields by ascending number, maps sorted by key, and members that are not pointers even if
// they are zero. Members without a field number are not part of the message, among them the
// object's own apiVersion and kind: use EncodeKubernetesProtobuf to send these. An apply
// configuration has only such members, so its message is empty.
//
// Returns INVALID_ARGUMENT if a Quantity's text is not a quantity; the message names the member.
// Embedded JSON is written unchecked.
//
// Thread-safe as long as no other thread changes `object`.
template <ApiStruct T>
absl::StatusOr<std::string> EncodeProtobuf(const T& object) {
  std::string bytes;
  absl::Status status = AppendProtobuf(bytes, &object, T::kMessage);
  if (!status.ok()) return status;
  return bytes;
}

// Returns the body of a request with content type application/vnd.kubernetes.protobuf: the prefix
// "k8s\0" and a runtime.Unknown that contains `type_meta` and the message of `object`. Returns the
// errors of EncodeProtobuf.
//
//   const absl::StatusOr<std::string> body =
//       codec::EncodeKubernetesProtobuf(pod, {.api_version = "v1", .kind = "Pod"});
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
