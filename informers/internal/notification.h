#ifndef INFORMERS_INTERNAL_NOTIFICATION_H_
#define INFORMERS_INTERNAL_NOTIFICATION_H_

#include <functional>
#include <memory>
#include <vector>

#include "informers/delta.h"

namespace kube::informers::internal {

// What a handler is told, of any type.
struct AnyNotification {
  // kAdded, kUpdated, kDeleted.
  DeltaType type = DeltaType::kAdded;
  // Of kAdded: there before the handler was.
  bool is_initial = false;
  // Of kUpdated: nothing has changed. For those alone who want to hear of that.
  bool is_resync = false;
  // Of kUpdated: the UIDs differ.
  bool is_recreated = false;
  // Of kDeleted: a list lacked it.
  bool final_state_unknown = false;
  std::shared_ptr<const void> old_object = {};  // null if kAdded
  std::shared_ptr<const void> object = {};
};

// What one batch of deltas did: shared by all handlers, and never changed.
using NotificationBatch = std::shared_ptr<const std::vector<AnyNotification>>;

using AnyHandler = std::function<void(const AnyNotification&)>;

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_NOTIFICATION_H_
