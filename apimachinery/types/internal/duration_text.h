#ifndef APIMACHINERY_TYPES_INTERNAL_DURATION_TEXT_H_
#define APIMACHINERY_TYPES_INTERNAL_DURATION_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::internal {

// time.ParseDuration(text), in nanoseconds: "300ms", "-1.5h", "2h45m". Nothing: not such a text, or
// too long for 64 bits. Fractions go through a double, as Go's do. Thread-safe.
std::optional<int64_t> ParseGoDuration(absl::string_view text);

// (time.Duration).String(): "1h0m0.5s". Thread-safe.
std::string FormatGoDuration(int64_t nanoseconds);

}  // namespace kube::internal

#endif  // APIMACHINERY_TYPES_INTERNAL_DURATION_TEXT_H_
