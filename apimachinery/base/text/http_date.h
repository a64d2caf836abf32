#ifndef APIMACHINERY_BASE_TEXT_HTTP_DATE_H_
#define APIMACHINERY_BASE_TEXT_HTTP_DATE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

// HTTP dates. The names in them are English in every locale, unlike those that absl::FormatTime and
// absl::ParseTime write and read for %a and %b, which depend on the process' locale. Pure
// functions: thread-safe.
namespace kube::text {

// Returns a text such as "Wed, 21 Oct 2026 07:28:00 GMT"; drops fractions of the second. Go:
// `http.TimeFormat`.
std::string FormatHttpDate(absl::Time time);

// Parses what FormatHttpDate writes, with names in any case. Returns nullopt for everything else,
// including the two obsolete formats. Does not check that the day of the week fits the date.
std::optional<absl::Time> ParseHttpDate(absl::string_view text);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_HTTP_DATE_H_
