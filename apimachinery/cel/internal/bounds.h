#ifndef APIMACHINERY_CEL_INTERNAL_BOUNDS_H_
#define APIMACHINERY_CEL_INTERNAL_BOUNDS_H_

#include <cstdint>
#include <limits>

// What is known of a size, or of a cost, before an expression is evaluated. Pure functions:
// thread-safe.
namespace kube::cel::internal {

// All that is known of something that may be as large as it likes.
inline constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

// The least and the most. Results that are too large become kUnlimited. (cel-go:
// `checker.SizeEstimate`, `checker.CostEstimate`)
struct Bounds {
  uint64_t min = 0;
  uint64_t max = 0;

  friend bool operator==(const Bounds&, const Bounds&) = default;
};

constexpr Bounds Exactly(uint64_t number) { return {.min = number, .max = number}; }
constexpr Bounds Anything() { return {.min = 0, .max = kUnlimited}; }

// Do the same for the least and for the most.
Bounds operator+(const Bounds& a, const Bounds& b);
Bounds operator*(const Bounds& a, const Bounds& b);
// Multiplies, and rounds up. (cel-go: `MultiplyByCostFactor`)
Bounds Scaled(const Bounds& bounds, double factor);

// Returns the smallest bounds that contain both.
Bounds Union(const Bounds& a, const Bounds& b);

// Returns the quotient, rounded up. `divisor` is not zero.
uint64_t DivideUp(uint64_t number, uint64_t divisor);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_BOUNDS_H_
