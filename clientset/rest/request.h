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

// What may be done when a try fails. (client-go has a method for each: Do, Stream, Watch)
enum class RetryRule {
  kDefault,  // what the server asks for by Retry-After; a GET also if the connection was lost
  kStream,   // by Retry-After alone
  kWatch,    // as kDefault, and after a timeout; on connections of watches: see HttpRequest
};

// What to ask the server: about a resource, or any path. (rest.Request, without its methods)
//
//   Request{.verb = "GET",
//           .resource = {"apps", "v1", "deployments"},
//           .namespace_name = "prod",
//           .name = "web",
//           .subresource = {"scale"}}
//
// A value, and pure: nothing here waits or sends; Client does.
struct Request {
  // HTTP's method.
  std::string verb = "GET";

  // What stands in the path: /apis/apps/v1/namespaces/prod/deployments/web/scale
  schema::GroupVersionResource resource = {};
  // Nothing: the resource is in no namespace, or all namespaces are meant. Empty is an error where
  // upstream has it as one: a variable that somebody forgot to fill.
  std::optional<std::string> namespace_name = {};
  // Nothing: all of them. Empty is an error.
  std::optional<std::string> name = {};
  // One element for each part of the path: {"status"}, {"proxy", "healthz"}.
  std::vector<std::string> subresource = {};
  // Instead of all these: "/healthz", "/api/v1/…?limit=1". (AbsPath, RequestURI) Escaped; a query
  // goes before `params`.
  std::string absolute_path = {};

  queryparams::Values params = {};
  // Besides those that Client sets: Accept, User-Agent, Authorization, Impersonate-…. What is here
  // goes before them.
  http::Headers headers = {};

  // Null: none. Kept in one piece, so that every request can be sent again.
  std::shared_ptr<const std::string> body = {};
  // Of the body: "application/json". What is expected back: see Client. Empty: the client's.
  std::string content_type = {};
  std::string accept = {};

  // For all tries together. Zero: the client's. The server is told as well (?timeout=).
  absl::Duration timeout = absl::ZeroDuration();
  RetryRule retry = RetryRule::kDefault;
  // Tries after the first; negative: none.
  int max_retries = 10;
};

// The URL: base (scheme, host, and a path that stands before all), path and query, escaped.
// INVALID_ARGUMENT, with upstream's texts, for names that no path may have, and for what is
// missing: nothing is sent then.
absl::StatusOr<std::string> UrlOf(absl::string_view base, const Request& request);

// "get pods \"web-0\" in \"prod\"": who reads an error wants to know what was asked. "get
// /healthz".
std::string Describe(const Request& request);

// Where the server is: scheme, host, port and base path, without a "/" at its end.
// INVALID_ARGUMENT for what is no URL, or one with a query or a user. (DefaultServerURL)
absl::StatusOr<std::string> ServerUrl(absl::string_view host, bool default_tls);

}  // namespace kube::rest

#endif  // CLIENTSET_REST_REQUEST_H_
