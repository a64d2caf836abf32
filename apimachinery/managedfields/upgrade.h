#ifndef APIMACHINERY_MANAGEDFIELDS_UPGRADE_H_
#define APIMACHINERY_MANAGEDFIELDS_UPGRADE_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/types/list.h"

// Migration from updates to server-side apply: the entries that a client made by updates or by
// client-side apply become the entry of an applier, so that a later apply can remove fields that it
// does not have any more (client-go: `util/csaupgrade`).
namespace kube::managedfields {

struct UpgradeOptions {
  std::string subresource = {};  // whose entries to migrate; empty: those of the object itself
};

// Returns the entries after the migration. For each of `updaters`, in the order of their names: the
// Apply entry of `applier` receives the fields of the updater's Update entry that is of the same
// version, and all Update entries of the updater are dropped. If there is no such Apply entry yet,
// the updater's first Update entry becomes it. Times and positions stay. The result equals
// `entries`, as servers write them, if there was nothing to migrate.
//
// Returns INVALID_ARGUMENT if the Apply entry, or one that is united with it, cannot be decoded
// (client-go: `csaupgrade.UpgradeManagedFields`, which takes the updaters in random order).
absl::StatusOr<List<api::meta::v1::ManagedFieldsEntry>> UpgradeManagedFields(
    const List<api::meta::v1::ManagedFieldsEntry>& entries, const std::set<std::string>& updaters,
    absl::string_view applier, const UpgradeOptions& options = {});

// Returns a JSON patch that makes the migration on the server, and fails with a conflict if the
// object has changed since it was read. Returns "" if there is nothing to migrate, and the errors
// of UpgradeManagedFields (client-go: `csaupgrade.UpgradeManagedFieldsPatch`).
absl::StatusOr<std::string> UpgradeManagedFieldsPatch(const api::meta::v1::ObjectMeta& metadata,
                                                      const std::set<std::string>& updaters,
                                                      absl::string_view applier,
                                                      const UpgradeOptions& options = {});

// Returns the entries of `operation` that own all `fields`. Entries that cannot be decoded own
// nothing (client-go: `csaupgrade.FindFieldsOwners`).
std::vector<api::meta::v1::ManagedFieldsEntry> FindFieldsOwners(
    const List<api::meta::v1::ManagedFieldsEntry>& entries, Operation operation,
    const FieldSet& fields);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_UPGRADE_H_
