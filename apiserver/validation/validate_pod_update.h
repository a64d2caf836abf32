#ifndef APISERVER_VALIDATION_VALIDATE_POD_UPDATE_H_
#define APISERVER_VALIDATION_VALIDATE_POD_UPDATE_H_

#include <string>

#include "api/core/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/validation/field_error.h"

// Validates updates of pods (kube-apiserver: `pkg/apis/core/validation`). Pure and thread-safe.
namespace kube::apiserver::internal {

// Checks that `now`, a valid spec, changes only what an update of `old` may change (kube-apiserver:
// `ValidatePodUpdate`).
void CheckPodStays(validation::field::ErrorList& wrong, const api::core::v1::PodSpec& now,
                   const api::core::v1::PodSpec& old);

// Return the JSON of upstream's internal structs, whose members have the names of Go's fields, as
// errors quote them.
std::string InternalJson(const List<api::core::v1::NodeSelectorTerm>& terms);
std::string InternalJson(const api::core::v1::NodeSelectorTerm& term);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_POD_UPDATE_H_
