#ifndef APIMACHINERY_CODEC_INTERNAL_OBJECT_BLOCK_H_
#define APIMACHINERY_CODEC_INTERNAL_OBJECT_BLOCK_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/codec/sharing/sharing_node.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

// Copies `object`, which was built in scratch memory, into a block of its own:
//
//   shared_ptr's control block | nodes | their number | the struct | lists, boxes ... | strings
//
// `block_bytes` is the size that the scratch memory counted for what the object points to. It is
// usually exact; if it is too small, the size is measured. The block takes over the references to
// `nodes`, and the vector is cleared. The last shared_ptr drops these references, and the last
// weak_ptr frees the block; members are never destroyed one by one. Returns RESOURCE_EXHAUSTED if
// the block would have 4 GiB or more; the caller then keeps the references.
absl::StatusOr<std::shared_ptr<const void>> MakeObjectBlock(const char* object,
                                                            const kube::table::Message& message,
                                                            size_t block_bytes,
                                                            std::vector<SharingNode*>& nodes);

// Returns the size of the block of `object`, which comes from MakeObjectBlock.
size_t ObjectBlockBytes(const void* object);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_OBJECT_BLOCK_H_
