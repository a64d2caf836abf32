#ifndef ENVTEST_WORKLOADS_INTERNAL_TEMPLATE_HASH_H_
#define ENVTEST_WORKLOADS_INTERNAL_TEMPLATE_HASH_H_

#include <cstdint>
#include <optional>
#include <string>

#include "api/core/v1/types.kube.h"

namespace kube::envtest::internal {

// What tells a template from others in names and in the label pod-template-hash: up to ten
// characters of those that upstream uses. The same for equal templates, in each run.
//
// Looks like upstream's and is another one: that hashes what Go's printer makes of the structs'
// memory, this the encoded message; both by FNV-1a. Pure. (controller.ComputeHash)
std::string TemplateHash(const api::core::v1::PodTemplateSpec& pod_template,
                         std::optional<int32_t> collision_count);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_TEMPLATE_HASH_H_
