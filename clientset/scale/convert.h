#ifndef CLIENTSET_SCALE_CONVERT_H_
#define CLIENTSET_SCALE_CONVERT_H_

#include "absl/status/statusor.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/extensions/v1beta1/types.kube.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/unstructured.h"

// The Scale of autoscaling/v1 and those before it, of extensions/v1beta1, apps/v1beta1 and
// apps/v1beta2, which are the same among themselves: the former has the selector as text, these as
// a map too. (scale.ScaleConverter) Pure functions: thread-safe.
namespace kube::scale {

// Whether it is one of the old ones.
bool IsOldScale(const schema::GroupVersion& version);

// Of whatever a server answered. The selector is parsed and written anew, as upstream.
// INVALID_ARGUMENT where it is no Scale of one of the four, or its selector is none.
absl::StatusOr<api::autoscaling::v1::Scale> ScaleOf(const unstructured::Unstructured& object);

// One of the old ones. INVALID_ARGUMENT where the selector is none.
absl::StatusOr<api::extensions::v1beta1::Scale> OldScaleOf(
    const api::autoscaling::v1::Scale& scale);

// The selector as upstream writes it, as all that passes through it. INVALID_ARGUMENT.
absl::StatusOr<api::autoscaling::v1::Scale> Normalized(const api::autoscaling::v1::Scale& scale);

}  // namespace kube::scale

#endif  // CLIENTSET_SCALE_CONVERT_H_
