#ifndef APISERVER_STRATEGY_DELETION_H_
#define APISERVER_STRATEGY_DELETION_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

// Decides what a deletion does with an object (kube-apiserver: `BeforeDelete` of `registry/rest`,
// and what `registry.Store` does around it). Pure and thread-safe.
namespace kube::apiserver::internal {

struct DeletionPlan {
  // Whether the object has changed and must be stored.
  bool store = false;
  // Whether the object must then be removed. Otherwise finalizers or a grace period keep it.
  bool remove = false;
};

// Returns a Conflict if the preconditions of `options` do not hold for an object with this
// metadata.
absl::Status CheckPreconditions(const Resource& resource, const api::meta::v1::ObjectMeta& metadata,
                                const api::meta::v1::DeleteOptions& options);

// Decides about the deletion of `object`, which is stored, and changes it accordingly. Errors carry
// a Status; preconditions that do not hold are a Conflict.
absl::StatusOr<DeletionPlan> PlanDeletion(const Resource& resource, Object& object,
                                          const api::meta::v1::DeleteOptions& options,
                                          absl::Time now);

// Returns whether `object`, the result of an update, is being deleted and no longer kept by
// anything.
bool IsReleased(const Object& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STRATEGY_DELETION_H_
