#ifndef NET_URL_PATH_H_
#define NET_URL_PATH_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Paths of URLs. Pure functions: thread-safe.
namespace kube::url {

// As it stands in a URL: all but letters, digits and "-_.~$&+,/:;=@" becomes "%XX"; a path that is
// "*" stays. Of a single element that may have a slash, EscapePath is not enough: it keeps slashes.
// Go: URL.EscapedPath of a URL whose Path is set.
std::string EscapePath(absl::string_view path);

// "%2F" becomes "/". INVALID_ARGUMENT for a "%" without two digits; the error does not quote the
// path. Go: url.PathUnescape.
absl::StatusOr<std::string> UnescapePath(absl::string_view escaped);

// The shortest path that means the same: it begins with "/", has no empty elements, "." and "..",
// and no "/" at its end, unless it is "/". Go: path.Clean of "/" and the path.
std::string CleanPath(absl::string_view path);

}  // namespace kube::url

#endif  // NET_URL_PATH_H_
