#ifndef NET_URL_INTERNAL_ESCAPE_H_
#define NET_URL_INTERNAL_ESCAPE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// "%2F": which bytes of which part of a URL. Pure functions: thread-safe.
namespace kube::url::internal {

// Each has bytes of its own that need not be escaped. A zone is what follows the percent sign in
// "[fe80::1%25eth0]". kUser is a name or a password.
enum class Part : uint8_t { kPath, kHost, kZone, kUser, kFragment };

// (escape)
std::string Escape(absl::string_view text, Part part);

// INVALID_ARGUMENT for a "%" without two digits, and for what a host must not have. The errors
// quote nothing. (unescape)
absl::StatusOr<std::string> Unescape(absl::string_view text, Part part);

// Checks a path's or fragment's escapes, and returns it as it is if it could have been written so,
// else with the usual escapes. (URL.setPath, then URL.EscapedPath)
absl::StatusOr<std::string> Normalize(absl::string_view escaped, Part part);

}  // namespace kube::url::internal

#endif  // NET_URL_INTERNAL_ESCAPE_H_
