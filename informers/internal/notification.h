#ifndef INFORMERS_INTERNAL_NOTIFICATION_H_
#define INFORMERS_INTERNAL_NOTIFICATION_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "informers/delta.h"
#include "listers/any_change.h"

namespace kube::informers::internal {

// One change to be delivered to handlers, for objects of any type.
struct AnyNotification {
  // kAdded or kDeleted; kUpdated, kReplaced and kSync are delivered as updates.
  DeltaType type = DeltaType::kAdded;
  // For kAdded: the object existed before the handler or the informer's first list.
  bool is_initial = false;
  // For updates: nothing has changed. Delivered only to handlers whose resync period is over.
  bool is_resync = false;
  // For updates: the UIDs of the old and the new object differ.
  bool is_recreated = false;
  // For kDeleted: the object was missing from a list, and `object` is the cached state.
  bool final_state_unknown = false;
  // The change as the store has made it. `object` is never null. `old_object` is the previous
  // content of the store, which is also what the handler saw last; it is null for kAdded.
  listers::AnyChange change = {};
};

// The notifications of one batch of deltas.
struct Notifications {
  std::vector<AnyNotification> all = {};
  size_t resyncs = 0;  // number of notifications with is_resync
};

// Immutable and shared by all handlers.
using NotificationBatch = std::shared_ptr<const Notifications>;

using AnyHandler = std::function<void(const AnyNotification&)>;

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_NOTIFICATION_H_
