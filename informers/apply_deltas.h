#ifndef INFORMERS_APPLY_DELTAS_H_
#define INFORMERS_APPLY_DELTAS_H_

#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "informers/delta.h"
#include "informers/internal/apply_items.h"
#include "informers/internal/delta_queue_core.h"
#include "informers/internal/notification.h"
#include "informers/internal/object_access.h"
#include "listers/indexer.h"

namespace kube::informers {

// What a handler is told.
template <typename T>
struct Notification {
  // kAdded, kUpdated, kDeleted; kReplaced and kSync are updates too, by a list and by a resync.
  DeltaType type = DeltaType::kAdded;
  // What the store had; null: nothing.
  std::shared_ptr<const T> old_object = {};
  // What it has; of kDeleted what the watch said it was last.
  std::shared_ptr<const T> object = {};
  // Of kDeleted: a list lacks it, and `object` is the store's old one (INF-9).
  bool final_state_unknown = false;
};

// Carries a batch of a DeltaQueue over into the store, in one write, and then tells `notify` of
// each change, on this thread, in the order of the deltas: after a list first of what is gone, then
// of the list's objects in its order. An ADDED of what the store has is an update, a MODIFIED of
// what it has not an addition (INF-8: with another UID perhaps).
//
// FAILED_PRECONDITION: an index function has failed; all is carried over, and told, nevertheless.
// INVALID_ARGUMENT: a name has a slash; that object is left out, and all else is carried over.
// (processDeltas, processDeltasInBatch and processReplacedAllInfo of client-go's controller.go)
template <listers::StoredObject T>
absl::Status ApplyDeltas(std::vector<Delta<T>> deltas, listers::Indexer<T>& store,
                         absl::FunctionRef<void(Notification<T>)> notify);

// ---- implementation

template <listers::StoredObject T>
absl::Status ApplyDeltas(std::vector<Delta<T>> deltas, listers::Indexer<T>& store,
                         absl::FunctionRef<void(Notification<T>)> notify) {
  std::vector<internal::DeltaQueueCore::Item> items;
  items.reserve(deltas.size());
  for (Delta<T>& delta : deltas) {
    items.push_back({.type = delta.type,
                     .object = std::move(delta.object),
                     .objects = {std::make_move_iterator(delta.objects.begin()),
                                 std::make_move_iterator(delta.objects.end())},
                     .resource_version = std::move(delta.resource_version)});
  }
  internal::Notifications notifications;
  absl::Status status = internal::ApplyItems(std::move(items), internal::kObjectAccess<T>,
                                             store.any(), &notifications);
  for (internal::AnyNotification& any : notifications.all) {
    notify({.type = any.type,
            .old_object = std::static_pointer_cast<const T>(std::move(any.old_object)),
            .object = std::static_pointer_cast<const T>(std::move(any.object)),
            .final_state_unknown = any.final_state_unknown});
  }
  return status;
}

}  // namespace kube::informers

#endif  // INFORMERS_APPLY_DELTAS_H_
