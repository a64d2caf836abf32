#ifndef NET_URL_INTERNAL_AUTHORITY_H_
#define NET_URL_INTERNAL_AUTHORITY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// What stands between "//" and the path of a URL. Pure functions: thread-safe.
namespace kube::url::internal {

// "h:80" or "[fe80::1%25en0]:80", unescaped. The scheme is in lower case. (parseHost)
absl::StatusOr<std::string> ParseHost(absl::string_view scheme, absl::string_view host);

// "name" or "name:password", with the usual escapes. (parseAuthority)
absl::StatusOr<std::string> ParseUser(absl::string_view user);

// Whether it is nothing, or a colon and digits. (validOptionalPort)
bool IsPortOrNothing(absl::string_view text);

}  // namespace kube::url::internal

#endif  // NET_URL_INTERNAL_AUTHORITY_H_
