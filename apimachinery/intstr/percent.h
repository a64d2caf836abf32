#ifndef APIMACHINERY_INTSTR_PERCENT_H_
#define APIMACHINERY_INTSTR_PERCENT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "apimachinery/types/int_or_string.h"

// Evaluates an IntOrString as an amount or as a percentage of a total.
// (client-go: `pkg/util/intstr`; the type itself, with `FromInt32`, `FromString`, `Parse`,
// `IntValue` and `String`, is kube::IntOrString)
//
//   const IntOrString limit = rolling_update.max_unavailable.value_or("25%");
//   return intstr::GetScaledValueFromIntOrPercent(limit, replicas, intstr::Rounding::kDown);
//
// Returns INVALID_ARGUMENT, in Go's words, for a text that is not a percentage. A result that
// exceeds 64 bits is clamped. The functions are thread-safe.
namespace kube::intstr {

enum class Rounding { kUp, kDown };

// Returns a number as it is, and for "25%" a quarter of `total`. Returns INVALID_ARGUMENT for any
// other text, including "25". (client-go: `intstr.GetScaledValueFromIntOrPercent`)
absl::StatusOr<int64_t> GetScaledValueFromIntOrPercent(const IntOrString& value, int64_t total,
                                                       Rounding rounding);

// Deprecated upstream; for programs that must agree with others that use it. Every text is a
// percentage here, and percent signs are ignored. (client-go: `intstr.GetValueFromIntOrPercent`)
absl::StatusOr<int64_t> GetValueFromIntOrPercent(const IntOrString& value, int64_t total,
                                                 Rounding rounding);

}  // namespace kube::intstr

#endif  // APIMACHINERY_INTSTR_PERCENT_H_
