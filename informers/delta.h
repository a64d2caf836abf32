#ifndef INFORMERS_DELTA_H_
#define INFORMERS_DELTA_H_

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::informers {

// What a Delta reports. The type is set by the producer and never derived from resource versions,
// so a transform that changes resource versions loses no updates. (client-go: `cache.DeltaType`)
enum class DeltaType {
  kAdded,     // ADDED event of a watch
  kUpdated,   // MODIFIED event of a watch
  kDeleted,   // DELETED event of a watch, with the last state of the object
  kReplaced,  // a complete list: replaces all objects (client-go: `cache.ReplacedAll`)
  kSync,      // a resync: no change, all objects are delivered again (client-go: `cache.SyncAll`)
  kBookmark,  // no change: the objects are current as of this resource version
};

// Returns client-go's name of the type: "Added", "Updated", ..., "ReplacedAll", "SyncAll".
absl::string_view ToString(DeltaType type);
std::ostream& operator<<(std::ostream& out, DeltaType type);

// One change that a reflector has seen. A value; its objects are shared and immutable.
template <typename T>
struct Delta {
  DeltaType type = DeltaType::kAdded;
  // Never null for kAdded, kUpdated and kDeleted.
  std::shared_ptr<const T> object = {};
  // Set for kReplaced only.
  std::vector<std::shared_ptr<const T>> objects = {};
  // Set for kReplaced and kBookmark only.
  std::string resource_version = {};
};

}  // namespace kube::informers

#endif  // INFORMERS_DELTA_H_
