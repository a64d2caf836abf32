#ifndef ENVTEST_WORKLOADS_INTERNAL_APPS_TEMPLATE_HASH_H_
#define ENVTEST_WORKLOADS_INTERNAL_APPS_TEMPLATE_HASH_H_

#include <cstdint>
#include <optional>
#include <string>

#include "api/core/v1/types.kube.h"

namespace kube::envtest::internal {

// Returns the hash that distinguishes a template in names and in the label pod-template-hash: up to
// ten characters from the alphabet that Kubernetes uses. Equal templates have equal hashes in every
// run.
//
// The value differs from that of Kubernetes, which hashes Go's printed form of the struct; this
// hashes the encoded message. Both use FNV-1a. Pure. (Go: `controller.ComputeHash`)
std::string TemplateHash(const api::core::v1::PodTemplateSpec& pod_template,
                         std::optional<int32_t> collision_count);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_APPS_TEMPLATE_HASH_H_
