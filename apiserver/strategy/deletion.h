#ifndef APISERVER_STRATEGY_DELETION_H_
#define APISERVER_STRATEGY_DELETION_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

// What a deletion makes of an object before it is gone: pure decisions. (registry/rest's
// BeforeDelete, and what registry.Store does around it)
namespace kube::apiserver::internal {

struct DeletionPlan {
  // What is to be stored first; it differs from the object if `store` is set.
  bool store = false;
  // The object is then removed; else something holds it.
  bool remove = false;
};

// Changes `object`, which is stored, into what the deletion leaves of it. Errors carry a Status:
// preconditions that do not hold are a Conflict.
absl::StatusOr<DeletionPlan> PlanDeletion(const Resource& resource, Object& object,
                                          const api::meta::v1::DeleteOptions& options,
                                          absl::Time now);

// Whether an update that makes `object` of one that was deleted lets go of it.
bool IsReleased(const Object& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STRATEGY_DELETION_H_
