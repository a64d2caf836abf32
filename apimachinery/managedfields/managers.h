#ifndef APIMACHINERY_MANAGEDFIELDS_MANAGERS_H_
#define APIMACHINERY_MANAGEDFIELDS_MANAGERS_H_

#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"

namespace kube::managedfields {

enum class Operation : uint8_t { kApply, kUpdate };

// Who owns fields: an applier by its name, an updater by its name and version, each separately for
// each subresource (apimachinery: `BuildManagerIdentifier`).
struct ManagerId {
  std::string name;
  Operation operation = Operation::kUpdate;
  std::string api_version = {};  // empty for kApply: an applier has one entry whatever it uses
  std::string subresource = {};  // empty: the object itself

  friend auto operator<=>(const ManagerId&, const ManagerId&) = default;
  // Returns the identity as upstream's JSON, by which conflicts are sorted.
  std::string ToString() const;
};

// The fields of one manager, in terms of one version of the API
// (structured-merge-diff: `fieldpath.VersionedSet`).
struct OwnedFields {
  FieldSet fields;
  std::string api_version;

  friend bool operator==(const OwnedFields&, const OwnedFields&) = default;
};

using Managers = std::map<ManagerId, OwnedFields>;

// metadata.managedFields, decoded. Times are kept apart from the sets because a manager that loses
// its fields and gains others in one write keeps its time
// (apimachinery: `managedfields.ManagedInterface`).
struct Managed {
  Managers managers;
  std::map<ManagerId, kube::Time> times;

  friend bool operator==(const Managed&, const Managed&) = default;
};

// Decodes metadata.managedFields. Two entries of one manager: the later one counts, as upstream.
// Returns INVALID_ARGUMENT with the entry and the cause if one entry cannot be read: API servers
// then treat the whole list as absent (apimachinery: `DecodeManagedFields`).
absl::StatusOr<Managed> DecodeManagedFields(const List<api::meta::v1::ManagedFieldsEntry>& entries);

// Returns the entries in the order in which API servers write them: Apply before Update, then by
// time, name, version and subresource (apimachinery: `EncodeObjectManagedFields`).
List<api::meta::v1::ManagedFieldsEntry> EncodeManagedFields(const Managed& managed);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_MANAGERS_H_
