#include "apimachinery/managedfields/updater.h"

#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/compare.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/conflict.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/internal/object_views.h"
#include "apimachinery/managedfields/internal/prune.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/merge.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/reconcile.h"
#include "apimachinery/managedfields/to_field_set.h"
#include "apimachinery/unstructured/value.h"

// Both writes end in the same way: the object before and the object after are compared in every
// version that a manager uses, and what the write changed, added or removed leaves the sets of all
// other managers. An update then owns what it changed or added; an apply owns its configuration,
// and is refused if a field that it changes or adds belongs to somebody else. Managers that own
// nothing are dropped. In the usual case all managers use the version of the request: nothing is
// converted, and the objects are compared once.
namespace kube::managedfields {
namespace {

using internal::ObjectView;
using internal::ObjectViews;
using unstructured::Value;

const FieldFilter* FindFilter(const FieldFilters& filters, absl::string_view api_version) {
  const auto found = filters.find(api_version);
  return found == filters.end() ? nullptr : &found->second;
}

absl::Status NoSchema(absl::string_view api_version) {
  return absl::InvalidArgumentError(absl::StrCat("no schema for ", api_version));
}

FieldSet UnionOf(FieldSet a, FieldSet b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return a.Union(b);
}

// What a write did, in the terms of one version and without the fields that it cannot own there.
struct Change {
  FieldSet changed;  // modified or added
  FieldSet removed;
};

// The change that one write made, in all versions that are asked for.
class Changes {
 public:
  // All arguments must outlive this.
  Changes(ObjectViews* before, ObjectViews* after, const FieldFilters* filters)
      : before_(before), after_(after), filters_(filters) {}

  // The result is valid as long as this.
  absl::StatusOr<Change*> In(absl::string_view api_version);
  // Notes how the objects differ in this version, so that they are not compared.
  Change* Note(absl::string_view api_version, Comparison comparison);

