#ifndef NET_URL_URL_H_
#define NET_URL_URL_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// URLs as Go's net/url takes them apart and writes them: what client-go refuses is refused, and
// what it makes of the rest is what is sent. Queries' parameters: apimachinery/queryparams.
namespace kube::url {

// The parts of "scheme://user@host/path?query#fragment", or of "scheme:opaque?query#fragment". All
// are escaped, as they stand in the text, but the host. A value. Go: url.URL.
struct Url {
  std::string scheme = {};  // in lower case; empty: the URL is relative
  std::string opaque =
      {};  // what follows the scheme without a slash: "a@b.org" of "mailto:a@b.org"
  std::optional<std::string> user = {};  // "name" or "name:password": a secret
  std::string host = {};                 // "h", "h:1", "[::1]:1", "[fe80::1%eth0]": not escaped
  bool omits_host = false;               // "file:/x", where others write "file:///x"
  std::string path = {};                 // escaped; see UnescapePath in path.h
  bool forces_query = false;             // it ends in "?"
  std::string query = {};                // without its "?"
  std::string fragment = {};             // without its "#"

  // The text, with the user's password. Go: URL.String.
  std::string ToString() const;

  bool has_query() const { return forces_query || !query.empty(); }

  friend bool operator==(const Url&, const Url&) = default;
};

// Any URL; "a/b" and "/a/b" are relative ones, "10.0.0.1:80" is none. INVALID_ARGUMENT says what is
// wrong and quotes nothing: there may be a password in it. Go: url.Parse.
absl::StatusOr<Url> Parse(absl::string_view text);

// What stands in the first line of a request: an absolute URL or a path that begins with "/". A "#"
// is one of the path's or query's characters. INVALID_ARGUMENT as above. Go: url.ParseRequestURI.
absl::StatusOr<Url> ParseRequestUri(absl::string_view text);

// What `reference`, found in the document `base`, means. Go: URL.ResolveReference.
Url Resolve(const Url& base, const Url& reference);

// Of a Url's host, both valid as long as it: "::1" of "[::1]:80"; "80", or nothing without a port.
// Go: URL.Hostname, URL.Port.
absl::string_view HostName(absl::string_view host);
absl::string_view Port(absl::string_view host);

}  // namespace kube::url

#endif  // NET_URL_URL_H_
