#ifndef APISERVER_AUTH_PARAM_RIGHTS_H_
#define APISERVER_AUTH_PARAM_RIGHTS_H_

#include "absl/functional/function_ref.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {

// A request that writes an admission policy or one of its bindings.
struct PolicyWrite {
  const User& user;
  const Resources& resources;
  // Has the policies that bindings name.
  const Storage& storage;
  // Returns whether the user may send a request.
  absl::FunctionRef<bool(const RequestInfo& info)> allows;
};

// Returns no errors if the user may read the parameters that a write refers to: all objects of the
// paramKind of a policy, or what the paramRef of a binding names or selects. Somebody who writes a
// binding could otherwise learn from the answers of the policy what the parameters say. Members of
// system:masters may always. `old` is the object before, or null for a new one. Objects of other
// kinds have no errors. Thread-safe (kube-apiserver: `authorizeCreate` and `authorizeUpdate` of
// `pkg/registry/admissionregistration`).
validation::field::ErrorList CheckParamRights(const PolicyWrite& write, const Object* old,
                                              const Object& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_PARAM_RIGHTS_H_
