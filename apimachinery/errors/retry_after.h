#ifndef APIMACHINERY_ERRORS_RETRY_AFTER_H_
#define APIMACHINERY_ERRORS_RETRY_AFTER_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::errors {

// Parses the header Retry-After into whole seconds. It is a number of seconds ("120", and "-1" as
// in Go) or an HTTP date ("Wed, 21 Oct 2026 07:28:00 GMT"), which means the time from `now` until
// the date, rounded up, and zero if it has passed. Returns nullopt if the header is empty or
// malformed. Unlike this function, client-go does not support dates. Thread-safe.
std::optional<absl::Duration> ParseRetryAfter(absl::string_view header, absl::Time now);

}  // namespace kube::errors

#endif  // APIMACHINERY_ERRORS_RETRY_AFTER_H_
