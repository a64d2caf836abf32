#ifndef INFORMERS_APPLY_DELTAS_H_
#define INFORMERS_APPLY_DELTAS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "apimachinery/meta/object_name.h"
#include "informers/delta.h"
#include "listers/indexer.h"
#include "listers/snapshot.h"

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
// INVALID_ARGUMENT: a name has a slash; nothing is, of the whole batch.
// (processDeltas, processDeltasInBatch and processReplacedAllInfo of client-go's controller.go)
template <listers::StoredObject T>
absl::Status ApplyDeltas(std::vector<Delta<T>> deltas, listers::Indexer<T>& store,
                         absl::FunctionRef<void(Notification<T>)> notify);

// ---- implementation

namespace internal {

template <typename T>
absl::Status ApplyReplaced(Delta<T> delta, listers::Indexer<T>& store,
                           absl::FunctionRef<void(Notification<T>)> notify) {
  const listers::Snapshot<T> before = store.snapshot();
  const std::vector<std::shared_ptr<const T>> objects = delta.objects;
  absl::Status status = store.Replace(std::move(delta.objects), std::move(delta.resource_version));
  if (absl::IsInvalidArgument(status)) return status;
  const listers::Snapshot<T> after = store.snapshot();
  const listers::ObjectList<T> old_objects = before.List();
  for (auto old = old_objects.begin(); old != old_objects.end(); ++old) {
    if (after.GetByKey(meta::MetaNamespaceKey(*old)) != nullptr) continue;
    notify({.type = DeltaType::kDeleted,
            .old_object = old.shared(),
            .object = old.shared(),
            .final_state_unknown = true});
  }
  for (const std::shared_ptr<const T>& object : objects) {
    std::shared_ptr<const T> old = before.GetByKey(meta::MetaNamespaceKey(*object));
    const DeltaType type = old == nullptr ? DeltaType::kAdded : DeltaType::kReplaced;
    notify({.type = type, .old_object = std::move(old), .object = object});
  }
  return status;
}

template <typename T>
absl::Status ApplyChanges(std::vector<Delta<T>> deltas, listers::Indexer<T>& store,
                          absl::FunctionRef<void(Notification<T>)> notify) {
  std::vector<Notification<T>> notifications;
  std::vector<listers::Change<T>> changes;
  for (Delta<T>& delta : deltas) {
    std::shared_ptr<const T> old = store.GetByKey(meta::MetaNamespaceKey(*delta.object));
    const bool deleted = delta.type == DeltaType::kDeleted;
    const DeltaType type = old == nullptr ? DeltaType::kAdded : DeltaType::kUpdated;
    notifications.push_back({.type = deleted ? DeltaType::kDeleted : type,
                             .old_object = std::move(old),
                             .object = delta.object});
    changes.push_back({.object = std::move(delta.object), .removed = deleted});
  }
  absl::Status status = store.Apply(std::move(changes));
  if (absl::IsInvalidArgument(status)) return status;
  for (Notification<T>& notification : notifications) notify(std::move(notification));
  return status;
}

}  // namespace internal

template <listers::StoredObject T>
absl::Status ApplyDeltas(std::vector<Delta<T>> deltas, listers::Indexer<T>& store,
                         absl::FunctionRef<void(Notification<T>)> notify) {
  if (deltas.empty()) return absl::OkStatus();
  // What is about all objects is alone in its batch.
  Delta<T>& first = deltas.front();
  switch (first.type) {
    case DeltaType::kReplaced:
      return internal::ApplyReplaced<T>(std::move(first), store, notify);
    case DeltaType::kSync: {
      const listers::ObjectList<T> all = store.List();
      for (auto it = all.begin(); it != all.end(); ++it) {
        notify({.type = DeltaType::kSync, .old_object = it.shared(), .object = it.shared()});
      }
      return absl::OkStatus();
    }
    case DeltaType::kBookmark:
      store.Bookmark(std::move(first.resource_version));
      return absl::OkStatus();
    default:
      return internal::ApplyChanges<T>(std::move(deltas), store, notify);
  }
}

}  // namespace kube::informers

#endif  // INFORMERS_APPLY_DELTAS_H_
