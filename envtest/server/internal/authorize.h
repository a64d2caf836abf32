#ifndef ENVTEST_SERVER_INTERNAL_AUTHORIZE_H_
#define ENVTEST_SERVER_INTERNAL_AUTHORIZE_H_

#include <vector>

#include "absl/status/status.h"
#include "envtest/server/handler.h"
#include "envtest/server/request_info.h"
#include "envtest/server/user.h"

namespace kube::envtest::internal {

// The user with the group that all have who showed a credential.
User Authenticated(User user);

// OK, or the 403 that a real server would give. Pure: thread-safe.
absl::Status Authorize(const User& user, const RequestInfo& info, Anonymous anonymous,
                       const std::vector<DenyRule>& rules);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_INTERNAL_AUTHORIZE_H_
