#ifndef LISTERS_MEMORY_USAGE_H_
#define LISTERS_MEMORY_USAGE_H_

#include <cstddef>

namespace kube::listers {

// The memory used by a store, in bytes requested from the allocator.
struct MemoryUsage {
  size_t objects = 0;  // number of objects
  // Memory owned by single objects.
  size_t object_bytes = 0;
  // Memory shared by objects (codec::SharingStore), counted once per referring object; the actual
  // size is in the statistics() of the SharingStore.
  size_t shared_bytes = 0;
  // Memory of the store's own trees, references and indexes.
  size_t structure_bytes = 0;
};

}  // namespace kube::listers

#endif  // LISTERS_MEMORY_USAGE_H_
