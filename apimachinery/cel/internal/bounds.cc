#include "apimachinery/cel/internal/bounds.h"

#include <algorithm>
#include <cmath>

namespace kube::cel::internal {
namespace {

constexpr double kTwoTo64 = 18'446'744'073'709'551'616.0;

uint64_t Add(uint64_t a, uint64_t b) { return a > kUnlimited - b ? kUnlimited : a + b; }

uint64_t Multiply(uint64_t a, uint64_t b) {
  return b != 0 && a > kUnlimited / b ? kUnlimited : a * b;
}

uint64_t Up(double number) {
  const double up = std::ceil(number);
  return up >= kTwoTo64 ? kUnlimited : static_cast<uint64_t>(up);
}

uint64_t Scale(uint64_t number, double factor) { return Up(static_cast<double>(number) * factor); }

}  // namespace

Bounds operator+(const Bounds& a, const Bounds& b) {
  return {.min = Add(a.min, b.min), .max = Add(a.max, b.max)};
}

Bounds operator*(const Bounds& a, const Bounds& b) {
  return {.min = Multiply(a.min, b.min), .max = Multiply(a.max, b.max)};
}

Bounds Scaled(const Bounds& bounds, double factor) {
  return {.min = Scale(bounds.min, factor), .max = Scale(bounds.max, factor)};
}

Bounds Union(const Bounds& a, const Bounds& b) {
  return {.min = std::min(a.min, b.min), .max = std::max(a.max, b.max)};
}

uint64_t DivideUp(uint64_t number, uint64_t divisor) {
  return Up(static_cast<double>(number) / static_cast<double>(divisor));
}

}  // namespace kube::cel::internal
