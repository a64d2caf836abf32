#ifndef CONTROLLER_RECONCILE_WRITER_H_
#define CONTROLLER_RECONCILE_WRITER_H_

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/rest/client.h"
#include "clientset/typed/create_or_edit.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/view.h"
#include "controller/cache/watched.h"
#include "controller/cache/watched_core.h"
#include "controller/reconcile/client_of.h"
#include "controller/reconcile/internal/apply_memory.h"
#include "controller/reconcile/internal/metadata_of.h"
#include "controller/reconcile/internal/uid_of.h"
#include "controller/reconcile/internal/writer_core.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/writes_options.h"
#include "listers/stored_object.h"

namespace kube::controller {

// What Writer::Ensure has done. (controller-runtime: `controllerutil.OperationResult`)
enum class Outcome { kUnchanged, kCreated, kUpdated };

// Returns "unchanged", "created" or "updated".
constexpr absl::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kCreated:
      return "created";
    case Outcome::kUpdated:
      return "updated";
    case Outcome::kUnchanged:
      break;
  }
  return "unchanged";
}

// The types of which only the metadata is known: their objects are edited and deleted, and nothing
// else.
template <typename T>
concept MetadataOnly = std::is_same_v<T, api::meta::v1::PartialObjectMetadata>;

// Writes the objects of kind K for reconcile functions. Made by Controller::Writes; Owned has the
// same for children. (controller-runtime: the writing half of `client.Client`)
//
// K is a kind with typed::ResourceTraits or, for a resource that is known when the program runs,
// unstructured::Unstructured or metav1::PartialObjectMetadata.
//
//   ApplyOf<corev1::ConfigMap> settings = {.metadata = {{.name = "settings"}}};
//   settings.data["colour"] = "blue";
//   return configs.Apply(request, settings).status();
//
// What it does beyond typed::TypedClient:
// * Each write has the manager's name as field manager, and the options of the writer.
// * If the writer belongs to a watch, the request is told of the answer's resource version: the key
//   is not reconciled again before the cache has it (AnyRequest::NoteWrite).
// * An Apply or Ensure that would change nothing sends nothing.
//
// Names without a namespace are in the namespace of the request's object. All calls block until the
// server has answered or the request's context is done, and return the errors of TypedClient.
// Return them from the reconcile function: the retry is the answer to conflicts and to lost
// connections.
//
// Cheap to copy; copies share what they remember. Thread-safe.
template <listers::StoredObject K>
class Writer {
 public:
  // Made by controllers. `store` is the watch of this type of objects that sees what is written, or
  // null.
  Writer(const rest::Client& client, const typed::Resource& resource,
         std::shared_ptr<WatchedCore> store, std::string field_manager, WritesOptions options = {})
      : client_(ClientOf<K>(client, resource)),
        core_(std::make_shared<internal::WriterCore>(resource.plural, resource.namespaced,
                                                     std::move(store), std::move(field_manager),
                                                     std::move(options))) {}

  // Creates the object and returns it as the server has it. If metadata.name is empty, the server
  // makes a name from metadata.generate_name. Returns ALREADY_EXISTS (errors::IsAlreadyExists) if
  // there is an object of that name.
  absl::StatusOr<K> Create(AnyRequest& request, K object) const requires(!MetadataOnly<K>) {
    const meta::ObjectName name = Complete(request, meta::ObjectNameOf(object));
    internal::SetNamespaceOf(object, name.namespace_name);
    const RequestStep step = core_->Step(request, "create", name);
    absl::StatusOr<K> created =
        In(name.namespace_name).Create(request.context(), object, core_->create_options());
    Note(request, created);
    return created;
  }

