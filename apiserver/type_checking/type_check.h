#ifndef APISERVER_TYPE_CHECKING_TYPE_CHECK_H_
#define APISERVER_TYPE_CHECKING_TYPE_CHECK_H_

#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// Checks the validations of a policy, and the expressions of their messages, for each kind of
// CheckedKinds, with the types of its objects and of the policy's parameters. Returns a warning for
// each expression that does not fit some kind:
//
//   apps/v1, Kind=Deployment: ERROR: <input>:1:8: undefined field 'x'
//    | object.x == 1
//    | .......^
//
// As upstream, the check does not know `authorizer.requestResource`. The names of types in
// warnings are the kinds with a digit behind them, where upstream has a random number. Thread-safe
// (kube-apiserver: `validating.TypeChecker`).
List<api::admissionregistration::v1::ExpressionWarning> CheckTypes(
    const api::admissionregistration::v1::ValidatingAdmissionPolicy& policy,
    const Resources& resources);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TYPE_CHECKING_TYPE_CHECK_H_
