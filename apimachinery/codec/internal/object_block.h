#ifndef APIMACHINERY_CODEC_INTERNAL_OBJECT_BLOCK_H_
#define APIMACHINERY_CODEC_INTERNAL_OBJECT_BLOCK_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/codec/sharing/sharing_node.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

// A copy of `object`, which was built in scratch memory, in a block of its own:
//
//   shared_ptr's control block | nodes | their number | the struct | lists, boxes ... | strings
//
// `block_bytes` is what the scratch memory counted for what the object points to: usually exact,
// and checked. The block takes over the references to the nodes, and clears the vector. When the
// last shared_ptr goes, it drops them; the block is freed with the last weak_ptr too, and members
// are never destroyed one by one. RESOURCE_EXHAUSTED where it would be of 4 GiB or more: then the
// nodes stay the caller's.
absl::StatusOr<std::shared_ptr<const void>> MakeObjectBlock(const char* object,
                                                            const kube::table::Message& message,
                                                            size_t block_bytes,
                                                            std::vector<SharingNode*>& nodes);

// The bytes of the block that `object`, from MakeObjectBlock, is in.
size_t ObjectBlockBytes(const void* object);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_OBJECT_BLOCK_H_
