#ifndef INFORMERS_DELTA_H_
#define INFORMERS_DELTA_H_

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::informers {

// What has happened, said by whoever put it into the queue: nothing is guessed from resource
// versions, so a transform that changes those loses no updates. (cache.DeltaType)
enum class DeltaType {
  kAdded,     // the watch said ADDED
  kUpdated,   // MODIFIED
  kDeleted,   // DELETED: the object's last state
  kReplaced,  // all objects are these now: a list, the first or a later one (cache.ReplacedAll)
  kSync,      // nothing: handlers are to see all objects again (cache.SyncAll)
  kBookmark,  // nothing: the objects are as of this resource version
};

// "Added", "Updated" ..., and as upstream "ReplacedAll" and "SyncAll".
absl::string_view ToString(DeltaType type);
std::ostream& operator<<(std::ostream& out, DeltaType type);

// One thing that has happened. A value; the object is shared and never changes.
template <typename T>
struct Delta {
  DeltaType type = DeltaType::kAdded;
  // Of kAdded, kUpdated and kDeleted, and then never null.
  std::shared_ptr<const T> object = {};
  // Of kReplaced.
  std::vector<std::shared_ptr<const T>> objects = {};
  // Of kReplaced and kBookmark.
  std::string resource_version = {};
};

}  // namespace kube::informers

#endif  // INFORMERS_DELTA_H_
