#ifndef APISERVER_STRATEGY_KEPT_FIELDS_H_
#define APISERVER_STRATEGY_KEPT_FIELDS_H_

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apiserver/object.h"

// What an update does to fields of single kinds, beyond what it does to all kinds (kube-apiserver:
// `PrepareForUpdate` of the strategies in `pkg/registry`). Pure and thread-safe.
namespace kube::apiserver::internal {

// Prepares `object`, an update of `subresource` of `old`; "" is the resource itself.
void KeepFields(absl::string_view subresource, const Object& old, absl::Time now, Object& object);

// Makes dataSource and dataSourceRef of a claim consistent. Drops a dataSource of a kind that only
// dataSourceRef supports, unless `old`, which is null for a new claim, has one (kube-apiserver:
// `EnforceDataSourceBackwardsCompatibility`, `NormalizeDataSources`).
void NormalizeDataSources(const api::core::v1::PersistentVolumeClaim* old,
                          api::core::v1::PersistentVolumeClaim& claim);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STRATEGY_KEPT_FIELDS_H_
