#ifndef INFORMERS_UNTIL_H_
#define INFORMERS_UNTIL_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "informers/lister_watcher.h"
#include "informers/retry_watcher.h"
#include "listers/stored_object.h"

namespace kube::informers {

// Whether what was waited for has come. It sees events of type kError too. An error ends the wait.
// (ConditionFunc)
template <typename T>
using EventCondition = std::function<absl::StatusOr<bool>(const watch::Event<T>&)>;

// Pulls events until each condition, one after the other, was true; one that is true of the event
// that fulfilled the one before it is so at once. Returns that last event; nothing without
// conditions. The watch is stopped.
//
// Errors: a condition's; UNAVAILABLE: the watch has ended before; ctx.status().
// (UntilWithoutRetry)
template <typename T>
absl::StatusOr<std::optional<watch::Event<T>>> UntilWithoutRetry(
    const Context& ctx, watch::Watcher<T>& watcher,
    const std::vector<EventCondition<T>>& conditions) {
  const auto pull = [&]() -> absl::StatusOr<std::optional<watch::Event<T>>> {
    std::optional<watch::Event<T>> last;
    for (const EventCondition<T>& condition : conditions) {
      absl::StatusOr<bool> done = last.has_value() ? condition(*last) : false;
      while (done.ok() && !*done) {
        absl::StatusOr<std::optional<watch::Event<T>>> event = watcher.Next(ctx);
        if (!event.ok()) return event;
        if (!event->has_value()) {
          return absl::UnavailableError("wait for a condition: the watch has ended");
        }
        last = **std::move(event);
        done = condition(*last);
      }
      if (!done.ok()) return done.status();
    }
    return last;
  };
  auto result = pull();
  watcher.Stop();
  return result;
}

// The same with a RetryWatcher from this version on, so that neither timeouts nor lost connections
// end it: every event is seen. Errors also: those of RetryWatcher::Make. Where the version becomes
// too old the condition sees an event of type kError, and then it is UNAVAILABLE. (Until)
template <listers::StoredObject T>
absl::StatusOr<std::optional<watch::Event<T>>> Until(
    const Context& ctx, TypedListerWatcher<T> source, std::string resource_version,
    const std::vector<EventCondition<T>>& conditions) {
  absl::StatusOr<std::unique_ptr<RetryWatcher<T>>> watcher =
      RetryWatcher<T>::Make(std::move(source), std::move(resource_version));
  if (!watcher.ok()) return std::move(watcher).status();
  return UntilWithoutRetry<T>(ctx, **watcher, conditions);
}

}  // namespace kube::informers

#endif  // INFORMERS_UNTIL_H_
