#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_CURRENT_OPERATION_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_CURRENT_OPERATION_H_

#include "apimachinery/managedfields/managers.h"
#include "apimachinery/types/time.h"

namespace kube::managedfields::internal {

// Returns the identity under which the updater computes what an ordinary write changes. No other
// manager has it, so that the earlier fields of the manager that writes are treated as those of
// others: they tell what was changed only now (apimachinery: `managedFieldsUpdater`).
ManagerId CurrentOperation();

// Returns `managed` with the fields of CurrentOperation given to `manager`, in addition to those
// that it has, and with `now` as its time. If the write changed nothing that can be owned, or only
// removed fields, there are none, and `managed` is returned unchanged.
Managed AssignCurrentOperation(Managed managed, const ManagerId& manager, Time now);

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_CURRENT_OPERATION_H_
