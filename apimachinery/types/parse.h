#ifndef APIMACHINERY_TYPES_PARSE_H_
#define APIMACHINERY_TYPES_PARSE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/duration.h"
#include "apimachinery/types/micro_time.h"
#include "apimachinery/types/quantity.h"
#include "apimachinery/types/time.h"

namespace kube {

// Values from texts that a user or a file provides: exactly those texts that client-go accepts.
// Here, and not members of the values, for the sake of what includes every API type: Status is
// a large header. Every error is INVALID_ARGUMENT and quotes the text. Thread-safe.

// "500m", "1Gi", "12e6"; no white space, and not "". (resource.ParseQuantity)
absl::StatusOr<Quantity> ParseQuantity(absl::string_view text);

// RFC 3339: "2006-01-02T15:04:05Z"; a fraction of a second is dropped. (time.Parse)
absl::StatusOr<Time> ParseTime(absl::string_view text);

// RFC 3339 with six digits of a second: "2006-01-02T15:04:05.000000Z". (metav1.RFC3339Micro)
absl::StatusOr<MicroTime> ParseMicroTime(absl::string_view text);

// "300ms", "-1.5h", "2h45m", "0". (time.ParseDuration)
absl::StatusOr<Duration> ParseDuration(absl::string_view text);

}  // namespace kube

#endif  // APIMACHINERY_TYPES_PARSE_H_
