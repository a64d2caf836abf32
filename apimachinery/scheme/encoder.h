#ifndef APIMACHINERY_SCHEME_ENCODER_H_
#define APIMACHINERY_SCHEME_ENCODER_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/scheme/scheme.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/unstructured.h"

// Bodies from objects. JSON ends with a line feed unless it is pretty, as upstream's serializer
// has it. INVALID_ARGUMENT where an object has no such form: see codec::EncodeJson and
// codec::EncodeProtobuf. Thread-safe where nobody changes the object meanwhile.
namespace kube::scheme {

struct EncodeOptions {
  // JSON for people, indented by two blanks. Default: in one line.
  bool pretty = false;
};

namespace internal {

absl::StatusOr<std::string> Encode(const schema::GroupVersionKind& kind, const void* object,
                                   const kube::table::Message& message, Format format,
                                   const EncodeOptions& options);

// Which of a type's kinds a body says that it is.
absl::StatusOr<schema::GroupVersionKind> KindToEncode(
    const Scheme& scheme, const kube::table::Message& message,
    const std::optional<schema::GroupVersion>& version);

}  // namespace internal

// The object as one of `kind`, whatever its own apiVersion and kind say, which may be empty.
//
//   Encode({"apps", "v1", "Deployment"}, deployment, Format::kProtobuf);
template <ApiStruct T>
absl::StatusOr<std::string> Encode(const schema::GroupVersionKind& kind, const T& object,
                                   Format format, const EncodeOptions& options = {}) {
  return internal::Encode(kind, &object, T::kMessage, format, options);
}

// The same with the kind that the scheme has for a T: the one in `version`, if there is such;
// otherwise the first. IsNotRegistered: it has none. (runtime.WithVersionEncoder)
template <ApiStruct T>
absl::StatusOr<std::string> Encode(const Scheme& scheme,
                                   const std::optional<schema::GroupVersion>& version,
                                   const T& object, Format format,
                                   const EncodeOptions& options = {}) {
  absl::StatusOr<schema::GroupVersionKind> kind =
      internal::KindToEncode(scheme, T::kMessage, version);
  if (!kind.ok()) return kind.status();
  return internal::Encode(*kind, &object, T::kMessage, format, options);
}

// The object as one of its kind().
absl::StatusOr<std::string> Encode(const codec::AnyObject& object, Format format,
                                   const EncodeOptions& options = {});

// What it is, as it is. INVALID_ARGUMENT: protobuf, which objects without a type do not have.
// (unstructured.UnstructuredJSONScheme)
absl::StatusOr<std::string> Encode(const unstructured::Unstructured& object, Format format,
                                   const EncodeOptions& options = {});

}  // namespace kube::scheme

#endif  // APIMACHINERY_SCHEME_ENCODER_H_