  // Makes the object have what `configuration` says, and creates it if it does not exist
  // (server-side apply). Fields that the configuration does not name are left to others; fields
  // that it has named before and does not name now are removed. The fields are taken from others
  // that own them. Returns the object as the server has it.
  //
  // It is safe to apply in each reconcile. If this writer applied the same configuration last, and
  // the cache has the object as the server then answered, nothing is sent, and the object of the
  // cache is returned. That needs a watch of the kind, and is forgotten when the program ends, for
  // the objects that were not applied for the longest time if there are more than 16384, and in the
  // reconciles of a resync.
  //
  // `configuration` is an ApplyOf<K>; include its header, such as
  // "api/apps/v1/types.applies.kube.h". It is an Unstructured if K is. (controller-runtime:
  // `Client.Apply` with `ForceOwnership`, which always sends)
  template <typename ObjectT = K, ApiStruct ConfigurationT = ApplyOf<ObjectT>>
  absl::StatusOr<K> Apply(AnyRequest& request, const ConfigurationT& configuration) const
      requires(!MetadataOnly<K>) {
    const meta::ObjectName name = NameOf(request, configuration);
    KUBE_ASSIGN_OR_RETURN(const std::string json, codec::EncodeJson(configuration), "apply \"",
                          name.ToString(), "\"");
    const internal::ApplyFingerprint fingerprint = internal::FingerprintOf(json);
    if (const std::shared_ptr<const K> stored = Stored(name); stored != nullptr) {
      if (core_->IsApplied(request, name, fingerprint, listers::ResourceVersionOf(*stored))) {
        return *stored;
      }
    }
    const RequestStep step = core_->Step(request, "apply", name);
    absl::StatusOr<K> applied =
        In(name.namespace_name).Apply(request.context(), configuration, core_->apply_options());
    if (applied.ok()) {
      core_->NoteApply(name, fingerprint, listers::ResourceVersionOf(*applied));
    }
    Note(request, applied);
    return applied;
  }

  // Reads the object from the server, calls `change` with it and sends the difference, so that what
  // others have written meanwhile stays. After a conflict it does so again, a few times. Sends no
  // write if nothing has changed. `change` is called on this thread; if it returns an error, that
  // is returned. Returns NOT_FOUND if the object does not exist. See TypedClient::Edit.
  absl::StatusOr<K> Edit(AnyRequest& request, absl::string_view name,
                         absl::FunctionRef<absl::Status(K&)> change) const {
    return Edit(request, meta::ObjectName{.namespace_name = "", .name = std::string(name)}, change);
  }
  absl::StatusOr<K> Edit(AnyRequest& request, const meta::ObjectName& name,
                         absl::FunctionRef<absl::Status(K&)> change) const {
    const meta::ObjectName full = Complete(request, name);
    const RequestStep step = core_->Step(request, "edit", full);
    absl::StatusOr<K> edited =
        In(full.namespace_name)
            .Edit(request.context(), full.name, change, {.patch = core_->patch_options()});
    Note(request, edited);
    return edited;
  }

  // Brings the object to the state that `make` gives it: creates the object, or changes it, or
  // finds that nothing is to be done. `make` gets the object as it is, or with nothing but its name
  // and namespace if it does not exist; its UID is empty then. It sets what it wants and
  // leaves the rest alone. It is called on this thread, perhaps several times, and first with the
  // object of the cache: if it changes nothing there, nothing is sent.
  //
  // After a conflict, or if others create or delete the object meanwhile, it starts again, a few
  // times. Returns INVALID_ARGUMENT if `make` changes the name or the namespace, or the error of
  // `make`.
  //
  // Beware of fields that the server fills in and `make` empties: each call then changes the object
  // twice. Apply has no such trap. (controller-runtime: `controllerutil.CreateOrUpdate`, which
  // drops fields that the type lacks and does not retry)
  absl::StatusOr<Outcome> Ensure(AnyRequest& request, absl::string_view name,
                                 absl::FunctionRef<absl::Status(K&)> make) const
      requires(!MetadataOnly<K>) {
    return Ensure(request, meta::ObjectName{.namespace_name = "", .name = std::string(name)}, make);
  }
  absl::StatusOr<Outcome> Ensure(AnyRequest& request, const meta::ObjectName& name,
                                 absl::FunctionRef<absl::Status(K&)> make) const
      requires(!MetadataOnly<K>) {
    const meta::ObjectName full = Complete(request, name);
    Outcome outcome = Outcome::kUnchanged;
    const auto change = [&](K& object) -> absl::Status {
      const bool is_new = internal::UidOf(object).empty();
      if (is_new) internal::SetNamespaceOf(object, full.namespace_name);
      const K before = object;
      KUBE_RETURN_IF_ERROR(make(object));
      KUBE_RETURN_IF_ERROR(core_->CheckSameObject(full, internal::MetadataOf(object)));
      const Outcome of_existing = object == before ? Outcome::kUnchanged : Outcome::kUpdated;
      outcome = is_new ? Outcome::kCreated : of_existing;
      return absl::OkStatus();
    };
    if (const std::shared_ptr<const K> stored = Stored(full); stored != nullptr) {
      K copy = *stored;
      KUBE_RETURN_IF_ERROR(change(copy));
      if (outcome == Outcome::kUnchanged) return outcome;
    }
    const RequestStep step = core_->Step(request, "ensure", full);
    const absl::StatusOr<K> written =
        typed::CreateOrEdit(request.context(), In(full.namespace_name), full.name, change,
                            {.patch = core_->patch_options()});
    if (!written.ok()) return written.status();
    Note(request, written);
    return outcome;
  }

