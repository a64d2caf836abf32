#ifndef APIMACHINERY_CODEC_INTERNAL_HEAP_GROWTH_H_
#define APIMACHINERY_CODEC_INTERNAL_HEAP_GROWTH_H_

#include <cstddef>

namespace kube::codec::internal {

// Makes malloc's heap grow in larger steps while many objects are created. glibc's heaps for
// threads other than the first grow only by what is requested, with a system call for every page or
// two, and each new page costs a page fault: together a sixth of the time of decoding a large list.
// Memory that is freed stays in such a heap, so from time to time a larger block is allocated and
// freed at once.
//
// OnBlock counts the bytes that objects take. Once per interval, Grow allocates and frees a step.
// If malloc returns the address of the previous step, the heap had enough free memory, and the
// interval is doubled; otherwise it is reset. Thread-compatible.
class HeapGrowth {
 public:
  // Call this before a block of about `bytes` bytes is allocated.
  void OnBlock(size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > interval_) [[unlikely]] {
      Grow();
    }
  }

 private:
  // Below the sizes that malloc maps separately or returns to the system.
  static constexpr size_t kStep = size_t{96} << 10;
  // Objects of this size take a whole step, together with what is allocated beside them.
  static constexpr size_t kInterval = kStep / 4 * 3;
  static constexpr size_t kLongestInterval = size_t{4} << 20;

  void Grow();

  size_t bytes_ = 0;
  size_t interval_ = kInterval;
  size_t steps_ = 0;
  // The address of the last step. If a step gets the same address again, the heap did not grow.
  const char* last_ = nullptr;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_HEAP_GROWTH_H_
