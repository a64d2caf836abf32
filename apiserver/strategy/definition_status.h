#ifndef APISERVER_STRATEGY_DEFINITION_STATUS_H_
#define APISERVER_STRATEGY_DEFINITION_STATUS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"

// The status of CustomResourceDefinitions: which names they have, and whether they are served
// (apiextensions-apiserver: the controllers `status` and `establish`). Pure and thread-safe.
namespace kube::apiserver::internal {

// The finalizer that keeps a definition until its objects are deleted.
inline constexpr char kCleanupFinalizer[] = "customresourcecleanup.apiextensions.k8s.io";

// Adds a condition, or replaces the one of its type. If the status changes, lastTransitionTime
// becomes `now` (apiextensions-apiserver: `SetCRDCondition`).
void SetCondition(api::apiextensions::v1::CustomResourceDefinition& crd,
                  api::apiextensions::v1::CustomResourceDefinitionCondition condition,
                  absl::Time now);
// apiextensions-apiserver: `IsCRDConditionTrue`.
bool IsConditionTrue(const api::apiextensions::v1::CustomResourceDefinition& crd,
                     absl::string_view type);

// Accepts the names in the spec that no definition in `group` has, which are all definitions of the
// same API group. Sets the condition NamesAccepted, and Established if it is not set. Returns false
// if nothing changed (apiextensions-apiserver: `NamingConditionController`).
bool AcceptNames(api::apiextensions::v1::CustomResourceDefinition& crd,
                 const std::vector<const api::apiextensions::v1::CustomResourceDefinition*>& group,
                 absl::Time now);

// Sets the condition Established if all names are accepted: to True, or to False while the caBundle
// of the conversion webhook is invalid. Returns false if nothing changed (apiextensions-apiserver:
// `EstablishingController`).
bool Establish(api::apiextensions::v1::CustomResourceDefinition& crd, absl::Time now);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STRATEGY_DEFINITION_STATUS_H_
