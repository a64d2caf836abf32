#ifndef APIMACHINERY_BASE_TEXT_DURATION_TEXT_H_
#define APIMACHINERY_BASE_TEXT_DURATION_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::text {

// time.ParseDuration(text), in nanoseconds: "300ms", "-1.5h", "2h45m". Nothing: not such a text, or
// too long for 64 bits. Fractions go through a double, as Go's do. Thread-safe.
std::optional<int64_t> ParseGoDuration(absl::string_view text);

// (time.Duration).String(): "1h0m0.5s". Thread-safe.
std::string FormatGoDuration(int64_t nanoseconds);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_DURATION_TEXT_H_
