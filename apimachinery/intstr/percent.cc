#include "apimachinery/intstr/percent.h"

#include <cmath>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/text/go_int.h"
#include "apimachinery/base/text/go_text.h"

namespace kube::intstr {
namespace {

absl::Status Invalid(absl::string_view cause) {
  return absl::InvalidArgumentError(absl::StrCat("invalid value for IntOrString: ", cause));
}

int64_t Clamp(double value) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (value >= kLimit) return std::numeric_limits<int64_t>::max();
  if (value < -kLimit) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

// `digits` is `text` without percent signs.
absl::StatusOr<int64_t> Scale(absl::string_view text, absl::string_view digits, int64_t total,
                              Rounding rounding) {
  const kube::text::GoInt<int64_t> percent = kube::text::ParseGoInt(digits);
  if (!percent.ok()) {
    std::string quoted;
    text::AppendQuoted(quoted, text);
    return Invalid(absl::StrCat("invalid value ", quoted, ": ",
                                kube::text::GoIntErrorText("Atoi", digits, percent.error)));
  }
  // Computes in floating point, as Go does, so that rounding gives the same numbers.
  const double scaled = static_cast<double>(percent.value) * static_cast<double>(total) / 100;
  return Clamp(rounding == Rounding::kUp ? std::ceil(scaled) : std::floor(scaled));
}

}  // namespace

absl::StatusOr<int64_t> GetScaledValueFromIntOrPercent(const IntOrString& value, int64_t total,
                                                       Rounding rounding) {
  if (value.is_int()) return value.IntValue();
  absl::string_view digits = value.text();
  if (!absl::ConsumeSuffix(&digits, "%")) {
    return Invalid("invalid type: string is not a percentage");
  }
  return Scale(value.text(), digits, total, rounding);
}

absl::StatusOr<int64_t> GetValueFromIntOrPercent(const IntOrString& value, int64_t total,
                                                 Rounding rounding) {
  if (value.is_int()) return value.IntValue();
  return Scale(value.text(), absl::StrReplaceAll(value.text(), {{"%", ""}}), total, rounding);
}

}  // namespace kube::intstr
