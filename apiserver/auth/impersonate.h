#ifndef APISERVER_AUTH_IMPERSONATE_H_
#define APISERVER_AUTH_IMPERSONATE_H_

#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"
#include "net/http/headers.h"

// Whom a client wants to be: the headers Impersonate-User, -Uid, -Group and -Extra-…
// (apiserver's pkg/endpoints/filters/impersonation) Pure functions: thread-safe.
namespace kube::apiserver::internal {

// The user that the headers name, as they are; nullopt if they name none. 400 with its Status if
// they say something else of a user whom they do not name.
absl::StatusOr<std::optional<User>> WantedUser(const http::Headers& headers);

// Whether the requestor may make a request. 403 with its Status.
using Authorizer = absl::FunctionRef<absl::Status(const RequestInfo& info)>;

// The user as whom the request of `requestor` is served: `wanted`, with the groups that such a user
// has.
//
// As in a real server there are several ways to be allowed, of which one is enough: to do what the
// request does as nodes, as service accounts or as other users (the verbs
// "impersonate-on:user-info:list" and "impersonate:user-info", for example), or the verb
// "impersonate" for each name, group, UID and extra value. 403 with the first reason against it.
absl::StatusOr<User> Impersonated(const User& requestor, const User& wanted,
                                  const RequestInfo& request, Authorizer authorize);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_IMPERSONATE_H_
