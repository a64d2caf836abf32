#ifndef APISERVER_VALIDATION_VALIDATE_POD_UPDATE_H_
#define APISERVER_VALIDATION_VALIDATE_POD_UPDATE_H_

#include <string>

#include "api/core/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/validation/field_error.h"

// What an update may change of a pod. (pkg/apis/core/validation) Pure functions: thread-safe.
namespace kube::apiserver::internal {

// What is wrong with `now` as an update of `old`, beyond what is wrong with any pod.
// (ValidatePodUpdate)
void CheckPodStays(validation::field::ErrorList& wrong, const api::core::v1::PodSpec& now,
                   const api::core::v1::PodSpec& old);

// The JSON of upstream's internal structs, whose members have the names of Go's fields, as errors
// quote them.
std::string InternalJson(const List<api::core::v1::NodeSelectorTerm>& terms);
std::string InternalJson(const api::core::v1::NodeSelectorTerm& term);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_POD_UPDATE_H_
