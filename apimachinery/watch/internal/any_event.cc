#include "apimachinery/watch/internal/any_event.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"

namespace kube::watch::internal {

absl::StatusOr<std::optional<Event<void>>> NextOf(EventQueue& queue, const Context& ctx) {
  absl::StatusOr<Event<void>> event = queue.Pop(ctx);
  if (event.ok()) return *std::move(event);
  // BoundedQueue::Pop returns OUT_OF_RANGE once the queue is closed and drained; no context does.
  if (absl::IsOutOfRange(event.status())) return std::optional<Event<void>>();
  return event.status();
}

}  // namespace kube::watch::internal
