#ifndef TESTS_DICE_H_
#define TESTS_DICE_H_

#include <cstddef>
#include <cstdint>

namespace kube::oracle {

// Random numbers for tests, the same for the same seed on every machine (splitmix64). Also usable
// as the generator of standard algorithms such as std::shuffle. Thread-compatible.
class Dice {
 public:
  using result_type = uint64_t;

  explicit Dice(uint64_t seed) : state_(seed) {}

  // Returns the next random number of 64 bits.
  uint64_t Next() {
    state_ += 0x9e37'79b9'7f4a'7c15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
    return z ^ (z >> 31);
  }
  uint64_t operator()() { return Next(); }
  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() { return UINT64_MAX; }

  // Returns a random number less than `n`, or zero if `n` is zero.
  size_t Below(size_t n) { return n == 0 ? 0 : Next() % n; }

 private:
  uint64_t state_;
};

}  // namespace kube::oracle

#endif  // TESTS_DICE_H_
