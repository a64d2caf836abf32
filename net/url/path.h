#ifndef NET_URL_PATH_H_
#define NET_URL_PATH_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Escapes and cleans paths of URLs. The functions are thread-safe.
namespace kube::url {

// Escapes a path for a URL: all characters but letters, digits and "-_.~$&+,/:;=@" become "%XX";
// the path "*" stays. Slashes are kept: this is not sufficient for a single element that may
// contain one. (Go: `URL.EscapedPath` of a URL whose Path is set)
std::string EscapePath(absl::string_view path);

// Reverses escapes: "%2F" becomes "/". Returns INVALID_ARGUMENT for a "%" without two hexadecimal
// digits; the error does not quote the path. (Go: `url.PathUnescape`)
absl::StatusOr<std::string> UnescapePath(absl::string_view escaped);

// Returns the shortest equivalent path. It begins with "/", has no empty elements, "." or "..", and
// does not end in "/" unless it is "/". (Go: `path.Clean` of "/" and the path)
std::string CleanPath(absl::string_view path);

}  // namespace kube::url

#endif  // NET_URL_PATH_H_
