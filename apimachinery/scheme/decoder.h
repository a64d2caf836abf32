#ifndef APIMACHINERY_SCHEME_DECODER_H_
#define APIMACHINERY_SCHEME_DECODER_H_

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/scheme.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/unstructured.h"

namespace kube::scheme {

// What a decoder does about unknown and duplicate fields.
enum class Strictness {
  kIgnore,  // Accepts them silently.
  kWarn,    // Lists them in `strict_errors`, as fieldValidation=Warn.
  kStrict,  // Fails as IsStrictDecodingError, as fieldValidation=Strict.
};

struct DecoderOptions {
  // Treatment of unknown and duplicate fields. Default: ignore, as in client-go. Bodies in protobuf
  // and objects decoded as Unstructured are not checked.
  Strictness strictness = Strictness::kIgnore;
  // Whether a JSON or YAML body of a kind that is not registered is decoded as an Unstructured (the
  // default) or is an error. In protobuf it is always an error.
  bool unstructured = true;
  // Whether the scheme's defaulting functions are applied. Default: no. (client-go:
  // `UniversalDecoder` applies them, `UniversalDeserializer` does not)
  bool set_defaults = false;
};

// What the caller knows about a body.
struct BodyInfo {
  // The Content-Type header, with or without parameters. If it is empty (the default), the format
  // is guessed from the first bytes; a body that is neither protobuf nor JSON is read as YAML.
  absl::string_view content_type = {};
  // The kind to assume for what the body itself does not state. Default: none.
  std::optional<schema::GroupVersionKind> default_kind = {};
};

// An object whose kind was read from its bytes.
struct DecodedObject {
  // The kind that the body states, completed from BodyInfo::default_kind.
  schema::GroupVersionKind kind = {};
  // Typed if the kind is registered, otherwise Unstructured.
  std::variant<codec::AnyObject, unstructured::Unstructured> object;
  std::vector<std::string> strict_errors = {};

  // Returns the object as a T, or null if it is something else. (Go: `obj.(*corev1.Pod)`)
  template <ApiStruct T>
  T* As() {
    codec::AnyObject* const typed = std::get_if<codec::AnyObject>(&object);
    return typed == nullptr ? nullptr : typed->As<T>();
  }
};

template <typename T>
struct DecodedInto {
  T object = {};
  schema::GroupVersionKind kind = {};
  std::vector<std::string> strict_errors = {};
};

// Decodes objects from bodies in any format. (client-go: `CodecFactory.UniversalDeserializer`; with
// `set_defaults` `CodecFactory.UniversalDecoder`, but without conversion between versions)
//
//   const UniversalDecoder decoder(scheme);
//   KUBE_ASSIGN_OR_RETURN(DecodedObject decoded,
//                         decoder.Decode(body, {.content_type = content_type}));
//   if (const auto* status = decoded.As<metav1::Status>()) return errors::FromStatus(*status);
//
// A Status of "v1" is decoded as metav1::Status even if it is not registered, since a server may
// answer any request with one.
//
// Errors are IsMissingKind, IsMissingVersion, IsNotRegistered and IsStrictDecodingError
// (scheme/errors.h), and INVALID_ARGUMENT for a malformed body or an unsupported content type.
// Thread-safe. The scheme must outlive the decoder.
class UniversalDecoder {
 public:
  explicit UniversalDecoder(const Scheme& scheme, const DecoderOptions& options = {})
      : scheme_(&scheme), options_(options) {}

  // Decodes a body into the type that the scheme has for its kind.
  absl::StatusOr<DecodedObject> Decode(absl::string_view body, const BodyInfo& info = {}) const;

  // Decodes a body into a T. The kind of T is assumed for what the body does not state. Returns
  // INVALID_ARGUMENT if the body is of another kind, where client-go returns the other object; use
  // Decode if it may be a Status. If T is not registered, the kind is not checked. (client-go:
  // `Decode` with `into`)
  template <ApiStruct T>
  absl::StatusOr<DecodedInto<T>> DecodeInto(absl::string_view body,
                                            const BodyInfo& info = {}) const {
    DecodedInto<T> decoded;
    absl::Status status =
        DecodeInto(body, info, &decoded.object, T::kMessage, decoded.kind, decoded.strict_errors);
    if (!status.ok()) return status;
    return decoded;
  }

 private:
  absl::Status DecodeInto(absl::string_view body, const BodyInfo& info, void* object,
                          const kube::table::Message& message, schema::GroupVersionKind& kind,
                          std::vector<std::string>& strict_errors) const;

  const Scheme* scheme_;
  DecoderOptions options_;
};

}  // namespace kube::scheme

#endif  // APIMACHINERY_SCHEME_DECODER_H_