  // Requests that this object be deleted, in the state that the caller has seen: an object that has
  // changed since, or another one of the same name, is not deleted, and a conflict
  // (errors::IsConflict) is returned. An object from the cache has what is needed for that. Returns
  // OK if there is no object of this name. (controller-runtime: `Client.Delete` with
  // `Preconditions`; there it is an error if the object is gone)
  //
  // The cache has the object until the deletion arrives there, so it may be deleted twice.
  absl::Status Delete(AnyRequest& request, const K& object) const {
    const meta::ObjectName name = Complete(request, meta::ObjectNameOf(object));
    core_->applied().Forget(name);
    const RequestStep step = core_->Step(request, "delete", name);
    const absl::Status deleted = In(name.namespace_name)
                                     .Delete(request.context(), name.name,
                                             core_->delete_options(internal::MetadataOf(object)));
    return core_->Explain("delete", errors::IgnoreNotFound(deleted));
  }

  // Requests that all objects of the scope be deleted, with one call. A scope without a namespace
  // has that of the request's object. Returns INVALID_ARGUMENT if that object has no namespace
  // either and K has namespaces. An empty label selector selects all objects of the namespace,
  // those of other programs included.
  // (controller-runtime: `Client.DeleteAllOf`)
  absl::Status DeleteAll(AnyRequest& request, const ListScope& scope) const {
    // The text of such a selector is empty, which the server would read as "all".
    if (scope.label_selector.MatchesNothing()) return absl::OkStatus();
    KUBE_ASSIGN_OR_RETURN(const internal::WriterCore::Selection selected,
                          core_->Select(request, scope));
    const RequestStep step = core_->Step(request, "delete all",
                                         {.namespace_name = selected.namespace_name, .name = "*"});
    return core_->Explain(
        "deletecollection",
        In(selected.namespace_name)
            .DeleteCollection(request.context(), core_->delete_all_options(), selected.list));
  }

  // Returns the name with the namespace that the other methods give it: that of the request's
  // object if it has none, and none if K is cluster-scoped.
  meta::ObjectName Complete(const AnyRequest& request, meta::ObjectName name) const {
    return core_->Complete(request, std::move(name));
  }
  // Returns the complete name of the object that a configuration describes.
  template <ApiStruct ConfigurationT>
  meta::ObjectName NameOf(const AnyRequest& request, const ConfigurationT& configuration) const {
    meta::ObjectName name;
    if constexpr (std::is_same_v<ConfigurationT, unstructured::Unstructured>) {
      name = meta::ObjectNameOf(configuration);
    } else if (configuration.metadata.has_value()) {
      name.namespace_name = std::string(configuration.metadata->namespace_->view());
      name.name = std::string(configuration.metadata->name->view());
    }
    return Complete(request, std::move(name));
  }

 private:
  using Client = typed::TypedClient<K, ListOf<K>>;

  Client In(absl::string_view namespace_name) const { return client_.Namespace(namespace_name); }

  // Returns the object as the cache has it now, or null.
  std::shared_ptr<const K> Stored(const meta::ObjectName& name) const {
    if (core_->store() == nullptr) return nullptr;
    absl::StatusOr<std::shared_ptr<const K>> stored = Watched<K>(core_->store()).Get(View(), name);
    return stored.ok() ? *std::move(stored) : nullptr;
  }

  void Note(AnyRequest& request, const absl::StatusOr<K>& answer) const {
    if (answer.ok()) core_->Note(request, internal::MetadataOf(*answer));
  }

  Client client_;
  std::shared_ptr<internal::WriterCore> core_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_WRITER_H_
