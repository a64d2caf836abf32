#include "apiserver/verbs/param_rights_check.h"

#include <functional>

#include "apimachinery/validation/field_error.h"
#include "apiserver/auth/param_rights.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"

namespace kube::apiserver::internal {

std::function<validation::field::ErrorList(const Object* old, const Object& object)>
ParamRightsCheck(const Core& core, const Call& call) {
  if (core.policies == nullptr || call.info.group != "admissionregistration.k8s.io") return nullptr;
  return [&core, &call](const Object* old, const Object& object) {
    const auto allows = [&](const RequestInfo& info) {
      return core.authorize(call.user, info).allowed;
    };
    return CheckParamRights({.user = call.user,
                             .resources = *call.resources,
                             .storage = core.storage,
                             .allows = allows},
                            old, object);
  };
}

}  // namespace kube::apiserver::internal
