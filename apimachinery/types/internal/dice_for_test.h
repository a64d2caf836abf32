#ifndef APIMACHINERY_TYPES_INTERNAL_DICE_FOR_TEST_H_
#define APIMACHINERY_TYPES_INTERNAL_DICE_FOR_TEST_H_

// Random numbers for tests of random operations: the same for the same seed, everywhere.

#include <cstddef>
#include <cstdint>

namespace kube::internal {

// Thread-compatible.
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}

  // 0 to n - 1.
  size_t Below(size_t n) {
    // SplitMix64.
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % n;
  }

 private:
  uint64_t state_;
};

}  // namespace kube::internal

#endif  // APIMACHINERY_TYPES_INTERNAL_DICE_FOR_TEST_H_
