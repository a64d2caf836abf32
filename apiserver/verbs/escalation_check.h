#ifndef APISERVER_VERBS_ESCALATION_CHECK_H_
#define APISERVER_VERBS_ESCALATION_CHECK_H_

#include <functional>

#include "absl/status/status.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

// Returns the WriteOptions::check of a call: for roles and bindings, if roles matter,
// CheckEscalation; for all others null. It holds references to both arguments.
std::function<absl::Status(const Object* old, const Object& object)> EscalationCheck(
    const Core& core, const Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_ESCALATION_CHECK_H_
