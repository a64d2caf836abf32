#ifndef APISERVER_STRATEGY_KEPT_FIELDS_H_
#define APISERVER_STRATEGY_KEPT_FIELDS_H_

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apiserver/object.h"

// What single kinds fill in, keep or drop in an update, beyond what all kinds do.
// (PrepareForUpdate of pkg/registry's strategies) Pure functions: thread-safe.
namespace kube::apiserver::internal {

// Brings `object`, an update of `subresource` of `old`, into the form that its kind wants. "" is
// the resource itself.
void KeepFields(absl::string_view subresource, const Object& old, absl::Time now, Object& object);

// Makes dataSource and dataSourceRef of a claim say the same, and drops a dataSource of a kind that
// only dataSourceRef may name, unless `old`, which is null for a new claim, has one.
// (EnforceDataSourceBackwardsCompatibility, NormalizeDataSources)
void NormalizeDataSources(const api::core::v1::PersistentVolumeClaim* old,
                          api::core::v1::PersistentVolumeClaim& claim);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STRATEGY_KEPT_FIELDS_H_
