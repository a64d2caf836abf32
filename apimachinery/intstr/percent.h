#ifndef APIMACHINERY_INTSTR_PERCENT_H_
#define APIMACHINERY_INTSTR_PERCENT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "apimachinery/types/int_or_string.h"

// What an IntOrString means as an amount or a percentage of a total. (pkg/util/intstr; the type
// itself, with FromInt32, FromString, Parse, IntValue and String, is kube::IntOrString)
//
//   // Pods that may be missing while a deployment is rolled out.
//   KUBE_ASSIGN_OR_RETURN(int64_t unavailable,
//                         intstr::GetScaledValueFromIntOrPercent(
//                             rolling_update.max_unavailable.value_or("25%"), replicas,
//                             intstr::Rounding::kDown));
//
// Pure functions: thread-safe. INVALID_ARGUMENT, with Go's words, for texts that are neither; what
// is beyond 64 bits becomes the nearest there is.
namespace kube::intstr {

enum class Rounding { kUp, kDown };

// A number as it is; of "25%", a quarter of `total`. Other texts, "25" too, are errors.
absl::StatusOr<int64_t> GetScaledValueFromIntOrPercent(const IntOrString& value, int64_t total,
                                                       Rounding rounding);

// The same of old, for programs that must agree with others that use it: every text is a
// percentage, and its percent signs do not count. Upstream has it deprecated.
absl::StatusOr<int64_t> GetValueFromIntOrPercent(const IntOrString& value, int64_t total,
                                                 Rounding rounding);

}  // namespace kube::intstr

#endif  // APIMACHINERY_INTSTR_PERCENT_H_
