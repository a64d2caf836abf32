#ifndef APIMACHINERY_CEL_INTERNAL_LIBRARY_URL_H_
#define APIMACHINERY_CEL_INTERNAL_LIBRARY_URL_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// URLs as Go's package net/url has them. Unlike net/url of this library, the errors quote what is
// wrong, as expressions show it. Pure functions: thread-safe.
namespace kube::cel::internal {

// (Go: `url.URL`)
struct Url {
  std::string scheme = {};
  std::string opaque = {};
  std::optional<std::string> user = {};  // escaped
  std::string host = {};                 // unescaped, with its port
  bool omits_host = false;
  std::string path = {};  // escaped
  bool forces_query = false;
  std::string query = {};
  std::string fragment = {};  // escaped

  // Return parts of the host: without brackets, and without a colon.
  absl::string_view HostName() const;
  absl::string_view Port() const;
  std::string ToString() const;
};

// Return INVALID_ARGUMENT with Go's words for a text that is not a URL: `parse "a b": ...`. A URI
// is absolute, or a path that begins with "/"; "#" is an ordinary character in it. (Go:
// `url.Parse`, `url.ParseRequestURI`)
absl::StatusOr<Url> ParseUrl(absl::string_view text);
absl::StatusOr<Url> ParseRequestUri(absl::string_view text);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_LIBRARY_URL_H_
