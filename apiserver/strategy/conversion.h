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

// The built-in kinds of which a server has the same objects in two versions: Event of the core
// group and of events.k8s.io, and HorizontalPodAutoscaler of autoscaling/v1 and v2.
// (pkg/apis/events/v1, pkg/apis/autoscaling/v1) Pure functions: thread-safe.
namespace kube::apiserver::internal {

// Returns the object as one of `kind`: as it is, if it is of that kind or of one that has no other
// version.
Object Converted(Object object, const KindInfo& kind);

// Whether strategies and validation see the resource's objects as the stored kind, as upstream's
// see an internal one. It makes a difference where a version keeps parts of the status or of the
// spec in annotations.
bool PreparesStored(const Resource& resource);

// Returns the object that a client has sent as strategies see it: of the stored kind where
// PreparesStored says so, and without the annotations that stand for members in another version.
Object AsInternal(const Resource& resource, Object object);

api::core::v1::Event ToCore(const api::events::v1::Event& event);
api::events::v1::Event FromCore(const api::core::v1::Event& event);

// Erases the annotations that stand in v1 for what it has no members for.
// (DropRoundTripHorizontalPodAutoscalerAnnotations)
void DropRoundTripAnnotations(Map<String>& annotations);

// What v1 has no members for stands in annotations there.
api::autoscaling::v2::HorizontalPodAutoscaler ToV2(
    const api::autoscaling::v1::HorizontalPodAutoscaler& scaler);
api::autoscaling::v1::HorizontalPodAutoscaler FromV2(
    const api::autoscaling::v2::HorizontalPodAutoscaler& scaler);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STRATEGY_CONVERSION_H_
