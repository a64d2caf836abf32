#ifndef LISTERS_INTERNAL_TRAITS_H_
#define LISTERS_INTERNAL_TRAITS_H_

#include <cstddef>

#include "apimachinery/codec/deep_size.h"
#include "apimachinery/meta/object_access.h"
#include "listers/internal/value_index.h"
#include "listers/stored_object.h"

namespace kube::listers::internal {

// The functions of a store that are compiled for each object type.
template <StoredObject T>
struct TraitsFor {
  static void AddSize(const void* object, size_t& own_bytes, size_t& shared_bytes) {
    const codec::ObjectSize size = codec::DeepSize(*static_cast<const T*>(object));
    own_bytes += size.object + size.owned + size.block;
    shared_bytes += size.shared;
  }
  static constexpr ObjectTraits kTraits = {meta::kObjectAccess<T>, AddSize};
};

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_TRAITS_H_
