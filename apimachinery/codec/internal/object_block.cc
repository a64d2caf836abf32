#include "apimachinery/codec/internal/object_block.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/internal/block_writer.h"
#include "apimachinery/codec/sharing/sharing_node.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {
namespace {

using kube::table::AlignUp;
using kube::table::Message;

// The size of libstdc++'s control block with this deleter and this allocator.
constexpr size_t kControlBytes = 32;

// Stands directly before the struct.
struct Trailer {
  uint32_t node_count;
  uint32_t block_bytes;
};
static_assert((kControlBytes + sizeof(Trailer)) % 8 == 0, "the struct is aligned");

const Trailer& TrailerOf(const void* object) { return static_cast<const Trailer*>(object)[-1]; }

// Drops the references to nodes; called by the last shared_ptr.
struct DropNodes {
  void operator()(const void* object) const {
    const Trailer& trailer = TrailerOf(object);
    SharingNode* const* end = reinterpret_cast<SharingNode* const*>(&trailer);
    for (SharingNode* const* node = end - trailer.node_count; node != end; ++node) {
      (*node)->DropReference();
    }
  }
};

// Places shared_ptr's control block at the start of the block, and frees the block with it.
template <typename T>
struct ControlAllocator {
  using value_type = T;

  explicit ControlAllocator(char* memory) : block(memory) {}
  template <typename U>
  ControlAllocator(const ControlAllocator<U>& other)  // NOLINT(google-explicit-constructor)
      : block(other.block) {}

  T* allocate(size_t) {
    static_assert(sizeof(T) <= kControlBytes && alignof(T) <= 16);
    return reinterpret_cast<T*>(block);
  }
  void deallocate(T*, size_t) { kube::table::Free(block); }

  template <typename U>
  friend bool operator==(const ControlAllocator& a, const ControlAllocator<U>& b) {
    return a.block == b.block;
  }

  char* block;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const void>> MakeObjectBlock(const char* object,
                                                            const Message& message,
                                                            size_t block_bytes,
                                                            std::vector<SharingNode*>& nodes) {
  const size_t head = kControlBytes + nodes.size() * sizeof(SharingNode*) + sizeof(Trailer);
  const size_t size = AlignUp(message.size);
  for (bool counted_well = true;; counted_well = false) {
    const size_t bytes = head + size + AlignUp(block_bytes);
    if (bytes > UINT32_MAX) {
      return absl::ResourceExhaustedError(absl::StrCat("keep ", message.type_name(), ": size of ",
                                                       bytes, " bytes exceeds the limit of 4 GiB"));
    }
    char* block = kube::table::Allocate(bytes);
    char* copy = block + head;
    std::memcpy(copy, object, message.size);
    BlockWriter writer(copy + size, block + bytes);
    if (!writer.Message(copy, message)) {
      // The scratch memory counted too few bytes, as for an unclosed list of scalars on the wire,
      // or a field that occurred twice. Measure the object instead.
      KUBE_CHECK(counted_well);
      kube::table::Free(block);
      block_bytes = BlockBytes(object, 1, 0, {kube::table::Kind::kMessage, message.size, &message});
      continue;
    }
    if (!nodes.empty()) {
      std::memcpy(block + kControlBytes, nodes.data(), nodes.size() * sizeof(SharingNode*));
    }
    const Trailer trailer = {static_cast<uint32_t>(nodes.size()), static_cast<uint32_t>(bytes)};
    std::memcpy(copy - sizeof(trailer), &trailer, sizeof(trailer));
    nodes.clear();
    return std::shared_ptr<const void>(static_cast<const void*>(copy), DropNodes(),
                                       ControlAllocator<char>(block));
  }
}

size_t ObjectBlockBytes(const void* object) { return TrailerOf(object).block_bytes; }

}  // namespace kube::codec::internal
