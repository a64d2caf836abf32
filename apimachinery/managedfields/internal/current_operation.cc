#include "apimachinery/managedfields/internal/current_operation.h"

#include <utility>

#include "apimachinery/managedfields/managers.h"
#include "apimachinery/types/time.h"

namespace kube::managedfields::internal {

ManagerId CurrentOperation() {
  // Updaters of entries have an apiVersion.
  return {.name = "current-operation", .operation = Operation::kUpdate};
}

Managed AssignCurrentOperation(Managed managed, const ManagerId& manager, Time now) {
  auto changed = managed.managers.extract(CurrentOperation());
  if (changed.empty()) return managed;
  const auto [entry, is_new] = managed.managers.try_emplace(manager, OwnedFields());
  if (!is_new) {
    changed.mapped().fields = changed.mapped().fields.Union(entry->second.fields);
  }
  entry->second = std::move(changed.mapped());
  managed.times.insert_or_assign(manager, now);
  return managed;
}

}  // namespace kube::managedfields::internal
