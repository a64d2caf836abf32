#include "informers/internal/apply_deltas.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "informers/delta.h"
#include "informers/internal/object_access.h"
#include "listers/any_change.h"
#include "listers/any_store.h"

namespace kube::informers::internal {
namespace {

using listers::AnyChange;
using listers::AnySnapshot;
using listers::AnyStore;
using AnyObject = std::shared_ptr<const void>;

AnyObject Find(const AnySnapshot& snapshot, const ObjectAccess& access, const void* object) {
  return snapshot.Get(access.namespace_name(object), access.name(object));
}

// Leaves out objects that a store would refuse, and with them all others of the batch. No server
// has such.
template <typename Elements, typename ObjectOf>
absl::Status RemoveRefused(Elements& elements, const ObjectAccess& access, ObjectOf object_of) {
  absl::Status status;
  std::erase_if(elements, [&](const auto& element) {
    const ObjectKey key = KeyOf(access, object_of(element));
    absl::Status check = AnyStore::CheckKey(key.namespace_name, key.name);
    status.Update(check);
    return !check.ok();
  });
  return status;
}

AnyNotification Update(DeltaType type, const ObjectAccess& access, AnyObject old_object,
                       AnyObject object) {
  const bool is_recreated = access.uid(old_object.get()) != access.uid(object.get());
  return {.type = type,
          .is_recreated = is_recreated,
          .old_object = std::move(old_object),
          .object = std::move(object)};
}

// One of a list.
AnyNotification Listed(const ObjectAccess& access, AnyObject old_object, AnyObject object) {
  if (old_object == nullptr) return {.type = DeltaType::kAdded, .object = std::move(object)};
  const bool is_same =
      access.resource_version(old_object.get()) == access.resource_version(object.get());
  AnyNotification update =
      Update(DeltaType::kReplaced, access, std::move(old_object), std::move(object));
  update.is_resync = is_same && !update.is_recreated;
  return update;
}

AnyNotification Gone(AnyObject object) {
  return {.type = DeltaType::kDeleted,
          .final_state_unknown = true,
          .old_object = object,
          .object = std::move(object)};
}

void Append(std::vector<AnyNotification> from, Notifications& to) {
  for (AnyNotification& notification : from) {
    to.resyncs += notification.is_resync ? 1 : 0;
    to.all.push_back(std::move(notification));
  }
}

absl::Status ApplyReplaced(Delta<void> list, const ObjectAccess& access, AnyStore& store,
                           Notifications* notifications) {
  absl::Status status =
      RemoveRefused(list.objects, access, [](const AnyObject& object) { return object.get(); });
  if (notifications == nullptr) {
    status.Update(store.Replace(std::move(list.objects), std::move(list.resource_version)));
    return status;
  }
  const AnySnapshot before = store.snapshot();
  std::vector<AnyNotification> listed;
  listed.reserve(list.objects.size());
  for (const AnyObject& object : list.objects) {
    listed.push_back(Listed(access, Find(before, access, object.get()), object));
  }
  status.Update(store.Replace(std::move(list.objects), std::move(list.resource_version)));
  const AnySnapshot after = store.snapshot();
  // Of what is gone first, as upstream.
  before.ForEach([&](const AnyObject& old) {
    if (Find(after, access, old.get()) == nullptr) notifications->all.push_back(Gone(old));
  });
  Append(std::move(listed), *notifications);
  return status;
}

absl::Status ApplyChanges(std::vector<Delta<void>> deltas, const ObjectAccess& access,
                          AnyStore& store, Notifications* notifications) {
  absl::Status status =
      RemoveRefused(deltas, access, [](const Delta<void>& delta) { return delta.object.get(); });
  std::vector<AnyChange> changes;
  changes.reserve(deltas.size());
  for (const Delta<void>& delta : deltas) {
    if (delta.type != DeltaType::kDeleted) {
      changes.push_back({.object = delta.object});
      continue;
    }
    const ObjectKey key = KeyOf(access, delta.object.get());
    changes.push_back(
        {.object = nullptr,
         .namespace_name = std::string(key.namespace_name),
         .name = std::string(key.name),
         .resource_version = std::string(access.resource_version(delta.object.get()))});
  }
  AnyStore::ApplyResult applied = store.Apply(std::move(changes));
  status.Update(applied.status);
  std::vector<AnyObject>& old = applied.old;
  if (notifications == nullptr) return status;
  notifications->all.reserve(notifications->all.size() + deltas.size());
  for (size_t i = 0; i < deltas.size(); ++i) {
    AnyObject& object = deltas[i].object;
    if (deltas[i].type == DeltaType::kDeleted) {
      notifications->all.push_back({.type = DeltaType::kDeleted,
                                    .old_object = std::move(old[i]),
                                    .object = std::move(object)});
    } else if (old[i] == nullptr) {
      notifications->all.push_back({.type = DeltaType::kAdded, .object = std::move(object)});
    } else {
      notifications->all.push_back(
          Update(DeltaType::kUpdated, access, std::move(old[i]), std::move(object)));
    }
  }
  return status;
}

void TellOfAll(const AnyStore& store, const AnyNotification& like, Notifications& notifications) {
  const AnySnapshot snapshot = store.snapshot();
  notifications.all.reserve(snapshot.size());
  snapshot.ForEach([&](const AnyObject& object) {
    AnyNotification& notification = notifications.all.emplace_back(like);
    notification.object = object;
    if (like.is_resync) notification.old_object = object;
  });
  if (like.is_resync) notifications.resyncs = notifications.all.size();
}

}  // namespace

absl::Status ApplyDeltas(std::vector<Delta<void>> deltas, const ObjectAccess& access,
                         AnyStore& store, Notifications* notifications) {
  if (deltas.empty()) return absl::OkStatus();
  // What is about all objects is alone in its batch.
  Delta<void>& first = deltas.front();
  switch (first.type) {
    case DeltaType::kReplaced:
      return ApplyReplaced(std::move(first), access, store, notifications);
    case DeltaType::kSync:
      if (notifications != nullptr) {
        TellOfAll(store, {.type = DeltaType::kSync, .is_resync = true}, *notifications);
      }
      return absl::OkStatus();
    case DeltaType::kBookmark:
      store.Bookmark(std::move(first.resource_version));
      return absl::OkStatus();
    default:
      return ApplyChanges(std::move(deltas), access, store, notifications);
  }
}

Notifications InitialNotifications(const AnyStore& store) {
  Notifications notifications;
  TellOfAll(store, {.type = DeltaType::kAdded, .is_initial = true}, notifications);
  return notifications;
}

}  // namespace kube::informers::internal
