#ifndef APISERVER_VALIDATION_VALIDATE_KINDS_H_
#define APISERVER_VALIDATION_VALIDATE_KINDS_H_

#include "apimachinery/validation/field_error.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

// What must be so in kinds that are neither pods nor make any: services, config maps, secrets,
// claims, leases, events, bindings of roles, ingresses, disruption budgets, autoscalers, controller
// revisions. `old` is null for an object that is new.
void CheckOtherKinds(validation::field::ErrorList& wrong, const Object& object, const Object* old);

// What of them, of volumes and of nodes must stay as it was.
void CheckOtherKindsStay(validation::field::ErrorList& wrong, const Object& object,
                         const Object& old);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_KINDS_H_
