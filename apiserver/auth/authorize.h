#ifndef APISERVER_AUTH_AUTHORIZE_H_
#define APISERVER_AUTH_AUTHORIZE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {

// Returns the user with the group of all authenticated users.
User Authenticated(User user);

// Returns the 403 for a user who may not make a request. `reason` is appended to its message.
absl::Status ForbiddenTo(const User& user, const RequestInfo& info, absl::string_view reason = "");

// Returns OK, or the 403 that a real server would return. Pure and thread-safe.
absl::Status Authorize(const User& user, const RequestInfo& info, Anonymous anonymous,
                       const std::vector<DenyRule>& rules);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_AUTHORIZE_H_
