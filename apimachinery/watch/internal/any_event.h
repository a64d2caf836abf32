#ifndef APIMACHINERY_WATCH_INTERNAL_ANY_EVENT_H_
#define APIMACHINERY_WATCH_INTERNAL_ANY_EVENT_H_

// Conversions to events of any type: code that queues them is then compiled once, not for each
// kind.

#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/watch/event.h"

namespace kube::watch::internal {

template <typename T>
Event<void> ToAny(Event<T> event) {
  return {.type = event.type, .object = std::move(event.object), .error = std::move(event.error)};
}

template <typename T>
Event<T> FromAny(Event<void> event) {
  return {.type = event.type,
          .object = std::static_pointer_cast<const T>(std::move(event.object)),
          .error = std::move(event.error)};
}

// Converts the result of Watcher::Next.
template <typename T>
absl::StatusOr<std::optional<Event<T>>> FromAny(absl::StatusOr<std::optional<Event<void>>> event) {
  if (!event.ok()) return std::move(event).status();
  if (!event->has_value()) return std::optional<Event<T>>();
  return FromAny<T>(**std::move(event));
}

// The events of a watcher. Once the queue is closed and drained, the watch has ended.
using EventQueue = base::BoundedQueue<Event<void>>;

// Implements Watcher::Next on a queue.
absl::StatusOr<std::optional<Event<void>>> NextOf(EventQueue& queue, const Context& ctx);

template <typename T>
absl::StatusOr<std::optional<Event<T>>> NextOf(EventQueue& queue, const Context& ctx) {
  return FromAny<T>(NextOf(queue, ctx));
}

}  // namespace kube::watch::internal

#endif  // APIMACHINERY_WATCH_INTERNAL_ANY_EVENT_H_
