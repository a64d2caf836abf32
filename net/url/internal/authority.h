#ifndef NET_URL_INTERNAL_AUTHORITY_H_
#define NET_URL_INTERNAL_AUTHORITY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Parses what stands between "//" and the path of a URL. The functions are thread-safe.
namespace kube::url::internal {

// Parses "h:80" or "[fe80::1%25en0]:80" and returns it unescaped. `scheme` is in lower case.
// (Go: `parseHost`)
absl::StatusOr<std::string> ParseHost(absl::string_view scheme, absl::string_view host);

// Parses "name" or "name:password" and returns it in canonical escaping. (Go: `parseAuthority`)
absl::StatusOr<std::string> ParseUser(absl::string_view user);

// Returns whether `text` is empty, or a colon and digits. (Go: `validOptionalPort`)
bool IsPortOrNothing(absl::string_view text);

}  // namespace kube::url::internal

#endif  // NET_URL_INTERNAL_AUTHORITY_H_
