#include "apimachinery/managedfields/field_manager.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/managedfields/conflict.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/internal/cap_managers.h"
#include "apimachinery/managedfields/internal/current_operation.h"
#include "apimachinery/managedfields/internal/last_applied.h"
#include "apimachinery/managedfields/internal/object_text.h"
#include "apimachinery/managedfields/internal/prior_managed.h"
#include "apimachinery/managedfields/internal/strip_meta.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/managedfields/validate.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/time.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"

// Upstream, a write goes through a chain of managers, each of which wraps the next one. Here they
// are the steps of one function for each sort of write, with the same effects in the same order:
//
// Update: UpdatedEntries takes the managers before the write, and ends here for untracked objects
// (skipNonApplied). TrackUpdate checks the types, computes what "current-operation" changed
// (structuredMerge), strips metadata (stripMeta), gives the changes to the manager and sets its
// time (managedFieldsUpdater, buildManagerInfo), and unites the oldest updaters (capManagers). A
// TrackedWrite checks and compares its objects itself.
//
// Apply: PrepareApply decodes the managers, checks the kind (versionCheck), tracks what an
// untracked object has as an update by "before-first-apply" (skipNonApplied), and checks the types.
// MergeConfiguration merges (structuredMerge), a second time by force if kubectl may have what is
// in conflict (lastAppliedManager). ApplyInSteps strips metadata (stripMeta), sets the time
// (managedFieldsUpdater), and renews kubectl's annotation (lastAppliedUpdater).
namespace kube::managedfields {
namespace {

using api::meta::v1::ManagedFieldsEntry;
using internal::KindOf;
using internal::ObjectText;
using unstructured::Value;

constexpr absl::string_view kBeforeFirstApply = "before-first-apply";

// What stored objects, which may be older than a rule of their schema, are checked by.
constexpr ValidateOptions kStored = {.allow_duplicates = true};

FieldManagerOptions WithZeroObject(FieldManagerOptions options) {
  if (!options.zero_object.is_null()) return options;
  Map<Value> zero = {{"apiVersion", options.api_version}};
  if (!options.kind.empty()) zero["kind"] = options.kind;
  options.zero_object = std::move(zero);
  return options;
}

// A uid tells that the object was stored before.
bool HasUid(const Value& object) { return !object["metadata"]["uid"].text().value_or("").empty(); }

ManagerId UpdaterOf(const FieldManagerOptions& options, absl::string_view manager) {
  return {.name = std::string(manager.empty() ? "unknown" : manager),
          .operation = Operation::kUpdate,
          .api_version = options.api_version,
          .subresource = options.subresource};
}

ManagerId ApplierOf(const FieldManagerOptions& options, absl::string_view manager) {
  ManagerId id = UpdaterOf(options, manager);
  id.operation = Operation::kApply;
  id.api_version.clear();
  return id;
}

// Returns an error if the object does not fit the schema of the request's version.
absl::Status CheckType(const FieldManagerOptions& options, const Value& object,
                       const ValidateOptions& validate_options) {
  const Schema* schema = options.converter->SchemaOf(options.api_version);
  if (schema == nullptr) {
    return absl::NotFoundError(
        absl::StrCat("no corresponding type for ", KindOf(object).ToString()));
  }
  return Validate(object, *schema, validate_options);
}

absl::Status CheckKind(const FieldManagerOptions& options, const Value& configuration) {
  const schema::GroupVersionKind kind = KindOf(configuration);
  const schema::GroupVersionKind wanted =
      schema::FromApiVersionAndKind(options.api_version, options.kind);
  if (kind.group_version() == wanted.group_version() &&
      (wanted.kind.empty() || kind.kind == wanted.kind)) {
    return absl::OkStatus();
  }
  return errors::BadRequest(absl::StrCat("invalid object type: ", kind.ToString()));
}

// Refuses managed fields in a configuration. As upstream, null and what cannot be read as entries
// is left to the schema.
absl::Status CheckNoManagedFields(const Value& configuration) {
  const Value& entries = configuration["metadata"]["managedFields"];
  if (!entries.is_list()) return absl::OkStatus();
  const unstructured::Unstructured reader = {
      .object = {{"metadata", Map<Value>{{"managedFields", entries}}}}};
  if (reader.managed_fields().is_null()) return absl::OkStatus();
  return errors::BadRequest("metadata.managedFields must be nil");
}

// Returns the error as an API server answers it. Upstream, all but a few are plain Go errors: HTTP
// code 500 without a reason.
absl::Status WithStatusObject(const absl::Status& error) {
  if (error.GetPayload(errors::kStatusPayload).has_value()) return error;
  return errors::FromStatus(
      {.status = api::meta::v1::kStatusFailure, .message = error.message(), .code = 500});
}

// Returns whether no error was logged yet in the second of `now`.
bool MayLog(absl::Time now) {
  static std::atomic<int64_t> last_logged{std::numeric_limits<int64_t>::min()};
  const int64_t second = absl::ToUnixSeconds(now);
  int64_t last = last_logged.load(std::memory_order_relaxed);
  return second != last && last_logged.compare_exchange_strong(last, second);
}

// Returns the error without the value that it ends with, which may be a secret.
absl::Status WithoutValue(const absl::Status& error) {
  const absl::string_view message = error.message();
  return absl::Status(error.code(), message.substr(0, message.find(", got ")));
}

// What messages say of an object.
struct ObjectName {
  schema::GroupVersionKind kind;
  absl::string_view namespace_name;
  absl::string_view name;
};

std::string TextOf(const ObjectName& object) {
  return absl::StrCat(object.namespace_name, "/", object.name, "; ", object.kind.ToString());
}

ObjectName NameOf(const Value& object) {
  const Value& metadata = object["metadata"];
  return {.kind = KindOf(object),
          .namespace_name = metadata["namespace"].text().value_or(""),
          .name = metadata["name"].text().value_or("")};
}

ObjectName NameOf(const TrackedWrite& write, const FieldManagerOptions& options) {
  const api::meta::v1::ObjectMeta& metadata = write.metadata();
  return {.kind = schema::FromApiVersionAndKind(options.api_version, options.kind),
          .namespace_name = metadata.namespace_.view(),
          .name = metadata.name.view()};
}

void LogError(const absl::Status& error, const ObjectName& object, absl::Time now) {
  if (!MayLog(now)) return;
  const std::string kind = object.kind.ToString();
  log::Error(WithoutValue(error), "[SHOULD NOT HAPPEN] failed to update managedFields",
             {{"versionKind", kind}, {"namespace", object.namespace_name}, {"name", object.name}});
}

// Gives what was changed to `manager`, and finishes the list.
Managed AfterUpdate(Managed managed, const ManagerId& manager, absl::Time now) {
  managed.managers = internal::StripMeta(std::move(managed.managers), internal::CurrentOperation());
  managed = internal::AssignCurrentOperation(std::move(managed), manager, now);
  return internal::CapManagers(std::move(managed));
}

// Returns the conflicts that are not about `allowed` fields.
std::vector<ManagerConflict> WithoutFields(std::vector<ManagerConflict> conflicts,
                                           const FieldSet& allowed) {
  for (ManagerConflict& conflict : conflicts) {
    conflict.fields = conflict.fields.Difference(allowed);
  }
  std::erase_if(conflicts, [](const ManagerConflict& each) { return each.fields.empty(); });
  return conflicts;
}

// Returns the merged object without managed fields, which are encoded beside it, and with kubectl's
// annotation up to date.
absl::StatusOr<Value> ToStore(Value object, const Value& configuration, absl::string_view manager) {
  if (configuration["metadata"].Find("managedFields") != nullptr && object.is_object()) {
    unstructured::RemoveNestedField(*object.object(), {"metadata", "managedFields"});
  }
  if (manager != internal::kKubectl) return object;
  return internal::WithLastApplied(std::move(object), configuration);
}

}  // namespace

FieldManager::FieldManager(FieldManagerOptions options)
    : options_(WithZeroObject(std::move(options))),
      updater_(options_.converter, options_.reset_fields) {}

absl::StatusOr<TrackedObject> FieldManager::Update(const TrackedObject& live, TrackedObject object,
                                                   const WriteOptions& options) const {
  absl::StatusOr<List<ManagedFieldsEntry>> entries = UpdatedEntries(live, object, options);
  if (!entries.ok()) return WithStatusObject(entries.status());
  object.managed_fields = *std::move(entries);
  return object;
}

TrackedObject FieldManager::UpdateNoErrors(const TrackedObject& live, TrackedObject object,
                                           const WriteOptions& options) const {
  absl::StatusOr<List<ManagedFieldsEntry>> entries = UpdatedEntries(live, object, options);
  if (entries.ok()) {
    object.managed_fields = *std::move(entries);
  } else {
    LogError(entries.status(), NameOf(object.object), options.now);
    object.managed_fields.reset();
  }
  return object;
}

absl::StatusOr<List<ManagedFieldsEntry>> FieldManager::Update(const TrackedWrite& write,
                                                              const WriteOptions& options) const {
  absl::StatusOr<List<ManagedFieldsEntry>> entries = UpdatedEntries(write, options);
  if (!entries.ok()) return WithStatusObject(entries.status());
  return entries;
}

List<ManagedFieldsEntry> FieldManager::UpdateNoErrors(const TrackedWrite& write,
                                                      const WriteOptions& options) const {
  absl::StatusOr<List<ManagedFieldsEntry>> entries = UpdatedEntries(write, options);
  if (entries.ok()) return *std::move(entries);
  LogError(entries.status(), NameOf(write, options_), options.now);
  return {};
}

absl::StatusOr<List<ManagedFieldsEntry>> FieldManager::UpdatedEntries(
    const TrackedWrite& write, const WriteOptions& options) const {
  const api::meta::v1::ObjectMeta* before = write.metadata_before();
  const List<ManagedFieldsEntry> none = {};
  Managed managed = internal::PriorManaged(
      before == nullptr ? none : before->managed_fields, write.metadata().managed_fields,
      /*is_subresource=*/!options_.subresource.empty(), options_.cache);
  // A stored object without managers is tracked from its first apply on.
  if (managed.managers.empty() && before != nullptr && !before->uid.empty()) {
    return List<ManagedFieldsEntry>();
  }
  KUBE_ASSIGN_OR_RETURN(managed.managers,
                        updater_.Update(write, options_.api_version, std::move(managed.managers),
                                        internal::CurrentOperation()),
                        "failed to update ManagedFields (", TextOf(NameOf(write, options_)), ")");
  managed = AfterUpdate(std::move(managed), UpdaterOf(options_, options.manager), options.now);
  return EncodeManagedFields(managed, options_.cache);
}

absl::StatusOr<List<ManagedFieldsEntry>> FieldManager::UpdatedEntries(
    const TrackedObject& live, const TrackedObject& object, const WriteOptions& options) const {
  Managed managed =
      internal::PriorManaged(live.managed_fields, object.managed_fields,
                             /*is_subresource=*/!options_.subresource.empty(), options_.cache);
  // A stored object without managers is tracked from its first apply on.
  if (managed.managers.empty() && HasUid(live.object)) return List<ManagedFieldsEntry>();
  const Value& before = live.object.is_null() ? options_.zero_object : live.object;
  KUBE_ASSIGN_OR_RETURN(managed, TrackUpdate(before, object.object, std::move(managed),
                                             options.manager, options.now));
  return EncodeManagedFields(managed, options_.cache);
}

absl::StatusOr<Managed> FieldManager::TrackUpdate(const Value& live, const Value& object,
                                                  Managed managed, absl::string_view manager,
                                                  absl::Time now) const {
  KUBE_RETURN_IF_ERROR(CheckType(options_, object, kStored), "failed to convert new object (",
                       ObjectText(object), ") to smd typed");
  KUBE_RETURN_IF_ERROR(CheckType(options_, live, kStored), "failed to convert live object (",
                       ObjectText(live), ") to smd typed");
  KUBE_ASSIGN_OR_RETURN(managed.managers,
                        updater_.Update(live, object, options_.api_version,
                                        std::move(managed.managers), internal::CurrentOperation()),
                        "failed to update ManagedFields (", ObjectText(object), ")");
  return AfterUpdate(std::move(managed), UpdaterOf(options_, manager), now);
}

absl::StatusOr<TrackedObject> FieldManager::Apply(const TrackedObject& live,
                                                  const Value& configuration,
                                                  const WriteOptions& options) const {
  absl::StatusOr<TrackedObject> applied = ApplyInSteps(live, configuration, options);
  if (!applied.ok()) return WithStatusObject(applied.status());
  return applied;
}

absl::StatusOr<TrackedObject> FieldManager::ApplyInSteps(const TrackedObject& live,
                                                         const Value& configuration,
                                                         const WriteOptions& options) const {
  KUBE_ASSIGN_OR_RETURN(Managed managed, PrepareApply(live, configuration, options.now));
  const Value& before = live.object.is_null() ? options_.zero_object : live.object;
  const ManagerId applier = ApplierOf(options_, options.manager);
  KUBE_ASSIGN_OR_RETURN(
      Updater::Applied applied,
      MergeConfiguration(before, configuration, std::move(managed.managers), applier, options));
  managed.managers = internal::StripMeta(std::move(applied.managers), applier);
  if (applied.changed) {
    managed.times.insert_or_assign(applier, Time(options.now));
  } else {
    // The merged object may write equal numbers differently. The applier owns what it applied, but
    // keeps its time, or has none if it is new.
    applied.object = before;
  }
  KUBE_ASSIGN_OR_RETURN(Value object,
                        ToStore(std::move(applied.object), configuration, options.manager));
  return TrackedObject{.object = std::move(object),
                       .managed_fields = EncodeManagedFields(managed, options_.cache)};
}

absl::StatusOr<Managed> FieldManager::PrepareApply(const TrackedObject& live,
                                                   const Value& configuration,
                                                   absl::Time now) const {
  KUBE_ASSIGN_OR_RETURN(Managed managed, DecodeManagedFields(live.managed_fields, options_.cache),
                        "failed to decode managed fields");
  KUBE_RETURN_IF_ERROR(CheckKind(options_, configuration));
  const bool is_untracked = managed.managers.empty() && !live.object.is_null();
  if (is_untracked) {
    KUBE_ASSIGN_OR_RETURN(
        managed,
        TrackUpdate(options_.zero_object, live.object, std::move(managed), kBeforeFirstApply, now),
        "failed to create manager for existing fields");
  }
  KUBE_RETURN_IF_ERROR(CheckNoManagedFields(configuration));
  KUBE_RETURN_IF_ERROR(CheckType(options_, configuration, {}),
                       "failed to create typed patch object (", ObjectText(configuration), ")");
  // TrackUpdate has checked an untracked one.
  if (!is_untracked && !live.object.is_null()) {
    KUBE_RETURN_IF_ERROR(CheckType(options_, live.object, kStored),
                         "failed to create typed live object (", ObjectText(live.object), ")");
  }
  return managed;
}

absl::StatusOr<Updater::Applied> FieldManager::MergeConfiguration(
    const Value& live, const Value& configuration, Managers managers, const ManagerId& applier,
    const WriteOptions& options) const {
  const bool is_kubectl = options.manager == internal::kKubectl && !options.force;
  Managers managers_of_kubectl = is_kubectl ? managers : Managers();
  KUBE_ASSIGN_OR_RETURN(Updater::Applied applied,
                        updater_.Apply(live, configuration, options_.api_version,
                                       std::move(managers), applier, options.force));
  if (applied.conflicts.empty()) return applied;
  if (!is_kubectl) return ConflictError(applied.conflicts);
  // kubectl may take from others, such as its own client-side apply, what it applied client-side.
  const Schema* schema = options_.converter->SchemaOf(options_.api_version);
  std::vector<ManagerConflict> conflicts =
      WithoutFields(std::move(applied.conflicts), internal::FieldsOfLastApplied(live, *schema));
  if (!conflicts.empty()) return ConflictError(conflicts);
  return updater_.Apply(live, configuration, options_.api_version, std::move(managers_of_kubectl),
                        applier, /*force=*/true);
}

}  // namespace kube::managedfields
