#ifndef APIMACHINERY_MANAGEDFIELDS_CONFLICT_H_
#define APIMACHINERY_MANAGEDFIELDS_CONFLICT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/managers.h"

namespace kube::managedfields {

// Fields that an apply would change although another manager owns them.
struct ManagerConflict {
  ManagerId manager;
  FieldSet fields;
};

// Returns the 409 answer of an API server: ABORTED with a Status object whose reason is Conflict
// and whose details have a cause for each field of each manager (apimachinery: `NewConflictError`).
// Conflicts are sorted by manager, so that the answer is always the same; upstream's causes are in
// random order.
absl::Status ConflictError(const std::vector<ManagerConflict>& conflicts);

// One cause of a conflict as a client sees it.
struct ApplyConflict {
  std::string manager;  // as the server describes it: `"ctl" using apps/v1`
  std::string field;    // `.spec.replicas`
};

// Returns the causes of a conflict that a server answered to an apply; empty if `status` is not
// such a conflict.
std::vector<ApplyConflict> ApplyConflicts(const absl::Status& status);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_CONFLICT_H_
