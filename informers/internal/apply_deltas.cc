#include "informers/internal/apply_deltas.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/meta/object_access.h"
#include "informers/delta.h"
#include "listers/any_change.h"
#include "listers/any_store.h"

namespace kube::informers::internal {
namespace {

using listers::AnyChange;
using listers::AnySnapshot;
using listers::AnyStore;
using AnyObject = std::shared_ptr<const void>;

AnyObject Find(const AnySnapshot& snapshot, const meta::ObjectAccess& access, const void* object) {
  const meta::ObjectKey key = access.key(object);
  return snapshot.Get(key.namespace_name, key.name);
}

// Removes elements whose object the store would refuse, so that it does not refuse the whole batch.
// No server sends such objects.
template <typename Elements, typename ObjectOf>
absl::Status RemoveRefused(Elements& elements, const meta::ObjectAccess& access,
                           ObjectOf object_of) {
  absl::Status status;
  std::erase_if(elements, [&](const auto& element) {
    const meta::ObjectKey key = access.key(object_of(element));
    absl::Status check = AnyStore::CheckKey(key.namespace_name, key.name);
    status.Update(check);
    return !check.ok();
  });
  return status;
}

bool IsRecreated(const meta::ObjectAccess& access, const AnyChange& change) {
  return access.uid(change.old_object.get()) != access.uid(change.object.get());
}

// Returns the notification for an object of a list.
AnyNotification Listed(const meta::ObjectAccess& access, AnyObject old_object, AnyObject object) {
  AnyNotification listed = {
      .type = DeltaType::kAdded,
      .change = {.object = std::move(object), .old_object = std::move(old_object)}};
  const AnyChange& change = listed.change;
  if (change.old_object == nullptr) return listed;
  listed.type = DeltaType::kReplaced;
  listed.is_recreated = IsRecreated(access, change);
  listed.is_resync = !listed.is_recreated && access.resource_version(change.old_object.get()) ==
                                                 access.resource_version(change.object.get());
  return listed;
}

AnyNotification Gone(AnyObject object) {
  return {.type = DeltaType::kDeleted,
          .final_state_unknown = true,
          .change = {.object = object, .old_object = object, .is_removal = true}};
}

void Append(std::vector<AnyNotification> from, Notifications& to) {
  for (AnyNotification& notification : from) {
    to.resyncs += notification.is_resync ? 1 : 0;
    to.all.push_back(std::move(notification));
  }
}

absl::Status ApplyReplaced(Delta<void> list, const meta::ObjectAccess& access, AnyStore& store,
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
  // Deletions come first, as in client-go.
  before.ForEach([&](const AnyObject& old) {
    if (Find(after, access, old.get()) == nullptr) notifications->all.push_back(Gone(old));
  });
  Append(std::move(listed), *notifications);
  return status;
}

// Turns the deltas into notifications and lets the store work on their changes in place.
absl::Status ApplyChanges(std::vector<Delta<void>> deltas, const meta::ObjectAccess& access,
                          AnyStore& store, Notifications* notifications) {
  absl::Status status =
      RemoveRefused(deltas, access, [](const Delta<void>& delta) { return delta.object.get(); });
  Notifications unheard;
  std::vector<AnyNotification>& all = (notifications == nullptr ? unheard : *notifications).all;
  const size_t begin = all.size();
  all.reserve(begin + deltas.size());
  for (Delta<void>& delta : deltas) {
    all.push_back({.type = delta.type,
                   .change = {.object = std::move(delta.object),
                              .is_removal = delta.type == DeltaType::kDeleted}});
  }
  status.Update(
      store.Apply(deltas.size(), [&](size_t i) -> AnyChange& { return all[begin + i].change; }));
  for (size_t i = begin; i < all.size(); ++i) {
    AnyNotification& notification = all[i];
    if (notification.change.is_removal) continue;
    const bool is_new = notification.change.old_object == nullptr;
    notification.type = is_new ? DeltaType::kAdded : DeltaType::kUpdated;
    notification.is_recreated = !is_new && IsRecreated(access, notification.change);
  }
  return status;
}

void TellOfAll(const AnyStore& store, const AnyNotification& like, Notifications& notifications) {
  const AnySnapshot snapshot = store.snapshot();
  notifications.all.reserve(snapshot.size());
  snapshot.ForEach([&](const AnyObject& object) {
    AnyNotification& notification = notifications.all.emplace_back(like);
    notification.change.object = object;
    if (like.is_resync) notification.change.old_object = object;
  });
  if (like.is_resync) notifications.resyncs = notifications.all.size();
}

}  // namespace

absl::Status ApplyDeltas(std::vector<Delta<void>> deltas, const meta::ObjectAccess& access,
                         AnyStore& store, Notifications* notifications) {
  if (deltas.empty()) return absl::OkStatus();
  // A delta that concerns all objects is alone in its batch.
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
