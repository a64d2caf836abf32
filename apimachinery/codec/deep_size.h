#ifndef APIMACHINERY_CODEC_DEEP_SIZE_H_
#define APIMACHINERY_CODEC_DEEP_SIZE_H_

#include <cstddef>

#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// The memory that an object occupies, in bytes, by owner.
struct ObjectSize {
  // sizeof the struct itself. For a decoded object that is shared, the struct is part of the
  // object's block.
  size_t object = 0;
  // Bytes owned by strings, lists, maps and boxes, as requested from the allocator.
  size_t owned = 0;
  // Number of allocations in `owned`. Each has an overhead in the allocator, with glibc 8 to 23
  // bytes.
  size_t owned_pieces = 0;
  // Bytes in the one block of a decoded object, without the struct.
  size_t block = 0;
  // Bytes in nodes that several objects of a SharingStore refer to. Each of these objects counts
  // all of them.
  size_t shared = 0;

  size_t total() const { return object + owned + block + shared; }

  friend bool operator==(const ObjectSize&, const ObjectSize&) = default;
};

namespace internal {

ObjectSize DeepSize(const void* value, const kube::table::Message& message);

}  // namespace internal

// Returns the size of an object. It visits every value and takes about as long as a copy, so use it
// for measurements and for limits of caches, not for each request. Thread-safe as long as no other
// thread changes `object`.
template <ApiStruct T>
ObjectSize DeepSize(const T& object) {
  return internal::DeepSize(&object, T::kMessage);
}

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_DEEP_SIZE_H_
