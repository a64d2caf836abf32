#ifndef CONTROLLER_WORKQUEUE_INTERNAL_BLOCK_POOL_H_
#define CONTROLLER_WORKQUEUE_INTERNAL_BLOCK_POOL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace kube::workqueue::internal {

// Where a piece of memory is; zero: nowhere.
using Ref = uint32_t;
inline constexpr Ref kNowhere = 0;

// Small pieces of memory of many lengths, named by four bytes and without a header each. A piece
// stays where it is. When the last one is freed the pool gives back what it took, if it is much.
//
// Thread-compatible.
class BlockPool {
 public:
  // Aligned to 8 bytes, with anything in it.
  Ref Allocate(size_t bytes) {
    const size_t units = UnitsOf(bytes);
    ++live_;
    if (units >= kSharedUnits || free_[units] == kNowhere) return AllocateAnew(units);
    const Ref ref = free_[units];
    std::memcpy(&free_[units], At(ref), sizeof(Ref));
    return ref;
  }

  // `bytes` as it was allocated.
  void Free(Ref ref, size_t bytes) {
    const size_t units = UnitsOf(bytes);
    if (units >= kSharedUnits) {
      FreeChunk(ref);
    } else {
      AddFree(ref, units);
    }
    if (--live_ == 0) Trim();
  }

  void* At(Ref ref) { return &chunks_[ref / kChunkUnits][ref % kChunkUnits]; }
  const void* At(Ref ref) const { return &chunks_[ref / kChunkUnits][ref % kChunkUnits]; }

  // What it takes from the system, roughly.
  size_t MemoryUsage() const;

 private:
  struct alignas(8) Unit {
    unsigned char bytes[8];
  };
  static constexpr uint32_t kChunkUnits = 2048;
  // Pieces of fewer units come out of chunks that they share, longer ones have one to themselves.
  static constexpr uint32_t kSharedUnits = 64;

  static size_t UnitsOf(size_t bytes) { return (bytes + sizeof(Unit) - 1) / sizeof(Unit); }
  Ref AllocateAnew(size_t units);
  Ref AddChunk(size_t units);
  void FreeChunk(Ref ref);
  void AddFree(Ref ref, size_t units) {
    std::memcpy(At(ref), &free_[units], sizeof(Ref));
    free_[units] = ref;
  }
  void Trim();

  std::vector<std::unique_ptr<Unit[]>> chunks_;
  std::vector<uint32_t> unused_chunks_;      // numbers of chunks that were given back
  std::array<Ref, kSharedUnits> free_ = {};  // lists of free pieces by length, linked inside
  Ref next_ = kNowhere;                      // what of the last shared chunk was never used
  uint32_t left_ = 0;                        // units of that
  size_t live_ = 0;
};

}  // namespace kube::workqueue::internal

#endif  // CONTROLLER_WORKQUEUE_INTERNAL_BLOCK_POOL_H_
