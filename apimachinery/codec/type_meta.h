#ifndef APIMACHINERY_CODEC_TYPE_META_H_
#define APIMACHINERY_CODEC_TYPE_META_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/stream/padded_buffer.h"

namespace kube::codec {

// What an object says about its own type (client-go: `runtime.TypeMeta`).
struct TypeMeta {
  std::string api_version;  // "v1", "apps/v1"
  std::string kind;         // "Pod"
};

// Returns the apiVersion and kind of an object whose type is not known yet; they are empty if the
// object does not have them. Everything else in the text is only checked to be JSON. (apimachinery:
// `json.SimpleMetaFactory.Interpret`, which ignores the case of names.)
//
//   KUBE_ASSIGN_OR_RETURN(const codec::TypeMeta meta, codec::TypeMetaOfJson(json));
//   return kube::api::FindKind(meta.api_version, meta.kind);
//
// Returns INVALID_ARGUMENT with the place if the text is not a JSON object or null, or if
// apiVersion or kind is not a string. Thread-safe.
absl::StatusOr<TypeMeta> TypeMetaOfJson(const PaddedBuffer& json);
absl::StatusOr<TypeMeta> TypeMetaOfJson(absl::string_view json);

// Returns the apiVersion and kind in the envelope of a body with content type
// application/vnd.kubernetes.protobuf. Returns INVALID_ARGUMENT if the envelope is malformed.
// Thread-safe.
absl::StatusOr<TypeMeta> TypeMetaOfProtobuf(const PaddedBuffer& body);
absl::StatusOr<TypeMeta> TypeMetaOfProtobuf(absl::string_view body);

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_TYPE_META_H_
