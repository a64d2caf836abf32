#ifndef CONTROLLER_RECONCILE_INTERNAL_ATTACH_WATCH_H_
#define CONTROLLER_RECONCILE_INTERNAL_ATTACH_WATCH_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "controller/cache/watched.h"
#include "controller/predicates/predicate.h"
#include "controller/reconcile/cause.h"
#include "controller/reconcile/internal/controller_core.h"
#include "controller/triggers/trigger.h"
#include "controller/workqueue/key_traits.h"
#include "listers/stored_object.h"

namespace kube::controller::internal {

// Returns the event as a cause. `kind` is that of the watch, for events that do not have it.
Cause CauseOf(const TriggerEvent& event, absl::string_view kind);

// Makes the events of a watch add keys to the controller, and the watch one of the controller's.
template <listers::StoredObject K, workqueue::QueueKey Key>
void AttachWatch(const std::shared_ptr<ControllerCore>& core, const Watched<K>& watched,
                 Trigger<K, Key> trigger, Predicate<K> predicate) {
  const auto add = [core, kind = watched.core()->kind().kind](const Key& key, int16_t priority,
                                                              const TriggerEvent& event) {
    core->Add(workqueue::KeyTraits<Key>::ToText(key), {.priority = priority}, CauseOf(event, kind));
  };
  const absl::Status added = watched.AddEventHandler(
      HandlerFor<K, Key>(std::move(trigger), std::move(predicate), add), {.name = core->name()});
  if (!added.ok()) core->NoteSetupError(added);
  core->AddWatch(watched.core());
}

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_ATTACH_WATCH_H_
