#include "apiserver/registry/registry.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/name_generator.h"
#include "apimachinery/types/list.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/errors/plain_error.h"
#include "apiserver/object.h"
#include "apiserver/registry/account_admission.h"
#include "apiserver/registry/admission.h"
#include "apiserver/registry/write_admission.h"
#include "apiserver/resources.h"
#include "apiserver/services/service_addresses.h"
#include "apiserver/storage.h"
#include "apiserver/strategy/conversion.h"
#include "apiserver/strategy/custom.h"
#include "apiserver/strategy/deletion.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/validation/validate.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace field = validation::field;

// How many generated names are tried (kube-apiserver: `RetryGenerateName`).
constexpr int kNameAttempts = 8;

constexpr absl::string_view kModified =
    "the object has been modified; please apply your changes to the latest version and try again";

absl::Status Terminating(const Target& target, absl::string_view name) {
  const absl::Status forbidden =
      errors::Forbidden(target.resource->group_resource(), name,
                        absl::StrCat("unable to create new content in namespace ",
                                     target.namespace_name, " because it is being terminated"));
  metav1::Status status = *errors::StatusOf(forbidden);
  status.details->causes.push_back(metav1::StatusCause{
      .reason = "NamespaceTerminating",
      .message = absl::StrCat("namespace ", target.namespace_name, " is being terminated"),
      .field = "metadata.namespace"});
  return errors::FromStatus(status);
}

// Removes what only the server may set, so that those who are asked about a new object do not see
// what the client sent (kube-apiserver: `WipeObjectMetaSystemFields`).
void WipeSystemFields(metav1::ObjectMeta& metadata) {
  metadata.deletion_timestamp.reset();
  metadata.deletion_grace_period_seconds.reset();
  metadata.self_link = "";
  metadata.creation_timestamp = Time();
  metadata.uid = "";
}

void FillSystemFields(const Target& target, metav1::ObjectMeta& metadata) {
  WipeSystemFields(metadata);
  metadata.creation_timestamp = Time(base::WallNow());
  metadata.uid = base::RandomUuid();
  if (target.resource->namespaced()) metadata.namespace_ = target.namespace_name;
}

// Returns the resourceVersion that a client sent, or 0 if it sent none.
absl::StatusOr<int64_t> SentRevision(const metav1::ObjectMeta& metadata) {
  const absl::string_view text = metadata.resource_version.view();
  uint64_t revision = 0;
  if (text.empty()) return int64_t{0};
  if (!absl::SimpleAtoi(text, &revision) || text[0] == '+') {
    return PlainError(absl::StrCat("strconv.ParseUint: parsing \"", text, "\": invalid syntax"));
  }
  return static_cast<int64_t>(revision);
}

// Returns the kind for errors about the content. Events count as those of the core group in any
// version.
schema::GroupKind KindInErrors(const Resource& resource) {
  if (resource.kind->kind == "Event") return {.group = "", .kind = "Event"};
  return resource.group_kind();
}

// Returns whether storing the object would change nothing. apiVersion and kind are not compared,
// because stored objects do not contain them.
bool IsSame(const Object& object, const StoredObject& current) {
  return object.kind().version == current.object().kind().version &&
         StoredObject(object.Copy()).object() == current.object();
}

// Gives an object the times of the managed fields that are stored if nothing but these times would
// change, so that a write without effect does not change the resourceVersion
// (kube-apiserver: `fieldmanager.IgnoreManagedFieldsTimestampsTransformer`).
void KeepTimesIfSame(Object& object, const StoredObject& current) {
  const List<metav1::ManagedFieldsEntry>& before = current.metadata().managed_fields;
  const List<metav1::ManagedFieldsEntry>& sent = object.metadata().managed_fields;
  if (before.empty() || before.size() != sent.size() || before == sent) return;
  List<metav1::ManagedFieldsEntry> entries = sent;
  for (size_t i = 0; i < entries.size(); ++i) entries[i].time = before[i].time;
  if (entries != before) return;
  entries = std::exchange(object.metadata().managed_fields, std::move(entries));
  if (!IsSame(object, current)) object.metadata().managed_fields = std::move(entries);
}

