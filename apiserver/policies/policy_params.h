#ifndef APISERVER_POLICIES_POLICY_PARAMS_H_
#define APISERVER_POLICIES_POLICY_PARAMS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

// The objects that bindings name as parameters of policies (kube-apiserver:
// `generic.CollectParams`).
namespace kube::apiserver::internal {

// Returns the resource of a paramKind, or an error if it is not served.
absl::StatusOr<const Resource*> ResourceOfParams(
    const api::admissionregistration::v1::ParamKind& kind, const Resources& resources);

// Returns the objects that `ref` names or selects, in the version of `resource`, in the order of
// their keys. `namespace_name` is the namespace of the request, or "". An empty result means that
// no object was found and that the binding allows that; returns an error if it does not, or if the
// reference is not possible for such objects. May block while a conversion webhook is called.
absl::StatusOr<std::vector<unstructured::Value>> CollectParams(
    const Resource& resource, const api::admissionregistration::v1::ParamRef& ref,
    absl::string_view namespace_name, const Storage& storage);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_POLICIES_POLICY_PARAMS_H_
