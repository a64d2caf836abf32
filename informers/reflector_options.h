#ifndef INFORMERS_REFLECTOR_OPTIONS_H_
#define INFORMERS_REFLECTOR_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/backoff.h"

namespace kube::informers {

// The default back-off: starts at 0.8 s and doubles after each failure up to 30 s; each wait is
// extended by a random part of up to 100 %. In a long outage there is one attempt every 30 to 60 s.
inline constexpr base::Backoff kReflectorBackoff = {.duration = absl::Milliseconds(800),
                                                    .factor = 2,
                                                    .jitter = 1,
                                                    .steps = 38,
                                                    .cap = absl::Seconds(30)};

// Options of a Reflector. (client-go: `cache.ReflectorOptions`)
struct ReflectorOptions {
  // Name for messages. Default: the description of the ListerWatcher, such as "pods in prod".
  std::string name = {};

  // Selects objects, such as "app=web,tier!=db" or "spec.nodeName=node-1". Default: all objects.
  // The server rejects selectors that it does not understand.
  std::string label_selector = {};
  std::string field_selector = {};

  // Whether to get the initial objects with a watch (streaming list), which takes far less memory
  // on the server. If the server does not support it or it fails, the reflector falls back to a
  // list for that cycle. Default: true, as in client-go since 1.35.
  bool watch_list = true;
  // Page size of lists. Zero, the default: 500 for the first list, which most servers answer as a
  // whole from their watch cache, and no paging when listing again. Any other value can make the
  // server read from etcd instead of its cache. (client-go: `Reflector.WatchListPageSize`)
  int64_t page_size = 0;

  // Minimum duration of a watch. The server is asked to end each watch after a random time between
  // this and twice this. Values below the default, 5 minutes, are raised to it.
  absl::Duration min_watch_timeout = absl::Minutes(5);

  // How often a kSync delta is handed over while watching. Zero, the default: never.
  absl::Duration resync_period = absl::ZeroDuration();
  // Called before each resync, on the reflector's thread; if it returns false, the resync is
  // skipped. Must not block. Null: never skip.
  std::function<bool()> should_resync = {};

  // How long a watch that fails with InternalError is retried from the last resource version. Zero,
  // the default: no retry, the reflector lists again.
  absl::Duration max_internal_error_retry = absl::ZeroDuration();

  // Waits between attempts, and the time without a failure after which the back-off starts over.
  base::Backoff backoff = kReflectorBackoff;
  absl::Duration backoff_reset = absl::Minutes(2);

  // Called with each error after which the reflector backs off or lists again, on the reflector's
  // thread, in addition to logging. Must not block. (client-go: `SetWatchErrorHandler`)
  std::function<void(const absl::Status&)> on_error = {};
};

}  // namespace kube::informers

#endif  // INFORMERS_REFLECTOR_OPTIONS_H_
