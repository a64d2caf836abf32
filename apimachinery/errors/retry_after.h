#ifndef APIMACHINERY_ERRORS_RETRY_AFTER_H_
#define APIMACHINERY_ERRORS_RETRY_AFTER_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::errors {

// What the header Retry-After asks for: whole seconds. Nothing: it is empty or neither of its two
// forms, a number of seconds ("120"; "-1" is one too, as for Go) or a date of HTTP ("Wed, 21 Oct
// 2026 07:28:00 GMT"). A date means the time until then by `now`, rounded up, and zero once it has
// passed; client-go does not know dates. Thread-safe.
std::optional<absl::Duration> ParseRetryAfter(absl::string_view header, absl::Time now);

}  // namespace kube::errors

#endif  // APIMACHINERY_ERRORS_RETRY_AFTER_H_
