#ifndef APISERVER_AUTH_IMPERSONATE_H_
#define APISERVER_AUTH_IMPERSONATE_H_

#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"
#include "net/http/headers.h"

// Impersonation, which the headers Impersonate-User, -Uid, -Group and -Extra-* ask for
// (kube-apiserver: `pkg/endpoints/filters/impersonation`). Pure and thread-safe.
namespace kube::apiserver::internal {

// Returns the user in the headers of impersonation, or nullopt without such headers. Returns 400 if
// the headers do not name the user.
absl::StatusOr<std::optional<User>> WantedUser(const http::Headers& headers);

// Returns OK if the requestor may make the request, else a 403.
using Authorizer = absl::FunctionRef<absl::Status(const RequestInfo& info)>;

// Returns the user for which the request of `requestor` is served: `wanted`, with the groups that
// such a user has.
//
// As in a real server one of several permissions is enough: to send this request on behalf of
// nodes, of service accounts or of other users (the verbs "impersonate-on:user-info:list" and
// "impersonate:user-info", for example), or the verb "impersonate" on each name, group, UID and
// extra value. Otherwise returns the 403 of the first permission that was tried.
absl::StatusOr<User> Impersonated(const User& requestor, const User& wanted,
                                  const RequestInfo& request, Authorizer authorize);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_IMPERSONATE_H_
