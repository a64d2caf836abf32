#ifndef APISERVER_AUTH_AUTHORIZE_H_
#define APISERVER_AUTH_AUTHORIZE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {

// The user with the group that all have who showed a credential.
User Authenticated(User user);

// The 403 of a user who may not make a request; `reason` is added to its message.
absl::Status ForbiddenTo(const User& user, const RequestInfo& info, absl::string_view reason = "");

// OK, or the 403 that a real server would give. Pure: thread-safe.
absl::Status Authorize(const User& user, const RequestInfo& info, Anonymous anonymous,
                       const std::vector<DenyRule>& rules);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_AUTHORIZE_H_
