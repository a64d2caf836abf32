#ifndef APISERVER_STRATEGY_CONVERSION_H_
#define APISERVER_STRATEGY_CONVERSION_H_

#include "api/autoscaling/v1/types.kube.h"
#include "api/autoscaling/v2/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

// The built-in kinds whose objects a server serves in two versions: Event of the core group and of
// events.k8s.io, and HorizontalPodAutoscaler of autoscaling/v1 and v2 (kube-apiserver:
// `pkg/apis/events/v1`, `pkg/apis/autoscaling/v1`). Pure and thread-safe.
namespace kube::apiserver::internal {

// Returns the object converted to `kind`, or unchanged if it is of that kind or has no other
// version.
Object Converted(Object object, const KindInfo& kind);

// Returns whether strategies and validation work on the stored kind of the resource, as upstream's
// work on the internal type. That matters if a version keeps parts of the spec or status in
// annotations.
bool PreparesStored(const Resource& resource);

// Returns an object from a client as strategies need it: converted to the stored kind if
// PreparesStored, and without the annotations that hold the members of another version.
Object AsInternal(const Resource& resource, Object object);

api::core::v1::Event ToCore(const api::events::v1::Event& event);
api::events::v1::Event FromCore(const api::core::v1::Event& event);

// Removes the annotations of v1 that hold members of v2 (kube-apiserver:
// `DropRoundTripHorizontalPodAutoscalerAnnotations`).
void DropRoundTripAnnotations(Map<String>& annotations);

// Convert between the versions. Members that v1 does not have are kept in its annotations.
api::autoscaling::v2::HorizontalPodAutoscaler ToV2(
    const api::autoscaling::v1::HorizontalPodAutoscaler& scaler);
api::autoscaling::v1::HorizontalPodAutoscaler FromV2(
    const api::autoscaling::v2::HorizontalPodAutoscaler& scaler);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STRATEGY_CONVERSION_H_
