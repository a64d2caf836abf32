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

// What to do about members that a type does not have, and members that come twice.
enum class Strictness {
  kIgnore,  // Nothing.
  kWarn,    // They are in strict_errors of the result: fieldValidation=Warn.
  kStrict,  // An error, IsStrictDecodingError, names all: fieldValidation=Strict.
};

struct DecoderOptions {
  // Default: ignore, as client-go. Protobuf and kinds that are not registered are never looked at.
  Strictness strictness = Strictness::kIgnore;
  // What becomes of a kind that is not registered: true, the default, an Unstructured (JSON and
  // YAML only); false, an error.
  bool unstructured = true;
  // Whether the scheme's defaulting functions are called. Default: no. (UniversalDecoder does,
  // UniversalDeserializer does not)
  bool set_defaults = false;
};

// What is known of a body beyond its bytes.
struct BodyInfo {
  // The Content-Type header, with or without parameters. Empty, the default: it is told by how the
  // body begins, and YAML if by nothing else.
  absl::string_view content_type = {};
  // What the object is if it does not say so itself, or not wholly.
  std::optional<schema::GroupVersionKind> default_kind = {};
};

// An object whose kind was learnt from its bytes.
struct DecodedObject {
  // What the body says, and BodyInfo for what it leaves out.
  schema::GroupVersionKind kind = {};
  // Typed, or of a kind that the scheme lacks.
  std::variant<codec::AnyObject, unstructured::Unstructured> object;
  std::vector<std::string> strict_errors = {};

  // The object as a T, or null. (Go: obj.(*corev1.Pod))
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

// Objects from bodies in any format. (CodecFactory.UniversalDeserializer; with defaults its
// UniversalDecoder, but for conversion; a server's error may be protobuf where its objects are not)
//
//   const UniversalDecoder decoder(scheme);
//   KUBE_ASSIGN_OR_RETURN(DecodedObject decoded,
//                         decoder.Decode(body, {.content_type = headers["Content-Type"]}));
//   if (const auto* status = decoded.As<metav1::Status>()) return errors::FromStatus(*status);
//
// A Status of "v1" is decoded as such also where the scheme has none.
//
// Errors: IsMissingKind, IsMissingVersion, IsNotRegistered, IsStrictDecodingError (scheme/errors.h)
// and INVALID_ARGUMENT for bodies that are not what they should be, and for content types of other
// formats. Thread-safe. The scheme outlives it.
class UniversalDecoder {
 public:
  explicit UniversalDecoder(const Scheme& scheme, const DecoderOptions& options = {})
      : scheme_(&scheme), options_(options) {}

  absl::StatusOr<DecodedObject> Decode(absl::string_view body, const BodyInfo& info = {}) const;

  // A T, which is also what the object is if it does not say so. INVALID_ARGUMENT for the body of
  // another kind, which Go returns as that: where it may be a Status, use Decode. Of a T that is
  // not registered all bodies are taken. (Decode with `into`)
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
