#ifndef APISERVER_DEFAULTS_POD_DEFAULTS_H_
#define APISERVER_DEFAULTS_POD_DEFAULTS_H_

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"

namespace kube::apiserver::internal {

// Sets the defaults that pods and the templates of pods have.
void SetPodSpecDefaults(api::core::v1::PodSpec& spec);

// Does the same, and sets the defaults that only pods have.
void SetPodDefaults(api::core::v1::Pod& pod);

// Adds the condition of a new pod with scheduling gates.
void SetGatedCondition(api::core::v1::Pod& pod, absl::Time now);

// Returns "BestEffort", "Burstable" or "Guaranteed", by requests and limits (kube-apiserver:
// `qos.ComputePodQOS`).
absl::string_view QosClassOf(const api::core::v1::PodSpec& spec);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DEFAULTS_POD_DEFAULTS_H_
