#ifndef APIMACHINERY_MANAGEDFIELDS_MANAGERS_H_
#define APIMACHINERY_MANAGEDFIELDS_MANAGERS_H_

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1_cache.h"
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
  // Sets whose texts are known, because they were decoded with a cache: what a write leaves as it
  // was is not written again.
  std::vector<EncodedFieldsPtr> texts = {};

  // Compares managers and times.
  friend bool operator==(const Managed& a, const Managed& b) {
    return a.managers == b.managers && a.times == b.times;
  }
};

// Decodes metadata.managedFields. Two entries of one manager: the later one counts, as upstream.
// With a `cache`, which may be null, sets that it knows are not decoded again, and their texts are
// in the result. Returns INVALID_ARGUMENT with the entry and the cause if one entry cannot be read:
// API servers then treat the whole list as absent (apimachinery: `DecodeManagedFields`).
absl::StatusOr<Managed> DecodeManagedFields(const List<api::meta::v1::ManagedFieldsEntry>& entries,
                                            FieldsV1Cache* cache = nullptr);

// Returns the entries in the order in which API servers write them: Apply before Update, then by
// time, name, version and subresource. With a `cache`, which may be null, the texts are remembered
// (apimachinery: `EncodeObjectManagedFields`).
List<api::meta::v1::ManagedFieldsEntry> EncodeManagedFields(const Managed& managed,
                                                            FieldsV1Cache* cache = nullptr);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_MANAGERS_H_
