#include "controller/reconcile/internal/attach_watch.h"

#include <string>

#include "absl/strings/string_view.h"
#include "controller/reconcile/cause.h"
#include "controller/triggers/trigger.h"

namespace kube::controller::internal {

namespace {

Cause::Type TypeOf(const TriggerEvent& event) {
  if (event.initial) return Cause::Type::kInitialList;
  if (event.resync) return Cause::Type::kResync;
  switch (event.type) {
    case TriggerEvent::Type::kAdded:
      return Cause::Type::kAdded;
    case TriggerEvent::Type::kDeleted:
      return Cause::Type::kDeleted;
    case TriggerEvent::Type::kUpdated:
      break;
  }
  return Cause::Type::kUpdated;
}

}  // namespace

Cause CauseOf(const TriggerEvent& event, absl::string_view kind) {
  return {.type = TypeOf(event),
          .kind = event.kind.empty() ? std::string(kind) : std::string(event.kind),
          .object = event.object,
          .old_version = std::string(event.old_version),
          .new_version = std::string(event.new_version)};
}

}  // namespace kube::controller::internal
