#ifndef APIMACHINERY_CODEC_TYPE_META_H_
#define APIMACHINERY_CODEC_TYPE_META_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/stream/padded_buffer.h"

namespace kube::codec {

// What an object says that it is. (runtime.TypeMeta)
struct TypeMeta {
  std::string api_version;  // "v1", "apps/v1"
  std::string kind;         // "Pod"
};

// The kind of an object whose type is not known yet: its apiVersion and kind, empty where it has
// none. All else in it is passed over and only looked at as far as finding its end takes.
// (json.SimpleMetaFactory.Interpret, which does not mind the case of names)
//
//   KUBE_ASSIGN_OR_RETURN(const TypeMeta meta, TypeMetaOfJson(text));
//   const KindInfo* kind = kube::api::FindKind(meta.api_version, meta.kind);
//
// INVALID_ARGUMENT with the place where the text is not a JSON object, or one of the two no string.
// Thread-safe.
absl::StatusOr<TypeMeta> TypeMetaOfJson(const PaddedBuffer& json);
absl::StatusOr<TypeMeta> TypeMetaOfJson(absl::string_view json);

// The same of a body of type application/vnd.kubernetes.protobuf: what its envelope says.
absl::StatusOr<TypeMeta> TypeMetaOfProtobuf(const PaddedBuffer& body);
absl::StatusOr<TypeMeta> TypeMetaOfProtobuf(absl::string_view body);

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_TYPE_META_H_
