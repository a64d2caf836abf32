#ifndef INFORMERS_INTERNAL_APPLY_ITEMS_H_
#define INFORMERS_INTERNAL_APPLY_ITEMS_H_

#include <vector>

#include "absl/status/status.h"
#include "informers/internal/delta_queue_core.h"
#include "informers/internal/notification.h"
#include "informers/internal/object_access.h"
#include "listers/any_store.h"

namespace kube::informers::internal {

// ApplyDeltas of any type. What the batch did is appended to `notifications`, unless that is null.
absl::Status ApplyItems(std::vector<DeltaQueueCore::Item> items, const ObjectAccess& access,
                        listers::AnyStore& store, Notifications* notifications);

// An add of each object in the store, as one who has just come is told of it.
Notifications InitialNotifications(const listers::AnyStore& store);

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_APPLY_ITEMS_H_
