#ifndef INFORMERS_INTERNAL_APPLY_DELTAS_H_
#define INFORMERS_INTERNAL_APPLY_DELTAS_H_

#include <vector>

#include "absl/status/status.h"
#include "apimachinery/meta/object_access.h"
#include "informers/delta.h"
#include "informers/internal/notification.h"
#include "listers/any_store.h"

namespace kube::informers::internal {

// Applies a batch of a DeltaQueue to `store` in one write, and appends the resulting notifications
// to `notifications` in the order of the deltas. For a list the deletions come first, then the
// objects in the order of the list. An ADDED event for a stored object becomes an update; a
// MODIFIED event for an unknown object becomes an add. An update may change the UID.
// `notifications` is null if there are no handlers. (client-go: `processDeltas`,
// `processDeltasInBatch` and `processReplacedAllInfo` in controller.go)
//
// Returns FAILED_PRECONDITION if an index function failed; everything is stored and reported
// nevertheless. Returns INVALID_ARGUMENT if the name of an object contains a slash; that object is
// left out and all others are stored.
absl::Status ApplyDeltas(std::vector<Delta<void>> deltas, const meta::ObjectAccess& access,
                         listers::AnyStore& store, Notifications* notifications);

// Returns an add for each object in the store, to be delivered to a new handler.
Notifications InitialNotifications(const listers::AnyStore& store);

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_APPLY_DELTAS_H_
