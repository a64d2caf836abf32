#ifndef APISERVER_VALIDATION_VALIDATE_POD_H_
#define APISERVER_VALIDATION_VALIDATE_POD_H_

#include <initializer_list>
#include <set>
#include <string>

#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// What must be so in a pod, or in the template of pods. (pkg/apis/core/validation)
namespace kube::apiserver::internal {

// `volumes` are those that it has besides its own: the claims of a StatefulSet.
void CheckPodSpec(validation::field::ErrorList& wrong, const api::core::v1::PodSpec& spec,
                  const validation::field::Path& path, const std::set<std::string>& volumes = {});

// Unsupported unless it is one of these; what is no restart policy at all is told by CheckPodSpec.
void CheckRestartPolicy(validation::field::ErrorList& wrong, const api::core::v1::PodSpec& spec,
                        const validation::field::Path& path,
                        std::initializer_list<absl::string_view> policies);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_POD_H_
