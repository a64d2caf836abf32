#ifndef CLIENTSET_REST_INTERNAL_REDIRECT_H_
#define CLIENTSET_REST_INTERNAL_REDIRECT_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "net/httpclient/http_message.h"

namespace kube::rest::internal {

// As many of a request are followed.
inline constexpr int kMaxRedirects = 10;

// Where a response sends the request on. Nothing: nowhere, it is a response as others are.
// FAILED_PRECONDITION where that must not be followed: to another server, which would get the
// credentials, or of a request that changes something. The error names the other server at most.
// Pure.
absl::StatusOr<std::optional<std::string>> RedirectTarget(absl::string_view method,
                                                          absl::string_view url,
                                                          const httpclient::HttpResponse& response);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_REDIRECT_H_
