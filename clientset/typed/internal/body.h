#ifndef CLIENTSET_TYPED_INTERNAL_BODY_H_
#define CLIENTSET_TYPED_INTERNAL_BODY_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/table/message.h"

// Encodes and decodes the bodies of requests and responses, for objects of any type. Pure
// functions: thread-safe.
namespace kube::typed::internal {

inline constexpr absl::string_view kJsonType = "application/json";
inline constexpr absl::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

// The kind and apiVersion of an object in a body.
struct BodyKind {
  absl::string_view api_version = {};
  absl::string_view kind = {};
};

// Encodes the object with the given kind and apiVersion, whatever it contains itself, as
// client-go's encoders do. An unstructured object keeps its own if it has them. Returns
// INVALID_ARGUMENT if the object cannot be encoded in that format.
absl::StatusOr<std::string> EncodeBody(const void* object, const kube::table::Message& message,
                                       const BodyKind& kind, codec::ContentType content_type);

// Encodes an apply configuration as client-go does: in the order of its members, without a line
// feed at its end. Kind and apiVersion are those of `kind` where the configuration does not have
// its own. Returns INVALID_ARGUMENT if the configuration cannot be encoded.
absl::StatusOr<std::string> EncodeConfiguration(const void* configuration,
                                                const kube::table::Message& message,
                                                const BodyKind& kind);

// Decodes the body of a successful response into `object`, which must consist of zero bytes. Kind
// and apiVersion are dropped, except from unstructured objects, which have no other place for them.
// `kind` is the expected kind; empty means any except Status. Returns the error of a Status that
// reports a failure, and INVALID_ARGUMENT if the body is of another kind or cannot be decoded.
absl::Status DecodeBody(absl::string_view content_type, absl::string_view body,
                        const BodyKind& kind, void* object, const kube::table::Message& message);

// Clears kind and apiVersion of an object or list; see DecodeBody.
void ClearKind(void* object, const kube::table::Message& message);
// Returns a projection that drops kind and apiVersion while decoding, or null for unstructured
// objects. It is never destroyed, because sharing stores keep it.
const codec::Projection* WithoutKind(const kube::table::Message& message);

// Returns the content type of a body that is decoded while it arrives. Returns INVALID_ARGUMENT if
// it is neither JSON nor protobuf.
absl::StatusOr<codec::ContentType> StreamedContentType(absl::string_view media_type);

// The metadata that requests need; a field is empty if the object does not have it.
struct ObjectId {
  std::string namespace_name = {};
  std::string name = {};
  std::string uid = {};
  std::string resource_version = {};
};
ObjectId IdOf(const void* object, const kube::table::Message& message);

// Returns the name of an apply configuration, or "" if it has none.
std::string NameOfConfiguration(const void* configuration, const kube::table::Message& message);

bool HasAnnotation(const void* object, const kube::table::Message& message, absl::string_view key,
                   absl::string_view value);

bool IsUnstructured(const kube::table::Message& message);

// ---- Items of a list. They get the kind that they would have as single objects, because lists of
// built-in kinds omit it.

// Returns whether the item has neither kind nor apiVersion. As in client-go, this can only be true
// of unstructured items.
bool LacksKind(const void* item, const kube::table::Message& message);
// Returns the kind of the items of a list: `known`, or, if that is empty, the kind that follows
// from the list's own. The result refers to the list.
BodyKind KindOfItems(const void* list, const kube::table::Message& message, const BodyKind& known);
// Returns a copy with the kind if the item lacks it, and otherwise the item itself.
std::shared_ptr<const void> WithKind(std::shared_ptr<const void> item,
                                     const kube::table::Message& message, const BodyKind& kind);
// Sets the kind of all items that lack it, in a list that was decoded as a whole. Items of metadata
// lists, whose kind is PartialObjectMetadata, lose theirs.
void SetKindOfItems(void* list, const kube::table::Message& message, const BodyKind& known);

}  // namespace kube::typed::internal

#endif  // CLIENTSET_TYPED_INTERNAL_BODY_H_
