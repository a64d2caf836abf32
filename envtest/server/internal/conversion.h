#ifndef ENVTEST_SERVER_INTERNAL_CONVERSION_H_
#define ENVTEST_SERVER_INTERNAL_CONVERSION_H_

#include "api/autoscaling/v1/types.kube.h"
#include "api/autoscaling/v2/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/types/kind_info.h"
#include "envtest/server/object.h"

// The built-in kinds of which a server has the same objects in two versions: Event of the core
// group and of events.k8s.io, and HorizontalPodAutoscaler of autoscaling/v1 and v2.
// (pkg/apis/events/v1, pkg/apis/autoscaling/v1) Pure functions: thread-safe.
namespace kube::envtest::internal {

// Returns the object as one of `kind`: as it is, if it is of that kind or of one that has no other
// version.
Object Converted(Object object, const KindInfo& kind);

api::core::v1::Event ToCore(const api::events::v1::Event& event);
api::events::v1::Event FromCore(const api::core::v1::Event& event);

// What v1 has no members for stands in annotations there.
api::autoscaling::v2::HorizontalPodAutoscaler ToV2(
    const api::autoscaling::v1::HorizontalPodAutoscaler& scaler);
api::autoscaling::v1::HorizontalPodAutoscaler FromV2(
    const api::autoscaling::v2::HorizontalPodAutoscaler& scaler);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_INTERNAL_CONVERSION_H_
