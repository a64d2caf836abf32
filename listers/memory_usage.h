#ifndef LISTERS_MEMORY_USAGE_H_
#define LISTERS_MEMORY_USAGE_H_

#include <cstddef>

namespace kube::listers {

// The memory of what a store holds, in bytes as asked from the allocator.
struct MemoryUsage {
  size_t objects = 0;  // their number
  // What the objects have for themselves.
  size_t object_bytes = 0;
  // What they have in common with others (codec::SharingStore), counted once for each that refers
  // to it: the store's own statistics() say what it takes.
  size_t shared_bytes = 0;
  // What keeps and finds the objects: trees, references and indexes.
  size_t structure_bytes = 0;
};

}  // namespace kube::listers

#endif  // LISTERS_MEMORY_USAGE_H_
