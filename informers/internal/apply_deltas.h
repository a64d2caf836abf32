#ifndef INFORMERS_INTERNAL_APPLY_DELTAS_H_
#define INFORMERS_INTERNAL_APPLY_DELTAS_H_

#include <vector>

#include "absl/status/status.h"
#include "apimachinery/meta/object_access.h"
#include "informers/delta.h"
#include "informers/internal/notification.h"
#include "listers/any_store.h"

namespace kube::informers::internal {

// Carries a batch of a DeltaQueue over into the store, in one write, and appends what it did to
// `notifications`, in the order of the deltas: after a list first what is gone, then the list's
// objects in its order. An ADDED of what the store has is an update, a MODIFIED of what it does not
// have an addition (perhaps with another UID). `notifications` is null if there are no
// handlers.
//
// FAILED_PRECONDITION: an index function has failed; all is carried over, and told, nevertheless.
// INVALID_ARGUMENT: a name has a slash; that object is left out, and all others are carried over.
// (processDeltas, processDeltasInBatch and processReplacedAllInfo of client-go's controller.go)
absl::Status ApplyDeltas(std::vector<Delta<void>> deltas, const meta::ObjectAccess& access,
                         listers::AnyStore& store, Notifications* notifications);

// An add of each object in the store, as one who has just come is told of it.
Notifications InitialNotifications(const listers::AnyStore& store);

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_APPLY_DELTAS_H_
