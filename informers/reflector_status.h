#ifndef INFORMERS_REFLECTOR_STATUS_H_
#define INFORMERS_REFLECTOR_STATUS_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"

// What a reflector says of itself: for those who want to know why nothing comes.
namespace kube::informers {

// What it does at this moment.
enum class ReflectorState {
  kNotStarted,
  kListing,       // it asks for a list, or for one of its pages
  kWatchListing,  // it watches, and what there is has not all come yet
  kWatching,      // it knows all objects, and hears of changes; or is opening the watch
  kBackingOff,    // `error` happened, and it waits before it tries again
  kStopped,
};

// "Listing", "BackingOff" ...
absl::string_view ToString(ReflectorState state);
std::ostream& operator<<(std::ostream& out, ReflectorState state);

// How often something has happened since the start.
struct ReflectorCounters {
  int64_t lists = 0;        // lists begun, each with all its pages
  int64_t pages = 0;        // answers to these
  int64_t watch_lists = 0;  // watches begun that were to give all objects first
  int64_t watches = 0;      // other watches begun
  int64_t syncs = 0;        // how often all objects were handed over
  int64_t added = 0;        // events of watches, also those of watch-lists
  int64_t modified = 0;
  int64_t deleted = 0;
  int64_t bookmarks = 0;
  int64_t expired = 0;  // answers that a resource version is too old, or has not come yet
  int64_t errors = 0;   // of all kinds, those among them
  int64_t back_offs = 0;
  int64_t rejected = 0;  // objects that the transform or the store refused
  int64_t resyncs = 0;
};

// A value: a picture of one moment.
struct ReflectorStatus {
  ReflectorState state = ReflectorState::kNotStarted;
  // Since when.
  base::MonotonicTime since = {};
  // What went wrong last, if nothing has succeeded since: no list was complete, no watch has begun.
  // errors::IsForbidden and its like tell what to do.
  absl::Status error = {};
  // When something of the server came last: a list or a page of one, an event, a bookmark.
  std::optional<base::MonotonicTime> last_heard = {};
  // Of the last list, event or bookmark. Empty: nothing has come yet.
  // (Reflector.LastSyncResourceVersion)
  std::string last_sync_resource_version = {};
  ReflectorCounters counters = {};

  // Whether all objects were handed over once. They may be in a queue yet.
  bool has_listed() const { return counters.syncs > 0; }
};

}  // namespace kube::informers

#endif  // INFORMERS_REFLECTOR_STATUS_H_
