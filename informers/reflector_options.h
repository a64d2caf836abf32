#ifndef INFORMERS_REFLECTOR_OPTIONS_H_
#define INFORMERS_REFLECTOR_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/backoff.h"

namespace kube::informers {

// 0.8 s, twice that after each failure up to 30 s, and up to as much again at random: in a long
// outage a try every 30 to 60 s.
inline constexpr base::Backoff kReflectorBackoff = {.duration = absl::Milliseconds(800),
                                                    .factor = 2,
                                                    .jitter = 1,
                                                    .steps = 38,
                                                    .cap = absl::Seconds(30)};

// Of a Reflector. (cache.ReflectorOptions)
struct ReflectorOptions {
  // For messages. Default: what the ListerWatcher says, as "pods in prod".
  std::string name = {};

  // Which objects: "app=web,tier!=db"; "spec.nodeName=node-1". Default: all. A server refuses what
  // it does not understand.
  std::string label_selector = {};
  std::string field_selector = {};

  // Whether to ask for all objects by a watch, for which the server needs far less memory. Where
  // it fails, or the server does not have it, it lists, that time. Default: yes, as client-go since
  // 1.35.
  bool watch_list = true;
  // How many objects to ask for at once when listing. Zero, the default: 500 in the first list,
  // which most servers answer from their cache as a whole; all when it lists again. Other values
  // make the server read its database. (Reflector.WatchListPageSize)
  int64_t page_size = 0;

  // The server is asked to end each watch after this time, or up to twice that, at random. Less
  // than the default, 5 minutes, is taken as that.
  absl::Duration min_watch_timeout = absl::Minutes(5);

  // How often all objects are handed over again as kSync, while it watches. Zero: never.
  absl::Duration resync_period = absl::ZeroDuration();
  // Asked each time before that; null: always. Must not block.
  std::function<bool()> should_resync = {};

  // How long to begin the watch again, from where it was, when the server says InternalError in
  // it. Zero, the default: not at all, it lists again.
  absl::Duration max_internal_error_retry = absl::ZeroDuration();

  // Between tries, and after what time without a failure it begins anew.
  base::Backoff backoff = kReflectorBackoff;
  absl::Duration backoff_reset = absl::Minutes(2);

  // Told of each error for which it backs off or lists again, on the reflector's thread, besides
  // that it is logged. Must not block. (SetWatchErrorHandler)
  std::function<void(const absl::Status&)> on_error = {};
};

}  // namespace kube::informers

#endif  // INFORMERS_REFLECTOR_OPTIONS_H_
