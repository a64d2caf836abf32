#ifndef CLIENTSET_REST_INTERNAL_REDIRECT_H_
#define CLIENTSET_REST_INTERNAL_REDIRECT_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "net/httpclient/http_message.h"

namespace kube::rest::internal {

// How many redirects of one request are followed.
inline constexpr int kMaxRedirects = 10;

// Returns the URL to which a response redirects the request, or nullopt if it is not a redirect.
// Returns FAILED_PRECONDITION if the redirect must not be followed: because it leads to another
// server, which would receive the credentials, or because the method is not GET or HEAD. The error
// names at most the scheme and host of the other server. Pure.
absl::StatusOr<std::optional<std::string>> RedirectTarget(absl::string_view method,
                                                          absl::string_view url,
                                                          const httpclient::HttpResponse& response);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_REDIRECT_H_