// Adds those that are not there yet.
void AddMissing(const std::vector<std::string>& warnings, std::vector<std::string>* all) {
  if (all == nullptr) return;
  for (const std::string& warning : warnings) {
    if (!absl::c_linear_search(*all, warning)) all->push_back(warning);
  }
}

// Returns an object that is not stored in the version that was requested.
ObjectPtr Unstored(const Resource& resource, Object object) {
  return std::make_shared<const StoredObject>(Converted(std::move(object), *resource.kind));
}

// Returns the object of a dry run. It is converted, too, so that it fails where the write would.
absl::StatusOr<ObjectPtr> Rehearsed(const Resource& resource, Object object) {
  KUBE_RETURN_IF_ERROR(AsStored(resource, object.Copy()).status());
  return Unstored(resource, std::move(object));
}

// Adds to the error that the existing object is being deleted, if it is (kube-apiserver:
// `Store.create`).
absl::Status SayIfGoing(const ObjectPtr& found, const absl::Status& exists) {
  if (found == nullptr || !meta::IsBeingDeleted(found->metadata())) return exists;
  metav1::Status status = *errors::StatusOf(exists);
  status.message = absl::StrCat("object is being deleted: ", status.message.view());
  return errors::FromStatus(status);
}

}  // namespace

absl::Status UidConflict(const Target& target, absl::string_view sent, absl::string_view stored) {
  const Resource& resource = *target.resource;
  return errors::Conflict(
      resource.group_resource(), target.name,
      absl::StrCat("StorageError: invalid object, Code: 4, Key: /registry/", resource.kind->plural,
                   "/", target.key(),
                   ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in "
                   "precondition: ",
                   sent, ", UID in object meta: ", stored));
}

absl::StatusOr<ObjectPtr> Registry::Current(const Target& target) const {
  ObjectPtr object = storage_.Get(target.resource->storage, target.key());
  if (object == nullptr) return errors::NotFound(target.resource->group_resource(), target.name);
  if (PreparesStored(*target.resource)) return object;
  return AsResource(*target.resource, std::move(object));
}

absl::StatusOr<ObjectPtr> Registry::Get(const Target& target) const {
  KUBE_ASSIGN_OR_RETURN(ObjectPtr object, Current(target));
  return AsResource(*target.resource, std::move(object));
}

absl::Status Registry::CheckNamespace(const Target& target, const Object& object) const {
  if (!target.resource->namespaced()) return absl::OkStatus();
  const ObjectPtr space = storage_.Get("/namespaces", target.namespace_name);
  if (space == nullptr) {
    return errors::NotFound({.group = "", .resource = "namespaces"}, target.namespace_name);
  }
  if (meta::IsBeingDeleted(space->metadata())) {
    return Terminating(target, object.metadata().name.view());
  }
  return absl::OkStatus();
}

void Registry::Observe(const Resource& resource, const std::string& key, const StoredObject* before,
                       const StoredObject& after, bool deleted) {
  collector_.Observe(resource, key, before, after, deleted);
  aggregator_.Observe(resource);
}

absl::Status Registry::AdmitNew(const Target& target, Object& object) const {
  const Resource& resource = *target.resource;
  if (account_admission_) {
    KUBE_RETURN_IF_ERROR(AdmitAccount(storage_, resource, target.namespace_name, object));
  }
  return AdmitCreate(storage_, resource, object);
}

absl::Status Registry::MutateNew(const Target& target, Object& object,
                                 const WriteOptions& options) {
  KUBE_RETURN_IF_ERROR(AdmitNew(target, object));
  if (options.admission == nullptr) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(const bool again, options.admission->Mutate(nullptr, object));
  if (again) {
    KUBE_RETURN_IF_ERROR(AdmitNew(target, object));
    KUBE_RETURN_IF_ERROR(options.admission->MutateAgain(nullptr, object));
  }
  const metav1::ObjectMeta& metadata = object.metadata();
  if (metadata.namespace_.empty() || metadata.namespace_ == target.namespace_name) {
    return absl::OkStatus();
  }
  return errors::BadRequest(
      "the namespace of the provided object does not match the namespace sent on the request");
}

