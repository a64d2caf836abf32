#include "informers/internal/merge_notifications.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "informers/delta.h"

namespace kube::informers::internal {
namespace {

// Merges two consecutive notifications of one object. The result has no object if nothing remains
// to be told: the object was added and deleted again.
AnyNotification Merge(const AnyNotification& first, const AnyNotification& second,
                      const meta::ObjectAccess& access) {
  const bool was_there = first.type != DeltaType::kAdded;
  if (second.type == DeltaType::kDeleted) {
    if (!was_there) return {};
    AnyNotification deleted = second;
    deleted.change.old_object = first.change.old_object;
    return deleted;
  }
  if (!was_there) {
    return {.type = DeltaType::kAdded,
            .is_initial = first.is_initial,
            .change = {.object = second.change.object}};
  }
  return {.type = DeltaType::kUpdated,
          .is_resync = first.is_resync && second.is_resync,
          .is_recreated =
              access.uid(first.change.old_object.get()) != access.uid(second.change.object.get()),
          .change = {.object = second.change.object, .old_object = first.change.old_object}};
}

}  // namespace

void NotificationMerger::Add(const AnyNotification& notification) {
  const void* const object = notification.change.object.get();
  const meta::ObjectKey key = access_.key(object);
  const auto [it, is_new] =
      positions_.try_emplace(absl::StrCat(key.namespace_name, "/", key.name), merged_.all.size());
  if (is_new) {
    merged_.all.push_back(notification);
    return;
  }
  AnyNotification& present = merged_.all[it->second];
  // After an add and a delete, which cancel each other, the object appears again.
  present = present.change.object == nullptr ? notification : Merge(present, notification, access_);
}

Notifications NotificationMerger::Take() {
  std::erase_if(merged_.all, [](const AnyNotification& n) { return n.change.object == nullptr; });
  for (const AnyNotification& n : merged_.all) merged_.resyncs += n.is_resync ? 1 : 0;
  positions_.clear();
  return std::exchange(merged_, {});
}

}  // namespace kube::informers::internal
