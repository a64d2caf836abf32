#ifndef ENVTEST_SERVER_INTERNAL_POD_DEFAULTS_H_
#define ENVTEST_SERVER_INTERNAL_POD_DEFAULTS_H_

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"

namespace kube::envtest::internal {

// What a server fills in of the pods in a template.
void SetPodSpecDefaults(api::core::v1::PodSpec& spec);

// What it fills in of a pod: that, and what only pods themselves have.
void SetPodDefaults(api::core::v1::Pod& pod);

// What a new pod gets of the default admission plugins, tolerations of nodes that are not ready and
// its priority; and a condition, if it must not be scheduled yet.
void AdmitPod(api::core::v1::Pod& pod, absl::Time now);

// "BestEffort", "Burstable" or "Guaranteed": by requests and limits. (qos.ComputePodQOS)
absl::string_view QosClassOf(const api::core::v1::PodSpec& spec);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_INTERNAL_POD_DEFAULTS_H_
