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

// Returns whether an event fulfils the condition. It is also called with events of type kError. An
// error ends the wait. (client-go: `ConditionFunc`)
template <typename T>
using EventCondition = std::function<absl::StatusOr<bool>(const watch::Event<T>&)>;

// Reads events until all conditions have become true, one after the other; a condition is first
// tested on the event that fulfilled the previous one. Returns the event that fulfilled the last
// condition, or nothing if `conditions` is empty. Blocks. Stops the watch in any case.
//
// Returns the error of a condition, UNAVAILABLE if the watch ended early, or ctx.status().
// (client-go: `UntilWithoutRetry`)
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
          return absl::UnavailableError("wait for a condition: watch closed before timeout");
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

// Does what UntilWithoutRetry does with a RetryWatcher that starts at `resource_version`, so that
// timeouts and lost connections do not end the wait and no event is missed. Also returns the errors
// of RetryWatcher::Make. If the version becomes too old, the condition is given an event of type
// kError; if that does not fulfil it, UNAVAILABLE is returned. (client-go: `Until`)
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
