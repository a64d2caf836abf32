#ifndef INFORMERS_INTERNAL_MERGE_NOTIFICATIONS_H_
#define INFORMERS_INTERNAL_MERGE_NOTIFICATIONS_H_

#include <cstddef>
#include <string>
#include <unordered_map>

#include "apimachinery/meta/object_access.h"
#include "informers/internal/notification.h"

namespace kube::informers::internal {

// Merges notifications so that one remains for each object, leading from the state before its first
// notification to the state after its last. Thread-compatible.
class NotificationMerger {
 public:
  // `access` must outlive the merger.
  explicit NotificationMerger(const meta::ObjectAccess& access) : access_(access) {}

  // Adds the next notification.
  void Add(const AnyNotification& notification);
  // Returns the merged notifications, ordered by the first occurrence of each object, and leaves
  // this empty.
  Notifications Take();

 private:
  const meta::ObjectAccess& access_;
  Notifications merged_;
  std::unordered_map<std::string, size_t> positions_;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_MERGE_NOTIFICATIONS_H_
