#ifndef INFORMERS_INTERNAL_NOTIFICATION_H_
#define INFORMERS_INTERNAL_NOTIFICATION_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "informers/delta.h"
#include "listers/any_change.h"

namespace kube::informers::internal {

// What a handler is told of one change, of any type.
struct AnyNotification {
  // kAdded, kDeleted; kUpdated, kReplaced and kSync are updates.
  DeltaType type = DeltaType::kAdded;
  // Of kAdded: it was there before the handler was.
  bool is_initial = false;
  // An update that is none: nothing has changed. For those alone who want to hear of that.
  bool is_resync = false;
  // Of an update: the UIDs differ.
  bool is_recreated = false;
  // Of kDeleted: a list lacked it, and `object` is what the store had.
  bool final_state_unknown = false;
  // The change itself, as the store makes it: `object` is never null. `old_object` is what the
  // store had, which is what the handler was told last; null: of kAdded.
  listers::AnyChange change = {};
};

// What one batch of deltas did.
struct Notifications {
  std::vector<AnyNotification> all = {};
  size_t resyncs = 0;  // so many of them
};

// All handlers share one, and it never changes.
using NotificationBatch = std::shared_ptr<const Notifications>;

using AnyHandler = std::function<void(const AnyNotification&)>;

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_NOTIFICATION_H_
