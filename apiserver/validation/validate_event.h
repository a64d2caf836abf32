#ifndef APISERVER_VALIDATION_VALIDATE_EVENT_H_
#define APISERVER_VALIDATION_VALIDATE_EVENT_H_

#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"

// What must be so in an Event. Both groups have the rules for old events; events.k8s.io has more.
// As upstream, errors name the members as the core group does. (pkg/apis/core/validation/events.go)
// Pure functions: thread-safe.
namespace kube::apiserver::internal {

// `old` is null for a new event.
void CheckEvent(validation::field::ErrorList& wrong, const api::core::v1::Event& event);
void CheckEvent(validation::field::ErrorList& wrong, const api::events::v1::Event& event,
                const api::events::v1::Event* old);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_EVENT_H_
