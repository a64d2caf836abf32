#ifndef NET_URL_URL_H_
#define NET_URL_URL_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Parses and formats URLs exactly as Go's net/url, so that client-go and this library accept and
// send the same ones. For the parameters of a query see apimachinery/queryparams.
namespace kube::url {

// The parts of "scheme://user@host/path?query#fragment" or "scheme:opaque?query#fragment", all in
// escaped form except `host`. A value. (Go: `url.URL`)
struct Url {
  std::string scheme = {};               // in lower case; empty if the URL is relative
  std::string opaque = {};               // "a@b.org" of "mailto:a@b.org"
  std::optional<std::string> user = {};  // "name" or "name:password"; secret
  std::string host = {};                 // unescaped: "h:1", "[fe80::1%eth0]:1"
  bool omits_host = false;               // "file:/x" instead of "file:///x"
  std::string path = {};                 // escaped; see UnescapePath in path.h
  bool forces_query = false;             // the URL ends in "?"
  std::string query = {};                // without the "?"
  std::string fragment = {};             // without the "#"

  // Returns the text, including the password. (Go: `URL.String`)
  std::string ToString() const;

  bool has_query() const { return forces_query || !query.empty(); }

  friend bool operator==(const Url&, const Url&) = default;
};

// Parses any URL. "a/b" and "/a/b" are relative URLs; "10.0.0.1:80" is not a URL. Returns
// INVALID_ARGUMENT if the text is not a URL; the error quotes nothing, since the text may contain a
// password. Thread-safe, as all functions here. (Go: `url.Parse`)
absl::StatusOr<Url> Parse(absl::string_view text);

// Parses the target of an HTTP request: an absolute URL, or a path that begins with "/". "#" is an
// ordinary character. The errors are those of Parse. (Go: `url.ParseRequestURI`)
absl::StatusOr<Url> ParseRequestUri(absl::string_view text);

// Returns what `reference` means in the document `base`. (Go: `URL.ResolveReference`)
Url Resolve(const Url& base, const Url& reference);

// Return the name and the port of Url::host: "::1" and "80" for "[::1]:80"; the port is "" if
// `host` has no port. The results point into `host`. (Go: `URL.Hostname`, `URL.Port`)
absl::string_view HostName(absl::string_view host);
absl::string_view Port(absl::string_view host);

}  // namespace kube::url

#endif  // NET_URL_URL_H_
