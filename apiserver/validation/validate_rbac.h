#ifndef APISERVER_VALIDATION_VALIDATE_RBAC_H_
#define APISERVER_VALIDATION_VALIDATE_RBAC_H_

#include "apimachinery/validation/field_error.h"
#include "apiserver/object.h"

// Validation of roles and bindings (kube-apiserver: `pkg/apis/rbac/validation`). Pure and
// thread-safe.
namespace kube::apiserver::internal {

// Validates a Role, ClusterRole, RoleBinding or ClusterRoleBinding; does nothing for other kinds.
// `old` is null for a new object.
void CheckRbac(validation::field::ErrorList& wrong, const Object& object, const Object* old);

// Checks that an update of a binding keeps its roleRef.
void CheckRbacStays(validation::field::ErrorList& wrong, const Object& object, const Object& old);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_RBAC_H_
