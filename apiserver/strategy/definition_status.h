#ifndef APISERVER_STRATEGY_DEFINITION_STATUS_H_
#define APISERVER_STRATEGY_DEFINITION_STATUS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"

// What CustomResourceDefinitions say of themselves: which names they have, and whether they are
// served. (apiextensions-apiserver's controllers "status" and "establish") Pure: thread-safe.
namespace kube::apiserver::internal {

// It keeps a definition until its objects are gone.
inline constexpr char kCleanupFinalizer[] = "customresourcecleanup.apiextensions.k8s.io";

// Adds a condition, or replaces that of its type; the time of its last change is `now` if its
// status is another one. (SetCRDCondition)
void SetCondition(api::apiextensions::v1::CustomResourceDefinition& crd,
                  api::apiextensions::v1::CustomResourceDefinitionCondition condition,
                  absl::Time now);
// (IsCRDConditionTrue)
bool IsConditionTrue(const api::apiextensions::v1::CustomResourceDefinition& crd,
                     absl::string_view type);

// Accepts the names that the spec wants and none of `group`, all definitions of the same group, has
// been given; sets NamesAccepted, and Established for a start. False: nothing changed.
// (NamingConditionController)
bool AcceptNames(api::apiextensions::v1::CustomResourceDefinition& crd,
                 const std::vector<const api::apiextensions::v1::CustomResourceDefinition*>& group,
                 absl::Time now);

// Sets Established where all names are accepted. False: nothing changed. (EstablishingController)
bool Establish(api::apiextensions::v1::CustomResourceDefinition& crd, absl::Time now);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STRATEGY_DEFINITION_STATUS_H_
