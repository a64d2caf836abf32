#ifndef APISERVER_VALIDATION_VALIDATE_EVENT_H_
#define APISERVER_VALIDATION_VALIDATE_EVENT_H_

#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"

// Validates Events. Old events have the same rules in both groups; events.k8s.io has further ones.
// As upstream, errors use the names of the core group's members (kube-apiserver:
// `pkg/apis/core/validation/events.go`). Pure and thread-safe.
namespace kube::apiserver::internal {

// `old` is null for a new event.
void CheckEvent(validation::field::ErrorList& wrong, const api::core::v1::Event& event);
void CheckEvent(validation::field::ErrorList& wrong, const api::events::v1::Event& event,
                const api::events::v1::Event* old);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_EVENT_H_