absl::Status Registry::MutateUpdate(const Target& target, const Object& old, Object& object,
                                    const WriteOptions& options) {
  const bool whole = target.subresource.empty();
  if (whole) AdmitUpdate(old, object);
  if (options.admission == nullptr) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(const bool again, options.admission->Mutate(&old, object));
  if (!again) return absl::OkStatus();
  if (whole) AdmitUpdate(old, object);
  return options.admission->MutateAgain(&old, object);
}

absl::StatusOr<ObjectPtr> Registry::Create(const Target& target, Object object,
                                           const WriteOptions& options) {
  KUBE_RETURN_IF_ERROR(CheckNamespace(target, object));
  const Resource& resource = *target.resource;
  WipeSystemFields(object.metadata());
  KUBE_RETURN_IF_ERROR(MutateNew(target, object, options));
  FillSystemFields(target, object.metadata());
  if (options.check != nullptr) KUBE_RETURN_IF_ERROR(options.check(nullptr, object));
  // An address that the object does not get in the end is not used up.
  if (auto* service = object.As<corev1::Service>()) {
    KUBE_RETURN_IF_ERROR(addresses_.Assign(*service));
  }
  object = AsInternal(resource, std::move(object));
  const std::string prefix = object.metadata().generate_name;
  if (!object.metadata().name.empty() || prefix.empty()) {
    return CreateNamed(target, std::move(object), options);
  }
  for (int attempt = 1;; ++attempt) {
    // Each attempt starts with the object as it was sent, because preparing it may use the name.
    Object named = object.Copy();
    const std::string name = meta::GenerateName(prefix);
    named.metadata().name = name;
    absl::StatusOr<ObjectPtr> created = CreateNamed(target, std::move(named), options);
    if (!errors::IsAlreadyExists(created.status())) return created;
    if (attempt < kNameAttempts) continue;
    return SayIfGoing(
        storage_.Get(resource.storage, resource.KeyOf(target.namespace_name, name)),
        errors::GenerateNameConflict(resource.group_resource(), name, absl::Seconds(1)));
  }
}

absl::StatusOr<ObjectPtr> Registry::CreateNamed(const Target& target, Object object,
                                                const WriteOptions& options) {
  const Resource& resource = *target.resource;
  PrepareForCreate(resource, object);
  const std::string name = object.metadata().name;
  field::ErrorList wrong = ValidateCreate(resource, object);
  if (wrong.empty() && options.validate != nullptr) wrong = options.validate(nullptr, object);
  if (!wrong.empty()) return errors::Invalid(KindInErrors(resource), name, wrong);
  KUBE_RETURN_IF_ERROR(AdmitValid(storage_, resource, object, /*is_new=*/true));
  if (options.admission != nullptr) {
    KUBE_RETURN_IF_ERROR(options.admission->Validate(nullptr, object));
    // That may have taken its time. What is created in a namespace that has gone would stay.
    KUBE_RETURN_IF_ERROR(CheckNamespace(target, object));
  }
  // It is the storage that refuses this. A dry run does not reach it, and it ignores what is not a
  // number.
  const absl::StatusOr<int64_t> sent = SentRevision(object.metadata());
  if (!options.dry_run && sent.value_or(0) != 0) {
    return PlainError("resourceVersion should not be set on objects to be created");
  }
  const std::string key = resource.KeyOf(target.namespace_name, name);
  absl::StatusOr<ObjectPtr> created;
  if (!options.dry_run) {
    KUBE_ASSIGN_OR_RETURN(Object kept, AsStored(resource, std::move(object)));
    created = storage_.Create(resource.storage, key, std::move(kept));
  } else if (storage_.Get(resource.storage, key) == nullptr) {
    return Rehearsed(resource, std::move(object));
  } else {
    created = absl::AlreadyExistsError("object already exists");
  }
  if (!created.ok()) {
    return SayIfGoing(storage_.Get(resource.storage, key),
                      errors::AlreadyExists(resource.group_resource(), name));
  }
  Observe(resource, key, nullptr, **created, /*deleted=*/false);
  return AsResource(resource, *std::move(created));
}

