#include "informers/delta.h"

namespace kube::informers {

absl::string_view ToString(DeltaType type) {
  switch (type) {
    case DeltaType::kAdded:
      return "Added";
    case DeltaType::kUpdated:
      return "Updated";
    case DeltaType::kDeleted:
      return "Deleted";
    case DeltaType::kReplaced:
      return "ReplacedAll";
    case DeltaType::kSync:
      return "SyncAll";
    case DeltaType::kBookmark:
      return "Bookmark";
  }
  return "";
}

std::ostream& operator<<(std::ostream& out, DeltaType type) { return out << ToString(type); }

}  // namespace kube::informers
