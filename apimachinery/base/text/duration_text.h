#ifndef APIMACHINERY_BASE_TEXT_DURATION_TEXT_H_
#define APIMACHINERY_BASE_TEXT_DURATION_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::text {

// Returns the nanoseconds of texts such as "300ms", "-1.5h" and "2h45m". Returns nullopt if `text`
// is malformed or does not fit into 64 bits. Fractions are computed in double, as in Go.
// Thread-safe. Go: `time.ParseDuration`.
std::optional<int64_t> ParseGoDuration(absl::string_view text);

// Returns a text such as "1h0m0.5s". Thread-safe. Go: `time.Duration.String`.
std::string FormatGoDuration(int64_t nanoseconds);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_DURATION_TEXT_H_
