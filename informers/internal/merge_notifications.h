#ifndef INFORMERS_INTERNAL_MERGE_NOTIFICATIONS_H_
#define INFORMERS_INTERNAL_MERGE_NOTIFICATIONS_H_

#include <cstddef>
#include <string>
#include <unordered_map>

#include "apimachinery/meta/object_access.h"
#include "informers/internal/notification.h"

namespace kube::informers::internal {

// Makes one notification of all those of one object: from what was told before the first of them to
// what is after the last. Thread-compatible.
class NotificationMerger {
 public:
  // `access` lives for ever.
  explicit NotificationMerger(const meta::ObjectAccess& access) : access_(access) {}

  // The next one.
  void Add(const AnyNotification& notification);
  // In the order in which the objects were named first. Nothing is left.
  Notifications Take();

 private:
  const meta::ObjectAccess& access_;
  Notifications merged_;
  std::unordered_map<std::string, size_t> positions_;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_MERGE_NOTIFICATIONS_H_
