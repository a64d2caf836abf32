#ifndef APIMACHINERY_META_OBJECT_ACCESS_H_
#define APIMACHINERY_META_OBJECT_ACCESS_H_

#include "absl/strings/string_view.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"

// Access to the metadata of objects whose type is not known at compile time. For example, a store
// or a reflector is compiled once for all types; it has pointers to objects and an ObjectAccess:
//
//   std::string Describe(const meta::ObjectAccess& access, const void* object) {
//     const meta::ObjectKey key = access.key(object);
//     return absl::StrCat(key.namespace_name, "/", key.name, "@", access.resource_version(object));
//   }
//
// Code that knows the type uses the metadata itself: see accessor.h.
namespace kube::meta {

// Identifies an object of a kind. It refers to the text of the object or of the caller; ObjectName
// is the same with strings of its own.
struct ObjectKey {
  absl::string_view namespace_name = {};
  absl::string_view name = {};

  friend bool operator==(const ObjectKey&, const ObjectKey&) = default;
};

// Functions for objects of one type. Their results are valid while the object exists. Thread-safe.
struct ObjectAccess {
  ObjectKey (*key)(const void* object) = nullptr;
  absl::string_view (*resource_version)(const void* object) = nullptr;
  absl::string_view (*uid)(const void* object) = nullptr;
  // Returns whether the object has this annotation with this value.
  bool (*has_annotation)(const void* object, absl::string_view key,
                         absl::string_view value) = nullptr;
};

// For objects that are a metav1::ObjectMeta.
inline constexpr ObjectAccess kMetadataAccess = {
    .key = [](const void* object) -> ObjectKey {
      const auto& metadata = *static_cast<const api::meta::v1::ObjectMeta*>(object);
      return {.namespace_name = metadata.namespace_.view(), .name = metadata.name.view()};
    },
    .resource_version =
        [](const void* object) {
          return static_cast<const api::meta::v1::ObjectMeta*>(object)->resource_version.view();
        },
    .uid =
        [](const void* object) {
          return static_cast<const api::meta::v1::ObjectMeta*>(object)->uid.view();
        },
    .has_annotation =
        [](const void* object, absl::string_view key, absl::string_view value) {
          const auto& metadata = *static_cast<const api::meta::v1::ObjectMeta*>(object);
          const String* const found = metadata.annotations.find(key);
          return found != nullptr && found->view() == value;
        }};

namespace internal {

template <Object T>
const void* MetadataIn(const void* object) {
  return &static_cast<const T*>(object)->metadata;
}

}  // namespace internal

// For objects of type T.
template <AnyKindOfObject T>
inline constexpr ObjectAccess kObjectAccess = {};
template <Object T>
inline constexpr ObjectAccess kObjectAccess<T> = {
    .key = [](const void* object) { return kMetadataAccess.key(internal::MetadataIn<T>(object)); },
    .resource_version =
        [](const void* object) {
          return kMetadataAccess.resource_version(internal::MetadataIn<T>(object));
        },
    .uid = [](const void* object) { return kMetadataAccess.uid(internal::MetadataIn<T>(object)); },
    .has_annotation =
        [](const void* object, absl::string_view key, absl::string_view value) {
          return kMetadataAccess.has_annotation(internal::MetadataIn<T>(object), key, value);
        }};
template <DynamicObject T>
inline constexpr ObjectAccess kObjectAccess<T> = {
    .key = [](const void* object) -> ObjectKey {
      const T& t = *static_cast<const T*>(object);
      return {.namespace_name = t.namespace_name(), .name = t.name()};
    },
    .resource_version =
        [](const void* object) { return static_cast<const T*>(object)->resource_version(); },
    .uid = [](const void* object) { return static_cast<const T*>(object)->uid(); },
    .has_annotation =
        [](const void* object, absl::string_view key, absl::string_view value) {
          const Map<String> annotations = static_cast<const T*>(object)->annotations();
          const String* const found = annotations.find(key);
          return found != nullptr && found->view() == value;
        }};

}  // namespace kube::meta

#endif  // APIMACHINERY_META_OBJECT_ACCESS_H_
