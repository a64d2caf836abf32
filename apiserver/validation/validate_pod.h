#ifndef APISERVER_VALIDATION_VALIDATE_POD_H_
#define APISERVER_VALIDATION_VALIDATE_POD_H_

#include <initializer_list>
#include <set>
#include <string>

#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// Validates pods and templates of pods (kube-apiserver: `pkg/apis/core/validation`).
namespace kube::apiserver::internal {

// `volumes` names further volumes: the claims of a StatefulSet.
void CheckPodSpec(validation::field::ErrorList& wrong, const api::core::v1::PodSpec& spec,
                  const validation::field::Path& path, const std::set<std::string>& volumes = {});

// Appends an error unless the restart policy is one of `policies`. CheckPodSpec reports unknown
// policies.
void CheckRestartPolicy(validation::field::ErrorList& wrong, const api::core::v1::PodSpec& spec,
                        const validation::field::Path& path,
                        std::initializer_list<absl::string_view> policies);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_POD_H_
