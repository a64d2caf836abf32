#ifndef APISERVER_TRACKING_SCALE_TRACKER_H_
#define APISERVER_TRACKING_SCALE_TRACKER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/call/call.h"

// Who owns the replicas of an object that is scaled by its scale subresource, on which they are
// spec.replicas (kube-apiserver: `managedfields.ScaleHandler` in the registries). Thread-safe.
namespace kube::apiserver::internal {

using ManagedFields = List<api::meta::v1::ManagedFieldsEntry>;

// Returns the managed fields of the scaled object after an update that replaces the scale `live` by
// `scale`. `entries` are the object's. A write never fails because of its tracking: if `entries`
// cannot be decoded, the error is logged, and the object has no managed fields any more.
ManagedFields TrackScale(const Call& call, const ManagedFields& entries,
                         const api::autoscaling::v1::Scale& live,
                         const api::autoscaling::v1::Scale& scale, absl::string_view field_manager);

struct AppliedScale {
  api::autoscaling::v1::Scale scale;
  ManagedFields entries;  // of the scaled object
};
// Applies a configuration to the scale `live`. Returns the errors of ApplyConfiguration, and 422 if
// the replicas do not fit into 32 bits.
absl::StatusOr<AppliedScale> ApplyToScale(const Call& call, const ManagedFields& entries,
                                          const api::autoscaling::v1::Scale& live,
                                          const unstructured::Value& configuration,
                                          absl::string_view field_manager, bool force);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TRACKING_SCALE_TRACKER_H_
