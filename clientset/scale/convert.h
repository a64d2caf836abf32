#ifndef CLIENTSET_SCALE_CONVERT_H_
#define CLIENTSET_SCALE_CONVERT_H_

#include "absl/status/statusor.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/extensions/v1beta1/types.kube.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/unstructured.h"

// Converts between the Scale of autoscaling/v1 and the older ones of extensions/v1beta1,
// apps/v1beta1 and apps/v1beta2, which are equal to each other. autoscaling/v1 has the selector as
// text; the older ones have it as a map as well. Pure functions: thread-safe. (client-go:
// `scale.ScaleConverter`)
namespace kube::scale {

// Returns whether `version` has one of the older Scales.
bool IsOldScale(const schema::GroupVersion& version);

// Converts a server's response. As in client-go, the selector is parsed and formatted again.
// Returns INVALID_ARGUMENT if the object is not a Scale of one of the four versions, or if its
// selector is invalid.
absl::StatusOr<api::autoscaling::v1::Scale> ScaleOf(const unstructured::Unstructured& object);

// Converts to an older Scale. Returns INVALID_ARGUMENT if the selector is invalid.
absl::StatusOr<api::extensions::v1beta1::Scale> OldScaleOf(
    const api::autoscaling::v1::Scale& scale);

// Returns the Scale with its selector parsed and formatted again, as client-go sends it. Returns
// INVALID_ARGUMENT if the selector is invalid.
absl::StatusOr<api::autoscaling::v1::Scale> Normalized(const api::autoscaling::v1::Scale& scale);

}  // namespace kube::scale

#endif  // CLIENTSET_SCALE_CONVERT_H_
