#ifndef CLIENTSET_REST_REQUEST_H_
#define CLIENTSET_REST_REQUEST_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/schema/group_version.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"

namespace kube::rest {

// How a request is sent and when it is retried. Under every rule it is retried when the server asks
// for that with Retry-After, and when the connection was lost before the request was sent.
// (client-go has a method for each: `Do`, `Stream`, `Watch`)
enum class RetryRule {
  kDefault,  // also a GET whose connection was lost later
  kStream,   // for no other reason
  kWatch,    // as kDefault, and after a timeout; sent with HttpRequest::long_running
};

// A request about a resource, or about any path. (client-go: `rest.Request`, without its methods)
//
//   const Request request = {.verb = "GET",
//                            .resource = {"apps", "v1", "deployments"},
//                            .namespace_name = "prod",
//                            .name = "web",
//                            .subresource = {"scale"}};
//
// A plain value; Client sends it. Thread-compatible.
struct Request {
  // The HTTP method.
  std::string verb = "GET";

  // The parts of the path /apis/apps/v1/namespaces/prod/deployments/web/scale.
  schema::GroupVersionResource resource = {};
  // Leave it unset for a cluster-scoped resource or for all namespaces. An empty string means all
  // namespaces, too, but is refused where client-go refuses it (when an object is created, or got,
  // updated or deleted by name), because it is probably a variable that was not filled.
  std::optional<std::string> namespace_name = {};
  // Leave it unset to address all objects. An empty string is an error.
  std::optional<std::string> name = {};
  // One element for each path segment: {"status"}, {"proxy", "healthz"}.
  std::vector<std::string> subresource = {};
  // Used instead of all of the above: "/healthz", "/api/v1/…?limit=1". It must be escaped. Its
  // query comes before `params`. (client-go: `AbsPath`, `RequestURI`)
  std::string absolute_path = {};

  queryparams::Values params = {};
  // Headers in addition to those that Client sets (Accept, User-Agent, Authorization,
  // Impersonate-…). A header that is set here takes precedence.
  http::Headers headers = {};

  // Null if there is no body. It is kept whole so that the request can be repeated.
  std::shared_ptr<const std::string> body = {};
  // The type of the body, such as "application/json", and the types that are accepted for the
  // response. If empty, the client's.
  std::string content_type = {};
  std::string accept = {};

  // The time limit for all tries together. It is also sent to the server (?timeout=). If zero, the
  // client's (Config::timeout).
  absl::Duration timeout = absl::ZeroDuration();
  RetryRule retry = RetryRule::kDefault;
  // How often the request may be repeated. Zero or a negative number: never.
  int max_retries = 10;
};

// Returns the escaped URL of a request. `base` has the scheme, the host, and a path that is put
// before all others. Returns INVALID_ARGUMENT, with client-go's text, if a name is missing or is
// not a valid path segment. Pure.
absl::StatusOr<std::string> UrlOf(absl::string_view base, const Request& request);

// Returns a description of the request for error messages, such as `get pods "web-0" in "prod"` or
// `get /healthz`. Pure.
std::string Describe(const Request& request);

// Returns the URL of a server (scheme, host, port and base path) without a "/" at its end.
// `default_tls` decides the scheme if `host` has none. Returns INVALID_ARGUMENT if `host` is not a
// URL or a host:port pair, or has a query or a user. Pure. (client-go: `rest.DefaultServerURL`)
absl::StatusOr<std::string> ServerUrl(absl::string_view host, bool default_tls);

}  // namespace kube::rest

#endif  // CLIENTSET_REST_REQUEST_H_
