#ifndef APIMACHINERY_MANAGEDFIELDS_FIELD_MANAGER_H_
#define APIMACHINERY_MANAGEDFIELDS_FIELD_MANAGER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/managedfields/fields_v1_cache.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

// An object with its metadata.managedFields taken out of it.
struct TrackedObject {
  unstructured::Value object = {};
  // Null and empty are told apart: a client that sends an empty list clears the ownership.
  List<api::meta::v1::ManagedFieldsEntry> managed_fields = {};
};

// An ordinary write of objects that are not Values, such as the structs of a server. The metadata
// have the managed fields as they are stored and as the request has them.
class TrackedWrite : public WrittenObjects {
 public:
  // Returns the metadata of the object before the write, or null for a create.
  virtual const api::meta::v1::ObjectMeta* metadata_before() const = 0;
  // Returns the metadata of the object as the request has it.
  virtual const api::meta::v1::ObjectMeta& metadata() const = 0;
};

struct FieldManagerOptions {
  // The versions of the kind. Must not be null; must outlive the field manager.
  const VersionConverter* converter = nullptr;
  // The version of the request, in which all objects are: "apps/v1".
  std::string api_version = {};
  // The kind, which an applied configuration must have: "Deployment". Empty: any kind is accepted.
  std::string kind = {};
  // "status", "scale" ...; empty for the object itself.
  std::string subresource = {};
  // The fields that the endpoint resets, which a write through it does not own.
  FieldFilters reset_fields = {};
  // What a new object is before a create or an apply writes to it; nobody owns its fields. For a
  // kind that upstream has as a Go struct, it is the JSON of the zero struct with apiVersion and
  // kind, such as
  // {"apiVersion":"v1","kind":"Pod","metadata":{},"spec":{"containers":null},"status":{}}:
  // therefore creators of Pods do not own .spec itself. Null, the default: the object has only
  // apiVersion and kind, as all custom resources (apimachinery: `runtime.ObjectCreater`). Not for
  // a TrackedWrite, which knows what a new object is.
  unstructured::Value zero_object = {};
  // Remembers sets across writes, for servers. Null, the default: every set is decoded and encoded.
  // Otherwise it must outlive the field manager.
  FieldsV1Cache* cache = nullptr;
};

struct WriteOptions {
  std::string manager = {};  // who writes
  absl::Time now = {};       // the time of the entries that the write makes or changes
  bool force = false;        // only for Apply: take conflicting fields from their owners
};

// All that an API server does with metadata.managedFields in one write: decodes them, computes who
// owns what, merges applied configurations, keeps times, merges the oldest of more than ten
// updaters into "ancient-changes", and takes over what kubectl's client-side apply owned. It does
// not default, admit, validate or store. Make one for each endpoint. Immutable, thread-safe
// (apimachinery: `managedfields.FieldManager`).
//
//   const FieldManager manager({.converter = &converter, .api_version = "apps/v1"});
//   KUBE_ASSIGN_OR_RETURN(TrackedObject applied,
//                         manager.Apply(live, configuration, {.manager = "ctl", .now = Now()}));
class FieldManager {
 public:
  explicit FieldManager(FieldManagerOptions options);

  // Returns `object`, which replaces `live`, with its managed fields. For a create, `live.object`
  // is a null Value. An object that was stored without managed fields, and has a uid, stays without
  // (see Apply). The managed fields of `object` replace those of `live` before the write is added
  // to them, unless they are empty or cannot be decoded, or the write is to a subresource; a list
  // that is empty but not null, or has one empty entry, clears them. Returns INTERNAL with
  // upstream's text if an object does not fit the schema or cannot be converted: servers log this
  // error and do not answer it, see UpdateNoErrors.
  absl::StatusOr<TrackedObject> Update(const TrackedObject& live, TrackedObject object,
                                       const WriteOptions& options) const;
  // As Update, but where Update returns an error, logs it at most once a second, and returns the
  // object without managed fields, because a write never fails because of its tracking. Unlike
  // upstream, the log does not show values of the object.
  TrackedObject UpdateNoErrors(const TrackedObject& live, TrackedObject object,
                               const WriteOptions& options) const;
  // Do the same for objects that are not Values, and return the managed fields of the new object.
  // This is the way for servers: it costs little more than a look at both objects.
  absl::StatusOr<List<api::meta::v1::ManagedFieldsEntry>> Update(const TrackedWrite& write,
                                                                 const WriteOptions& options) const;
  List<api::meta::v1::ManagedFieldsEntry> UpdateNoErrors(const TrackedWrite& write,
                                                         const WriteOptions& options) const;

  // Returns `live` with `configuration` merged into it, and the managed fields. A create is an
  // apply to a null `live.object`. The fields of an object that was stored without managed fields
  // belong to a manager "before-first-apply". kubectl takes over what its client-side apply owned,
  // and its annotation last-applied-configuration is kept up to date. Returns ABORTED with a Status
  // object of reason Conflict if others own fields that the apply changes (see ApplyConflicts);
  // INVALID_ARGUMENT as upstream's BadRequest if the configuration is of another version or kind or
  // has managed fields; INTERNAL with upstream's text and HTTP code 500, and without a reason, if
  // it does not fit the schema ("failed to create typed patch object (...): .spec.foo: field not
  // declared in schema"), the live managed fields cannot be decoded, or objects cannot be converted
  // or merged.
  absl::StatusOr<TrackedObject> Apply(const TrackedObject& live,
                                      const unstructured::Value& configuration,
                                      const WriteOptions& options) const;

 private:
  // Returns the entries of `object` after it replaced `live`.
  absl::StatusOr<List<api::meta::v1::ManagedFieldsEntry>> UpdatedEntries(
      const TrackedObject& live, const TrackedObject& object, const WriteOptions& options) const;
  absl::StatusOr<List<api::meta::v1::ManagedFieldsEntry>> UpdatedEntries(
      const TrackedWrite& write, const WriteOptions& options) const;
  // Returns who owns what after `manager` replaced `live` by `object`.
  absl::StatusOr<Managed> TrackUpdate(const unstructured::Value& live,
                                      const unstructured::Value& object, Managed managed,
                                      absl::string_view manager, absl::Time now) const;
  // Checks everything before an apply; returns who owned what.
  absl::StatusOr<Managed> PrepareApply(const TrackedObject& live,
                                       const unstructured::Value& configuration,
                                       absl::Time now) const;
  // Does what Apply does, but returns errors that have no Status object yet.
  absl::StatusOr<TrackedObject> ApplyInSteps(const TrackedObject& live,
                                             const unstructured::Value& configuration,
                                             const WriteOptions& options) const;
  // Merges `configuration` into `live`. Returns conflicts as an error.
  absl::StatusOr<Updater::Applied> MergeConfiguration(const unstructured::Value& live,
                                                      const unstructured::Value& configuration,
                                                      Managers managers, const ManagerId& applier,
                                                      const WriteOptions& options) const;

  const FieldManagerOptions options_;
  const Updater updater_;
};

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_FIELD_MANAGER_H_
