#ifndef APIMACHINERY_CODEC_DEEP_SIZE_H_
#define APIMACHINERY_CODEC_DEEP_SIZE_H_

#include <cstddef>

#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// The memory that an object occupies, in bytes, by who keeps it.
struct ObjectSize {
  // The struct itself: sizeof. Of a decoded object that is shared, it is in that object's block.
  size_t object = 0;
  // What strings, lists, maps and boxes own, as they asked the allocator for it.
  size_t owned = 0;
  // In so many pieces: each costs the allocator some more, with glibc 8 to 23 bytes.
  size_t owned_pieces = 0;
  // What is in the one block of a decoded object, without the struct.
  size_t block = 0;
  // What is in nodes that several objects of a store refer to. Each of them counts all of it.
  size_t shared = 0;

  size_t total() const { return object + owned + block + shared; }

  friend bool operator==(const ObjectSize&, const ObjectSize&) = default;
};

namespace internal {

ObjectSize DeepSize(const void* value, const kube::table::Message& message);

}  // namespace internal

// How large an object is. It walks all of it, in about the time of a copy: for measuring and for
// limits of caches, not for each request. Thread-safe where nobody changes `object` meanwhile.
template <ApiStruct T>
ObjectSize DeepSize(const T& object) {
  return internal::DeepSize(&object, T::kMessage);
}

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_DEEP_SIZE_H_
