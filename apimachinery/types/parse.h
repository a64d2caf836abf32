#ifndef APIMACHINERY_TYPES_PARSE_H_
#define APIMACHINERY_TYPES_PARSE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/duration.h"
#include "apimachinery/types/micro_time.h"
#include "apimachinery/types/quantity.h"
#include "apimachinery/types/time.h"

namespace kube {

// Parse values from texts that users or files provide. They accept exactly the texts that Go
// accepts, and return INVALID_ARGUMENT, with the text in the message, for all others. These are not
// members of the value types, so that the headers of all API types do not include absl/status.
// Thread-safe.

// Parses "500m", "1Gi" or "12e6". White space and "" are errors. apimachinery:
// `resource.ParseQuantity`.
absl::StatusOr<Quantity> ParseQuantity(absl::string_view text);

// Parses RFC 3339, "2006-01-02T15:04:05Z", and drops the fraction of the second. Go: `time.Parse`.
absl::StatusOr<Time> ParseTime(absl::string_view text);

// Parses RFC 3339 with six digits for the fraction, "2006-01-02T15:04:05.000000Z". apimachinery:
// `metav1.RFC3339Micro`.
absl::StatusOr<MicroTime> ParseMicroTime(absl::string_view text);

// Parses "300ms", "-1.5h", "2h45m" or "0". Go: `time.ParseDuration`.
absl::StatusOr<Duration> ParseDuration(absl::string_view text);

}  // namespace kube

#endif  // APIMACHINERY_TYPES_PARSE_H_