absl::StatusOr<Object> Registry::Prepared(const Target& target, const StoredObject& current,
                                          Object object, const WriteOptions& options) {
  const Resource& resource = *target.resource;
  metav1::ObjectMeta& metadata = object.metadata();
  const metav1::ObjectMeta& old = current.metadata();
  KUBE_ASSIGN_OR_RETURN(const int64_t sent, SentRevision(metadata));
  if (sent == 0 && !StrategyOf(*resource.kind).unconditional_update) {
    // As upstream, this error names the resource instead of the kind.
    return errors::Invalid(
        {.group = std::string(resource.kind->group), .kind = std::string(resource.kind->plural)},
        target.name,
        field::ErrorList{field::Invalid(field::Path("metadata").Child("resourceVersion"),
                                        int64_t{0}, "must be specified for an update")});
  }
  if (sent != 0 && sent != current.revision()) {
    return errors::Conflict(resource.group_resource(), target.name, kModified);
  }
  if (target.subresource.empty()) {
    if (auto* service = object.As<corev1::Service>()) {
      KUBE_RETURN_IF_ERROR(addresses_.Reassign(*current.object().As<corev1::Service>(), *service));
    }
  }
  PrepareForUpdate(resource, target.subresource, current.object(), object);
  metav1::ObjectMeta& prepared = object.metadata();
  if (prepared.uid.empty()) prepared.uid = old.uid;
  prepared.creation_timestamp = old.creation_timestamp;
  prepared.self_link = "";
  prepared.resource_version = old.resource_version;
  // Only a deletion sets these fields, and nothing resets them. Validation rejects other changes.
  if (!prepared.deletion_timestamp.has_value()) {
    prepared.deletion_timestamp = old.deletion_timestamp;
  }
  if (!prepared.deletion_grace_period_seconds.has_value()) {
    prepared.deletion_grace_period_seconds = old.deletion_grace_period_seconds;
  }
  ValidatedUpdate validated =
      ValidateUpdate(resource, target.subresource, object, current.object());
  AddMissing(validated.warnings, options.warnings);
  if (validated.errors.empty() && target.subresource.empty() && options.validate != nullptr) {
    validated.errors = options.validate(&current.object(), object);
  }
  if (!validated.errors.empty()) {
    return errors::Invalid(KindInErrors(resource), target.name, validated.errors);
  }
  if (target.subresource.empty()) {
    KUBE_RETURN_IF_ERROR(AdmitValid(storage_, resource, object, /*is_new=*/false));
  }
  if (options.admission != nullptr) {
    KUBE_RETURN_IF_ERROR(options.admission->Validate(&current.object(), object));
  }
  return object;
}

absl::StatusOr<Written> Registry::Update(const Target& target, Change change,
                                         const WriteOptions& options) {
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const ObjectPtr current, Current(target));
    KUBE_ASSIGN_OR_RETURN(const ObjectPtr shown, AsResource(*target.resource, current));
    KUBE_ASSIGN_OR_RETURN(Object wanted, change(*shown));
    const absl::string_view uid = wanted.metadata().uid.view();
    if (!options.patch && !uid.empty() && uid != current->metadata().uid.view()) {
      return UidConflict(target, uid, current->metadata().uid.view());
    }
    // If somebody else changes the object while this waits, all of it is done again with the new
    // state: Store refuses what was made of an old one.
    KUBE_RETURN_IF_ERROR(MutateUpdate(target, shown->object(), wanted, options));
    if (options.check != nullptr) KUBE_RETURN_IF_ERROR(options.check(&shown->object(), wanted));
    wanted = AsInternal(*target.resource, std::move(wanted));
    KUBE_ASSIGN_OR_RETURN(Object object, Prepared(target, *current, std::move(wanted), options));
    absl::StatusOr<ObjectPtr> stored = Store(target, *current, std::move(object), options);
    if (stored.ok()) {
      // An object without a revision was removed, because its last finalizer was.
      const bool changed = !options.dry_run && (*stored)->revision() != current->revision();
      return Written{.object = *std::move(stored), .created = false, .changed = changed};
    }
    // The object was changed meanwhile: apply the change to its new state.
    if (!absl::IsAborted(stored.status()) || errors::StatusOf(stored.status()).has_value()) {
      return stored.status();
    }
  }
}

