#ifndef APIMACHINERY_BASE_TEXT_HTTP_DATE_H_
#define APIMACHINERY_BASE_TEXT_HTTP_DATE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

// Dates of HTTP. The names in them are English in every locale; %a and %b of absl::FormatTime and
// absl::ParseTime are strftime's and strptime's, whose names are those of the process' locale.
// Pure functions: thread-safe.
namespace kube::text {

// "Wed, 21 Oct 2026 07:28:00 GMT", without fractions of the second. (http.TimeFormat)
std::string FormatHttpDate(absl::Time time);

// Reads what FormatHttpDate writes, names in any case. Nothing: `text` is anything else, also one
// of the two obsolete forms. Whether the day of the week is the right one is not looked at.
std::optional<absl::Time> ParseHttpDate(absl::string_view text);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_HTTP_DATE_H_
