#ifndef APISERVER_DEFAULTS_POD_DEFAULTS_H_
#define APISERVER_DEFAULTS_POD_DEFAULTS_H_

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"

namespace kube::apiserver::internal {

// What a server fills in of the pods in a template.
void SetPodSpecDefaults(api::core::v1::PodSpec& spec);

// What it fills in of a pod: that, and what only pods themselves have.
void SetPodDefaults(api::core::v1::Pod& pod);

// Adds the condition of a new pod that must not be scheduled yet.
void SetGatedCondition(api::core::v1::Pod& pod, absl::Time now);

// "BestEffort", "Burstable" or "Guaranteed": by requests and limits. (qos.ComputePodQOS)
absl::string_view QosClassOf(const api::core::v1::PodSpec& spec);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DEFAULTS_POD_DEFAULTS_H_
