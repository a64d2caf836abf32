#ifndef APISERVER_VERBS_PARAM_RIGHTS_CHECK_H_
#define APISERVER_VERBS_PARAM_RIGHTS_CHECK_H_

#include <functional>

#include "apimachinery/validation/field_error.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

// Returns the WriteOptions::validate of a call: for admission policies and their bindings, if roles
// matter, CheckParamRights; for all others null. It holds references to both arguments.
std::function<validation::field::ErrorList(const Object* old, const Object& object)>
ParamRightsCheck(const Core& core, const Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_PARAM_RIGHTS_CHECK_H_
