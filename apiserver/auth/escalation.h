#ifndef APISERVER_AUTH_ESCALATION_H_
#define APISERVER_AUTH_ESCALATION_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "apiserver/auth/rbac_policy.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {

// A request that writes a role or a binding.
struct RoleWrite {
  const User& user;
  const RequestInfo& info;
  const RbacPolicy& policy;
  // Returns whether the user may send a request.
  absl::FunctionRef<bool(const RequestInfo& info)> allows;
};

// Returns OK if the user may give the rights that a write gives: members of system:masters may give
// all; others what they have themselves in the namespace of the request. More is allowed by the
// verb "escalate" on the role that is written, or "bind" on the role that a binding refers to.
// Otherwise returns a 403 that lists the rules, or a 404 if the role of the binding does not exist.
//
// `old` is the object before, or null for a new one. A write that only changes owner references or
// finalizers is allowed, because the garbage collector needs it. Objects of other kinds are always
// allowed. Thread-safe (kube-apiserver: `pkg/registry/rbac/*/policybased`).
absl::Status CheckEscalation(const RoleWrite& write, const Object* old, const Object& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_ESCALATION_H_
