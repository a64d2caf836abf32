#ifndef LISTERS_INTERNAL_TRAITS_H_
#define LISTERS_INTERNAL_TRAITS_H_

#include <cstddef>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/deep_size.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/dynamic_metadata.h"
#include "apimachinery/types/message_type.h"
#include "listers/internal/value_index.h"

namespace kube::listers {

// What stores hold: API structs with metadata, metav1::PartialObjectMetadata among them, and
// unstructured::Unstructured.
template <typename T>
concept StoredObject = ApiStruct<T> &&(meta::Object<T> || meta::DynamicObject<T>);

namespace internal {

// The little of a store that is compiled for each type.
template <StoredObject T>
struct TraitsFor {
  static ObjectKey Key(const void* object) {
    const T& t = *static_cast<const T*>(object);
    if constexpr (meta::Object<T>) {
      return {.namespace_ = t.metadata.namespace_.view(), .name = t.metadata.name.view()};
    } else {
      return {.namespace_ = t.namespace_(), .name = t.name()};
    }
  }
  static absl::string_view ResourceVersion(const void* object) {
    const T& t = *static_cast<const T*>(object);
    if constexpr (meta::Object<T>) {
      return t.metadata.resource_version.view();
    } else {
      return t.resource_version();
    }
  }
  static void AddSize(const void* object, size_t& own_bytes, size_t& shared_bytes) {
    const codec::ObjectSize size = codec::DeepSize(*static_cast<const T*>(object));
    own_bytes += size.object + size.owned + size.block;
    shared_bytes += size.shared;
  }
  static constexpr ObjectTraits kTraits = {
      .key = Key, .resource_version = ResourceVersion, .add_size = AddSize};
};

}  // namespace internal
}  // namespace kube::listers

#endif  // LISTERS_INTERNAL_TRAITS_H_
