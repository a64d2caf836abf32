#ifndef APIMACHINERY_MANAGEDFIELDS_UPDATER_H_
#define APIMACHINERY_MANAGEDFIELDS_UPDATER_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/conflict.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

// What the merge must know of the versions of one kind. Implementations are thread-safe
// (structured-merge-diff: `merge.Converter`).
class VersionConverter {
 public:
  virtual ~VersionConverter() = default;
  // Returns the schema of the kind in `api_version` ("apps/v1"), or null if there is no such
  // version; the entries of managers that used it are then dropped. The schema must outlive the
  // converter's users.
  virtual const Schema* SchemaOf(absl::string_view api_version) const = 0;
  // Converts an object, whose apiVersion says what it is, to another version that SchemaOf knows.
  // Never called for the version that the object already has.
  virtual absl::StatusOr<unstructured::Value> Convert(const unstructured::Value& object,
                                                      absl::string_view api_version) const = 0;
};

// The objects before and after an ordinary write, both in the version of the request, whatever they
// are made of. Used by one thread at a time.
class WrittenObjects {
 public:
  virtual ~WrittenObjects() = default;
  // Checks that both fit the schema of the version and compares them, without
  // metadata.managedFields. Called at most once.
  virtual absl::StatusOr<Comparison> Compare() const = 0;
  // Return the object before the write and the one after it, with apiVersion and kind and without
  // metadata.managedFields, to be converted. Called at most once, and only if a manager has used
  // another version.
  virtual absl::StatusOr<unstructured::Value> Before() const = 0;
  virtual absl::StatusOr<unstructured::Value> After() const = 0;
};

// Filters by API version. Versions without an entry are not filtered.
using FieldFilters = std::map<std::string, FieldFilter, std::less<>>;

// Computes who owns what after a write, and merges applied configurations. Objects are without
// metadata.managedFields and have passed Validate (stored ones with duplicates allowed). Immutable,
// thread-safe as long as the converter is (structured-merge-diff: `merge.Updater`).
class Updater {
 public:
  // `converter` must outlive the updater.
  explicit Updater(const VersionConverter* converter, FieldFilters filters = {})
      : converter_(converter), filters_(std::move(filters)) {}

  // Returns the managers after `manager` replaced `live` by `object`, both in `api_version`. There
  // are no conflicts: the write takes the fields that it changes from appliers and updaters alike.
  // `live` is an object without fields for a create. Returns the errors of the converter, and
  // INVALID_ARGUMENT if the objects cannot be compared.
  absl::StatusOr<Managers> Update(const unstructured::Value& live,
                                  const unstructured::Value& object, absl::string_view api_version,
                                  Managers managers, const ManagerId& manager) const;
  // Does the same for objects that compare themselves; also returns their errors. Values are only
  // made for managers of other versions.
  absl::StatusOr<Managers> Update(const WrittenObjects& objects, absl::string_view api_version,
                                  Managers managers, const ManagerId& manager) const;

  struct Applied {
    unstructured::Value object;
    bool changed = false;  // whether `object` differs from the live one
    Managers managers;
    // What other managers own and this apply changes. If there are any and the apply was not
    // forced, the other members are unspecified and nothing must be stored.
    std::vector<ManagerConflict> conflicts;
  };
  // Merges `configuration` into `live`, both in `api_version`, and removes what `manager` applied
  // before, does not apply any more, and nobody else owns. With `force` conflicting fields are
  // taken from their owners and `conflicts` is empty. Returns the errors of the converter, and
  // INVALID_ARGUMENT if the objects cannot be merged.
  absl::StatusOr<Applied> Apply(const unstructured::Value& live,
                                const unstructured::Value& configuration,
                                absl::string_view api_version, Managers managers,
                                const ManagerId& manager, bool force) const;

 private:
  const VersionConverter* const converter_;
  const FieldFilters filters_;
};

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_UPDATER_H_
