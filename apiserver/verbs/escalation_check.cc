#include "apiserver/verbs/escalation_check.h"

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "apiserver/auth/escalation.h"
#include "apiserver/auth/rbac_policy.h"
#include "apiserver/auth/rbac_policy_cache.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"

namespace kube::apiserver::internal {

std::function<absl::Status(const Object* old, const Object& object)> EscalationCheck(
    const Core& core, const Call& call) {
  if (core.policies == nullptr || call.info.group != "rbac.authorization.k8s.io") return nullptr;
  return [&core, &call](const Object* old, const Object& object) {
    const std::shared_ptr<const RbacPolicy> policy = core.policies->Get();
    const auto allows = [&](const RequestInfo& info) {
      return core.authorize(call.user, info).allowed;
    };
    return CheckEscalation(
        {.user = call.user, .info = call.info, .policy = *policy, .allows = allows}, old, object);
  };
}

}  // namespace kube::apiserver::internal
