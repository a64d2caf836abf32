#ifndef INFORMERS_REFLECTOR_STATUS_H_
#define INFORMERS_REFLECTOR_STATUS_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"

// The state of a reflector, for status pages and for finding out why no events arrive.
namespace kube::informers {

// The present activity of a reflector.
enum class ReflectorState {
  kNotStarted,
  kListing,       // requesting a list or one of its pages
  kWatchListing,  // reading a watch-list whose initial objects are not complete
  kWatching,      // opening or reading a watch, after a complete list
  kBackingOff,    // waiting before the next attempt, because of `error`
  kStopped,
};

// Returns the state's name, such as "Listing" or "BackingOff".
absl::string_view ToString(ReflectorState state);
std::ostream& operator<<(std::ostream& out, ReflectorState state);

// Counts since the start of the reflector.
struct ReflectorCounters {
  int64_t lists = 0;        // lists begun, each counted once with all its pages
  int64_t pages = 0;        // pages received
  int64_t watch_lists = 0;  // watch-lists begun
  int64_t watches = 0;      // watches begun, without watch-lists
  int64_t syncs = 0;        // complete sets of objects handed over
  int64_t added = 0;        // watch events by type, including those of watch-lists
  int64_t modified = 0;
  int64_t deleted = 0;
  int64_t bookmarks = 0;
  int64_t expired = 0;  // errors for a resource version that is too old or too new
  int64_t errors = 0;   // all errors, including expired ones
  int64_t back_offs = 0;
  int64_t rejected = 0;  // objects refused by the transform or the store
  int64_t resyncs = 0;
};

// A snapshot of a reflector's state. A plain value.
struct ReflectorStatus {
  ReflectorState state = ReflectorState::kNotStarted;
  // When the reflector entered `state`.
  base::MonotonicTime since = {};
  // The last error, or OK if a list was completed or a watch was opened since. Use predicates such
  // as errors::IsForbidden to classify it.
  absl::Status error = {};
  // When the server last sent a page, an event or a bookmark.
  std::optional<base::MonotonicTime> last_heard = {};
  // Resource version of the last list, event or bookmark; empty before the first.
  // (client-go: `Reflector.LastSyncResourceVersion`)
  std::string last_sync_resource_version = {};
  ReflectorCounters counters = {};

  // Returns whether all objects were handed over at least once. They may still be queued.
  bool has_listed() const { return counters.syncs > 0; }
};

}  // namespace kube::informers

#endif  // INFORMERS_REFLECTOR_STATUS_H_
