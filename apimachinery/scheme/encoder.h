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

// Encodes objects into request and response bodies. JSON ends with a line feed unless it is pretty,
// as in client-go. Returns INVALID_ARGUMENT if an object cannot be encoded in the format: see
// codec::EncodeJson and codec::EncodeProtobuf. Thread-safe as long as no thread changes the object
// meanwhile.
namespace kube::scheme {

struct EncodeOptions {
  // Whether JSON is indented by two spaces. Default: no, it is a single line.
  bool pretty = false;
};

namespace internal {

absl::StatusOr<std::string> Encode(const schema::GroupVersionKind& kind, const void* object,
                                   const kube::table::Message& message, Format format,
                                   const EncodeOptions& options);

// Returns the kind that a body states: the type's kind in `version`, otherwise its first.
absl::StatusOr<schema::GroupVersionKind> KindToEncode(
    const Scheme& scheme, const kube::table::Message& message,
    const std::optional<schema::GroupVersion>& version);

}  // namespace internal

// Encodes an object as one of `kind`. The apiVersion and kind that the object itself has are
// ignored and may be empty.
//
//   const absl::StatusOr<std::string> body =
//       Encode({"apps", "v1", "Deployment"}, deployment, format);
template <ApiStruct T>
absl::StatusOr<std::string> Encode(const schema::GroupVersionKind& kind, const T& object,
                                   Format format, const EncodeOptions& options = {}) {
  return internal::Encode(kind, &object, T::kMessage, format, options);
}

// Encodes an object as one of the kind that the scheme has for T: the kind in `version` if there is
// one, otherwise the first registered. Returns an error that satisfies IsNotRegistered if T is not
// registered. (client-go: `runtime.WithVersionEncoder`)
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

// Encodes an object as one of its kind().
absl::StatusOr<std::string> Encode(const codec::AnyObject& object, Format format,
                                   const EncodeOptions& options = {});

// Encodes an object with the apiVersion and kind that it has. Returns INVALID_ARGUMENT for
// protobuf, which unstructured objects do not have. (client-go:
// `unstructured.UnstructuredJSONScheme`)
absl::StatusOr<std::string> Encode(const unstructured::Unstructured& object, Format format,
                                   const EncodeOptions& options = {});

}  // namespace kube::scheme

#endif  // APIMACHINERY_SCHEME_ENCODER_H_
