#ifndef INFORMERS_HANDLER_OPTIONS_H_
#define INFORMERS_HANDLER_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/time/time.h"

namespace kube::informers {

// What happens when a handler is so slow that more waits for it than it allows.
enum class OverflowPolicy {
  // What waits of one object becomes one event, from what the handler was told last to what is: an
  // object that came and went is not mentioned, one that went and came is an update with
  // is_recreated. Nothing final is lost, but a handler may never hear of a state between: work with
  // `old_object` and `object` of updates and deletes, not with what an object must have been. The
  // queue is bounded by the number of objects, and max_pending is when that begins.
  kMerge,
  // The informer waits for the handler, and all other handlers, and the store, with it; the watch
  // is read no further. Then the server may end it.
  kWait,
};

// Of one handler. (cache.HandlerOptions)
struct HandlerOptions {
  // For messages and metrics. Default: "handler-N" in the order of their coming.
  std::string name = {};
  // How often it wants to be told of all objects again, as updates with is_resync. Less than a
  // second is a second. An informer whose own resync_period is zero has no resyncs, whatever its
  // handlers ask for; one that runs already does not begin to look more often. Both are
  // warnings in the log. Zero: never. Default: that of the informer.
  std::optional<absl::Duration> resync_period = {};
  // More events than this may wait only if `overflow` lets them. Zero, the default: no bound, as
  // client-go; what waits are pointers to objects that else would be gone.
  size_t max_pending = 0;
  OverflowPolicy overflow = OverflowPolicy::kMerge;
};

// How a handler is doing. A value: a picture of one moment.
struct HandlerStatus {
  std::string name = {};
  // It has heard of all that was there when it came.
  bool synced = false;
  // Events that wait, and the most that ever did.
  size_t pending = 0;
  size_t max_pending = 0;
  // Calls that have returned; with those that had no function for them.
  int64_t delivered = 0;
  // Not told, as it did not want to hear of resyncs at that time.
  int64_t suppressed = 0;
  // Not told, as they became one with others (OverflowPolicy::kMerge).
  int64_t merged = 0;
  // How long the informer has waited for it (OverflowPolicy::kWait).
  absl::Duration waited = absl::ZeroDuration();
  // Since when the present call runs. Zero: none does. A large one is a handler that is stuck.
  absl::Duration running = absl::ZeroDuration();
};

}  // namespace kube::informers

#endif  // INFORMERS_HANDLER_OPTIONS_H_
