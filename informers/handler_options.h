#ifndef INFORMERS_HANDLER_OPTIONS_H_
#define INFORMERS_HANDLER_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/time/time.h"

namespace kube::informers {

// What happens when more events wait for a handler than HandlerOptions::max_pending.
enum class OverflowPolicy {
  // Merges the waiting events of each object into one, from the state the handler saw last to the
  // current state. An object that was created and deleted meanwhile is not reported; one that was
  // deleted and created again is reported as an update with `is_recreated`. The final state is
  // always reported, but the handler may miss states in between: compare `old_object` and `object`
  // instead of assuming a history. The queue is then bounded by the number of objects, and
  // `max_pending` is the length at which merging starts.
  kMerge,
  // Makes the informer wait for the handler. The store and all other handlers wait too, and the
  // watch is not read meanwhile, so the server may end it.
  kWait,
};

// Options of AddEventHandler. (client-go: `cache.HandlerOptions`)
struct HandlerOptions {
  // Name for messages and metrics. Default: "handler-N", where N counts the informer's handlers.
  std::string name = {};
  // How often this handler is given all objects again, as updates with `is_resync`. Zero: never.
  // Default: the resync period of the informer. Periods below one second are raised to one second.
  // If the informer's own resync_period is zero, no handler gets resyncs; an informer that is
  // already running does not shorten its period for a new handler. All three cases are logged as
  // warnings.
  std::optional<absl::Duration> resync_period = {};
  // Number of events that may wait before `overflow` applies. Zero, the default: no bound, as in
  // client-go. Each waiting event keeps its objects in memory.
  size_t max_pending = 0;
  OverflowPolicy overflow = OverflowPolicy::kMerge;
};

// A snapshot of a handler's progress. A plain value.
struct HandlerStatus {
  std::string name = {};
  // Whether the handler was given all initial objects.
  bool synced = false;
  // Number of events waiting now, and the maximum so far.
  size_t pending = 0;
  size_t max_pending = 0;
  // Number of calls that have returned, including events for which the handler has no function.
  int64_t delivered = 0;
  // Number of resync events withheld because this handler's resync period was not over.
  int64_t suppressed = 0;
  // Number of events that were merged into others (OverflowPolicy::kMerge).
  int64_t merged = 0;
  // Total time the informer has waited for this handler (OverflowPolicy::kWait).
  absl::Duration waited = absl::ZeroDuration();
  // Duration of the present call, or zero if no call is running. A large value means a stuck
  // handler.
  absl::Duration running = absl::ZeroDuration();
};

}  // namespace kube::informers

#endif  // INFORMERS_HANDLER_OPTIONS_H_
