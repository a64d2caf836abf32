#ifndef APISERVER_VALIDATION_VALIDATE_KINDS_H_
#define APISERVER_VALIDATION_VALIDATE_KINDS_H_

#include "apimachinery/validation/field_error.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

// Validates the kinds that neither are pods nor have a template of pods: services, config maps,
// secrets, claims, leases, events, roles and their bindings, ingresses, disruption budgets,
// autoscalers, controller revisions, webhook configurations. `old` is null for a new object.
void CheckOtherKinds(validation::field::ErrorList& wrong, const Object& object, const Object* old);

// Checks that an update keeps the immutable fields of these kinds, of volumes and of nodes.
void CheckOtherKindsStay(validation::field::ErrorList& wrong, const Object& object,
                         const Object& old);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_KINDS_H_