 private:
  ObjectViews* const before_;
  ObjectViews* const after_;
  const FieldFilters* const filters_;
  std::map<std::string, Change, std::less<>> changes_;
};

absl::StatusOr<Change*> Changes::In(absl::string_view api_version) {
  const auto found = changes_.find(api_version);
  if (found != changes_.end()) return &found->second;
  KUBE_ASSIGN_OR_RETURN(const ObjectView before, before_->In(api_version),
                        "failed to convert old object");
  KUBE_ASSIGN_OR_RETURN(const ObjectView after, after_->In(api_version),
                        "failed to convert new object");
  if (before.schema == nullptr) return NoSchema(api_version);
  KUBE_ASSIGN_OR_RETURN(Comparison comparison,
                        Compare(*before.object, *after.object, *before.schema),
                        "failed to compare objects");
  return Note(api_version, std::move(comparison));
}

Change* Changes::Note(absl::string_view api_version, Comparison comparison) {
  if (const FieldFilter* filter = FindFilter(*filters_, api_version); filter != nullptr) {
    comparison = comparison.Filter(*filter);
  }
  Change& change = changes_[std::string(api_version)];
  change = {.changed = UnionOf(std::move(comparison.modified), std::move(comparison.added)),
            .removed = std::move(comparison.removed)};
  return &change;
}

// Drops the managers whose version does not exist any more, and adapts the sets of the others to
// the present schemas (structured-merge-diff: `reconcileManagedFieldsWithSchemaChanges`).
absl::Status ReconcileManagers(ObjectViews& live, Managers& managers) {
  for (auto it = managers.begin(); it != managers.end();) {
    OwnedFields& owned = it->second;
    KUBE_ASSIGN_OR_RETURN(const ObjectView view, live.In(owned.api_version));
    if (view.schema == nullptr) {
      it = managers.erase(it);
      continue;
    }
    KUBE_ASSIGN_OR_RETURN(std::optional<FieldSet> reconciled,
                          ReconcileWithSchema(owned.fields, *view.schema));
    if (reconciled.has_value()) owned.fields = *std::move(reconciled);
    ++it;
  }
  return absl::OkStatus();
}

// Returns what others than `writer` own and the write changes.
absl::StatusOr<std::vector<ManagerConflict>> FindConflicts(Changes& changes,
                                                           const ManagerId& writer,
                                                           const Managers& managers) {
  std::vector<ManagerConflict> conflicts;
  for (const auto& [id, owned] : managers) {
    if (id == writer) continue;
    KUBE_ASSIGN_OR_RETURN(const Change* change, changes.In(owned.api_version));
    FieldSet fields = owned.fields.Intersection(change->changed);
    if (!fields.empty()) conflicts.push_back({.manager = id, .fields = std::move(fields)});
  }
  return conflicts;
}

// Takes the conflicting fields, and those that the write removes, from all but `writer`. Drops the
// managers that own nothing.
absl::Status TakeFields(Changes& changes, const std::vector<ManagerConflict>& conflicts,
                        const ManagerId& writer, Managers& managers) {
  for (const ManagerConflict& conflict : conflicts) {
    FieldSet& fields = managers[conflict.manager].fields;
    fields = fields.Difference(conflict.fields);
  }
  for (auto it = managers.begin(); it != managers.end();) {
    OwnedFields& owned = it->second;
    if (!(it->first == writer)) {
      KUBE_ASSIGN_OR_RETURN(const Change* change, changes.In(owned.api_version));
      if (!owned.fields.Intersection(change->removed).empty()) {
        owned.fields = owned.fields.Difference(change->removed);
      }
    }
    it = owned.fields.empty() ? managers.erase(it) : std::next(it);
  }
  return absl::OkStatus();
}

// Returns the managers after an update by `manager`, which made `changes`.
absl::StatusOr<Managers> AfterUpdate(Changes& changes, const FieldFilter* filter,
                                     absl::string_view api_version, Managers managers,
                                     const ManagerId& manager) {
  KUBE_ASSIGN_OR_RETURN(auto change, changes.In(api_version));
  KUBE_ASSIGN_OR_RETURN(const std::vector<ManagerConflict> conflicts,
                        FindConflicts(changes, manager, managers));
  KUBE_RETURN_IF_ERROR(TakeFields(changes, conflicts, manager, managers));

  const auto entry = managers.find(manager);
  FieldSet owned;
  if (entry != managers.end()) owned = entry->second.fields.Difference(change->removed);
  owned = UnionOf(std::move(owned), std::move(change->changed));
  if (filter != nullptr) owned = filter->Apply(owned);
  if (!owned.empty()) {
    managers[manager] = {.fields = std::move(owned), .api_version = std::string(api_version)};
  } else if (entry != managers.end()) {
    managers.erase(entry);
  }
  return managers;
}

}  // namespace

absl::StatusOr<Managers> Updater::Update(const Value& live, const Value& object,
                                         absl::string_view api_version, Managers managers,
                                         const ManagerId& manager) const {
  ObjectViews before(converter_, &live, api_version);
  ObjectViews after(converter_, &object, api_version);
  KUBE_RETURN_IF_ERROR(ReconcileManagers(before, managers));
  Changes changes(&before, &after, &filters_);
  return AfterUpdate(changes, FindFilter(filters_, api_version), api_version, std::move(managers),
                     manager);
}

absl::StatusOr<Managers> Updater::Update(const WrittenObjects& objects,
                                         absl::string_view api_version, Managers managers,
                                         const ManagerId& manager) const {
  const auto make_before = [&objects] { return objects.Before(); };
  const auto make_after = [&objects] { return objects.After(); };
  ObjectViews before(converter_, make_before, api_version);
  ObjectViews after(converter_, make_after, api_version);
  KUBE_RETURN_IF_ERROR(ReconcileManagers(before, managers));
  KUBE_ASSIGN_OR_RETURN(Comparison comparison, objects.Compare(), "failed to compare objects");
  Changes changes(&before, &after, &filters_);
  changes.Note(api_version, std::move(comparison));
  return AfterUpdate(changes, FindFilter(filters_, api_version), api_version, std::move(managers),
                     manager);
}

absl::StatusOr<Updater::Applied> Updater::Apply(const Value& live, const Value& configuration,
                                                absl::string_view api_version, Managers managers,
                                                const ManagerId& manager, bool force) const {
  ObjectViews before(converter_, &live, api_version);
  KUBE_RETURN_IF_ERROR(ReconcileManagers(before, managers));
  KUBE_ASSIGN_OR_RETURN(const ObjectView view, before.In(api_version));
  if (view.schema == nullptr) return NoSchema(api_version);
  KUBE_ASSIGN_OR_RETURN(Value merged, Merge(live, configuration, *view.schema),
                        "failed to merge config");
  KUBE_ASSIGN_OR_RETURN(FieldSet set, ToFieldSet(configuration, *view.schema),
                        "failed to get field set");
  if (const FieldFilter* filter = FindFilter(filters_, api_version); filter != nullptr) {
    set = filter->Apply(set);
  }
  OwnedFields now = {.fields = std::move(set), .api_version = std::string(api_version)};
  const OwnedFields last = std::exchange(managers[manager], std::move(now));
  Applied applied;
  KUBE_ASSIGN_OR_RETURN(applied.object,
                        internal::Prune(*converter_, std::move(merged), managers, manager, last),
                        "failed to prune fields");
  applied.changed = !EqualValues(live, applied.object);

  ObjectViews after(converter_, &applied.object, api_version);
  Changes changes(&before, &after, &filters_);
  if (!applied.changed) changes.Note(api_version, Comparison());
  // Upstream compares in this version in any case, and thereby finds items without a key.
  KUBE_RETURN_IF_ERROR(changes.In(api_version));
  KUBE_ASSIGN_OR_RETURN(applied.conflicts, FindConflicts(changes, manager, managers));
  if (!force && !applied.conflicts.empty()) return applied;
  KUBE_RETURN_IF_ERROR(TakeFields(changes, applied.conflicts, manager, managers));
  applied.conflicts.clear();
  applied.managers = std::move(managers);
  return applied;
}

}  // namespace kube::managedfields
