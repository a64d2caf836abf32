#include "informers/reflector_status.h"

namespace kube::informers {

absl::string_view ToString(ReflectorState state) {
  switch (state) {
    case ReflectorState::kNotStarted:
      return "NotStarted";
    case ReflectorState::kListing:
      return "Listing";
    case ReflectorState::kWatchListing:
      return "WatchListing";
    case ReflectorState::kWatching:
      return "Watching";
    case ReflectorState::kBackingOff:
      return "BackingOff";
    case ReflectorState::kStopped:
      return "Stopped";
  }
  return "";
}

std::ostream& operator<<(std::ostream& out, ReflectorState state) { return out << ToString(state); }

}  // namespace kube::informers