absl::StatusOr<ObjectPtr> Registry::Store(const Target& target, const StoredObject& current,
                                          Object object, const WriteOptions& options) {
  const Resource& resource = *target.resource;
  if (IsReleased(object)) {
    // Watches see the state that was stored last; the client gets the object that it sent.
    KUBE_RETURN_IF_ERROR(Remove(target, current, current.object().Copy(), options).status());
    return Unstored(resource, std::move(object));
  }
  KeepTimesIfSame(object, current);
  if (options.dry_run) return Rehearsed(resource, std::move(object));
  KUBE_ASSIGN_OR_RETURN(Object wanted, AsStored(resource, std::move(object)));
  ObjectPtr same = storage_.Get(resource.storage, target.key());
  if (same == nullptr || same->revision() != current.revision()) {
    return absl::AbortedError("object was modified");
  }
  if (IsSame(wanted, *same)) return AsResource(resource, std::move(same));
  absl::StatusOr<ObjectPtr> stored =
      storage_.Update(resource.storage, target.key(), current.revision(), std::move(wanted));
  if (absl::IsNotFound(stored.status())) {
    return errors::NotFound(resource.group_resource(), target.name);
  }
  if (!stored.ok()) return stored.status();
  Observe(resource, target.key(), &current, **stored, /*deleted=*/false);
  return AsResource(resource, *std::move(stored));
}

absl::StatusOr<ObjectPtr> Registry::Remove(const Target& target, const StoredObject& current,
                                           Object last, const WriteOptions& options) {
  if (options.dry_run) return Unstored(*target.resource, std::move(last));
  KUBE_ASSIGN_OR_RETURN(Object kept, AsStored(*target.resource, std::move(last)));
  absl::StatusOr<ObjectPtr> removed =
      storage_.Delete(target.resource->storage, target.key(), current.revision(), std::move(kept));
  if (!removed.ok()) return removed;
  Observe(*target.resource, target.key(), &current, **removed, /*deleted=*/true);
  return AsResource(*target.resource, *std::move(removed));
}

absl::StatusOr<Deleted> Registry::DeleteOnce(const Target& target, const StoredObject& current,
                                             const metav1::DeleteOptions& options,
                                             const WriteOptions& write_options) {
  Object object = current.object().Copy();
  KUBE_ASSIGN_OR_RETURN(const DeletionPlan plan,
                        PlanDeletion(*target.resource, object, options, base::WallNow()));
  if (write_options.admission != nullptr && (plan.store || plan.remove)) {
    KUBE_RETURN_IF_ERROR(write_options.admission->Delete(current.object()));
  }
  ObjectPtr left = Unstored(*target.resource, object.Copy());
  int64_t revision = current.revision();
  if (plan.store && !write_options.dry_run) {
    KUBE_ASSIGN_OR_RETURN(Object kept, AsStored(*target.resource, object.Copy()));
    KUBE_ASSIGN_OR_RETURN(
        left, storage_.Update(target.resource->storage, target.key(), revision, std::move(kept)));
    revision = left->revision();
    Observe(*target.resource, target.key(), &current, *left, /*deleted=*/false);
    KUBE_ASSIGN_OR_RETURN(left, AsResource(*target.resource, std::move(left)));
  }
  if (!plan.remove) {
    const bool marked = plan.store && !write_options.dry_run;
    return Deleted{.object = std::move(left), .gone = false, .changed = marked};
  }
  const StoredObject& last = revision == current.revision() ? current : *left;
  KUBE_ASSIGN_OR_RETURN(ObjectPtr gone, Remove(target, last, std::move(object), write_options));
  return Deleted{.object = std::move(gone), .gone = true, .changed = !write_options.dry_run};
}

absl::StatusOr<Deleted> Registry::Delete(const Target& target, const metav1::DeleteOptions& options,
                                         const WriteOptions& write_options) {
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const ObjectPtr current, Current(target));
    absl::StatusOr<Deleted> deleted = DeleteOnce(target, *current, options, write_options);
    if (deleted.ok()) return deleted;
    if (errors::StatusOf(deleted.status()).has_value()) return deleted.status();
    if (absl::IsNotFound(deleted.status())) {
      return errors::NotFound(target.resource->group_resource(), target.name);
    }
  }
}

}  // namespace kube::apiserver::internal
