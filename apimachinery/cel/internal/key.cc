#include "apimachinery/cel/internal/key.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"

namespace kube::cel::internal {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;

// Integers have the same text as the doubles that equal them.
std::optional<std::string> DoubleText(double value) {
  if (std::isnan(value)) return std::nullopt;
  if (std::trunc(value) == value && value >= -kTwoTo63 && value < kTwoTo64) {
    return value < 0 ? absl::StrCat("n", static_cast<int64_t>(value))
                     : absl::StrCat("n", static_cast<uint64_t>(value));
  }
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return absl::StrCat("d", bits);
}

}  // namespace

std::optional<std::string> KeyText(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kNull:
      return "0";
    case ValueKind::kBool:
      return value.boolean() ? "t" : "f";
    case ValueKind::kInt:
      return absl::StrCat("n", value.integer());
    case ValueKind::kUint:
      return absl::StrCat("n", value.unsigned_integer());
    case ValueKind::kDouble:
      return DoubleText(value.number());
    case ValueKind::kString:
      return absl::StrCat("s", value.text());
    case ValueKind::kDuration:
      return absl::StrCat("u", value.duration());
    case ValueKind::kTimestamp:
      return absl::StrCat("i", value.timestamp().seconds, ".", value.timestamp().nanoseconds);
    default:
      return std::nullopt;
  }
}

}  // namespace kube::cel::internal
