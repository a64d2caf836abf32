#include "informers/internal/merge_notifications.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "informers/delta.h"

namespace kube::informers::internal {
namespace {

// What is left of two, one after the other. No object: nothing is.
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
  // The object came and went, and comes again.
  present = present.change.object == nullptr ? notification : Merge(present, notification, access_);
}

Notifications NotificationMerger::Take() {
  std::erase_if(merged_.all, [](const AnyNotification& n) { return n.change.object == nullptr; });
  for (const AnyNotification& n : merged_.all) merged_.resyncs += n.is_resync ? 1 : 0;
  positions_.clear();
  return std::exchange(merged_, {});
}

}  // namespace kube::informers::internal
