#ifndef NET_URL_INTERNAL_ESCAPE_H_
#define NET_URL_INTERNAL_ESCAPE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Percent-encoding, by the part of a URL. The functions are thread-safe.
namespace kube::url::internal {

// Each part has its own set of bytes that need not be escaped. A zone is what follows the percent
// sign in "[fe80::1%25eth0]". kUser is a name or a password.
enum class Part : uint8_t { kPath, kHost, kZone, kUser, kFragment };

// (Go: `escape`)
std::string Escape(absl::string_view text, Part part);

// Reverses escapes. Returns INVALID_ARGUMENT for a "%" without two hexadecimal digits, and for
// bytes that a host must not have. The errors quote nothing. (Go: `unescape`)
absl::StatusOr<std::string> Unescape(absl::string_view text, Part part);

// Checks the escapes of a path or fragment. Returns it unchanged if it is a valid encoding,
// otherwise in canonical escaping. (Go: `URL.setPath`, then `URL.EscapedPath`)
absl::StatusOr<std::string> Normalize(absl::string_view escaped, Part part);

}  // namespace kube::url::internal

#endif  // NET_URL_INTERNAL_ESCAPE_H_
