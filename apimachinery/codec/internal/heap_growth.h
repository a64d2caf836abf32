#ifndef APIMACHINERY_CODEC_INTERNAL_HEAP_GROWTH_H_
#define APIMACHINERY_CODEC_INTERNAL_HEAP_GROWTH_H_

#include <cstddef>

namespace kube::codec::internal {

// Makes malloc's heap grow in larger steps while many objects are made. The heaps that glibc has
// for threads other than the first grow by no more than what is asked for, with a system call every
// page or two, and each page costs a fault: together a sixth of the time that a large list takes.
// What is given back stays a heap's own, so it pays to ask for more now and then.
// Thread-compatible.
class HeapGrowth {
 public:
  // Before a block of about so many bytes is allocated.
  void OnBlock(size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > interval_) [[unlikely]] {
      Grow();
    }
  }

 private:
  // Less than what malloc maps by itself, or returns to the system.
  static constexpr size_t kStep = size_t{96} << 10;
  // With what is allocated besides, such blocks take a step.
  static constexpr size_t kInterval = kStep / 4 * 3;
  static constexpr size_t kLongestInterval = size_t{4} << 20;

  void Grow();

  size_t bytes_ = 0;
  size_t interval_ = kInterval;
  size_t steps_ = 0;
  // Where the last step's memory was. A step that is given the same place again has not made the
  // heap larger: there was enough of it.
  const char* last_ = nullptr;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_HEAP_GROWTH_H_
