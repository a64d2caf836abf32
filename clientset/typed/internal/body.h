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

// Bodies of requests and responses, of any kind. Pure functions: thread-safe.
namespace kube::typed::internal {

inline constexpr absl::string_view kJsonType = "application/json";
inline constexpr absl::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

// What an object is to say of itself.
struct BodyKind {
  absl::string_view api_version = {};
  absl::string_view kind = {};
};

// The object with that kind and apiVersion, whatever it says itself, as client-go's encoders do it;
// an unstructured object keeps its own where it has them. INVALID_ARGUMENT where it has no such
// form.
absl::StatusOr<std::string> EncodeBody(const void* object, const kube::table::Message& message,
                                       const BodyKind& kind, codec::ContentType content_type);

// The body of a success, into a struct of zero bits. What kind it was is left away, but from an
// unstructured object, which has no other place for it. `kind` is the one to expect; empty: any but
// Status. An error: that of a Status that is a failure; INVALID_ARGUMENT where it is something
// else, or cannot be read.
absl::Status DecodeBody(absl::string_view content_type, absl::string_view body,
                        const BodyKind& kind, void* object, const kube::table::Message& message);

// Leaves away what kind an object or list was; see DecodeBody.
void ClearKind(void* object, const kube::table::Message& message);
// Does the same while it is decoded. Never destroyed, as stores of shared parts keep it; null of
// what is unstructured.
const codec::Projection* WithoutKind(const kube::table::Message& message);

// Of a body that is decoded while it arrives. INVALID_ARGUMENT: another one than these two.
absl::StatusOr<codec::ContentType> StreamedContentType(absl::string_view media_type);

// What requests need of an object. Empty where it has none.
struct ObjectId {
  std::string namespace_name = {};
  std::string name = {};
  std::string uid = {};
  std::string resource_version = {};
};
ObjectId IdOf(const void* object, const kube::table::Message& message);

bool HasAnnotation(const void* object, const kube::table::Message& message, absl::string_view key,
                   absl::string_view value);

bool IsUnstructured(const kube::table::Message& message);

// ---- the items of a list, as the objects that they would be alone: lists of built-in kinds leave
// their kind away. As for client-go, an item lacks its kind that has neither kind nor apiVersion;
// none but unstructured ones do.

bool LacksKind(const void* item, const kube::table::Message& message);
// What the items of a list are: `known`, or if that is empty what the list says of itself. It
// refers to the list.
BodyKind KindOfItems(const void* list, const kube::table::Message& message, const BodyKind& known);
// An item that lacks its kind gets it in a copy. Others come back as they are.
std::shared_ptr<const void> WithKind(std::shared_ptr<const void> item,
                                     const kube::table::Message& message, const BodyKind& kind);
// Sets that of all items of a list that was decoded as a whole; items of metadata, which say that
// they are metadata, lose it.
void SetKindOfItems(void* list, const kube::table::Message& message, const BodyKind& known);

}  // namespace kube::typed::internal

#endif  // CLIENTSET_TYPED_INTERNAL_BODY_H_
