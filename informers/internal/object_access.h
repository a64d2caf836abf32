#ifndef INFORMERS_INTERNAL_OBJECT_ACCESS_H_
#define INFORMERS_INTERNAL_OBJECT_ACCESS_H_

#include "absl/strings/string_view.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "clientset/typed/watch_list.h"
#include "listers/stored_object.h"

namespace kube::informers::internal {

// The little that a reflector asks of an object, of any type. Good while the object lives.
struct ObjectAccess {
  absl::string_view (*namespace_name)(const void* object);
  absl::string_view (*name)(const void* object);
  absl::string_view (*resource_version)(const void* object);
  absl::string_view (*uid)(const void* object);
  // Of a bookmark.
  bool (*ends_initial_events)(const void* object);
};

// The key of an object. Good while the object lives.
struct ObjectKey {
  absl::string_view namespace_name = {};
  absl::string_view name = {};
};
inline ObjectKey KeyOf(const ObjectAccess& access, const void* object) {
  return {.namespace_name = access.namespace_name(object), .name = access.name(object)};
}

template <listers::StoredObject T>
bool EndsInitialEvents(const void* object) {
  const T& t = *static_cast<const T*>(object);
  const auto is_true = [](const Map<String>& annotations) {
    const String* const value = annotations.find(typed::kInitialEventsEnd);
    return value != nullptr && *value == "true";
  };
  if constexpr (meta::Object<T>) {
    return is_true(t.metadata.annotations);
  } else {
    return is_true(t.annotations());
  }
}

template <listers::StoredObject T>
absl::string_view Uid(const void* object) {
  const T& t = *static_cast<const T*>(object);
  if constexpr (meta::Object<T>) {
    return t.metadata.uid.view();
  } else {
    return t.uid();
  }
}

template <listers::StoredObject T>
inline constexpr ObjectAccess kObjectAccess = {
    .namespace_name =
        [](const void* object) { return listers::NamespaceOf(*static_cast<const T*>(object)); },
    .name = [](const void* object) { return listers::NameOf(*static_cast<const T*>(object)); },
    .resource_version =
        [](const void* object) {
          return listers::ResourceVersionOf(*static_cast<const T*>(object));
        },
    .uid = Uid<T>,
    .ends_initial_events = EndsInitialEvents<T>};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_OBJECT_ACCESS_H_
