#ifndef APISERVER_AUTH_AUTHORIZE_H_
#define APISERVER_AUTH_AUTHORIZE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apiserver/auth/rbac_policy.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {

// What is decided about a request (kube-apiserver: `authorizer.Decision`).
struct Decision {
  bool allowed = true;
  // Whether a deny rule refuses the request. Otherwise nothing allows it.
  bool denied = false;
  // Why, as kube-apiserver tells it to clients; see RbacAnswer. Often "".
  std::string reason = {};
  // The deny rule, the group or the option that decided before the roles were asked, or "". It is
  // not told to clients, because kube-apiserver has nothing like it.
  std::string rule = {};
};

// Returns the user with the group of all authenticated users. A service account, which is a user
// "system:serviceaccount:NAMESPACE:NAME", also gets the groups of all service accounts and of those
// of its namespace.
User Authenticated(User user);

// Returns the user of a client certificate with the group of all authenticated users, unless its
// groups already say whether it is one. Has no other groups than the certificate, whatever its name
// is: only a token makes a service account (kube-apiserver: `AuthenticatedGroupAdder`).
User AuthenticatedByCertificate(User user);

// Returns whether the user is in the group system:masters, whose members may do everything.
bool IsMaster(const User& user);

// Returns the 403 for a user who may not make a request. `reason` is appended to its message.
absl::Status ForbiddenTo(const User& user, const RequestInfo& info, absl::string_view reason = "");

// Decides about a request: first by the deny rules, which hold for all users, then by `anonymous`
// for users without credentials, and by the policy for all others. If the policy is null, they may
// do everything. Pure and thread-safe.
Decision Authorize(const User& user, const RequestInfo& info, Anonymous anonymous,
                   const std::vector<DenyRule>& rules, const RbacPolicy* policy);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_AUTHORIZE_H_
