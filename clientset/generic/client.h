#ifndef CLIENTSET_GENERIC_CLIENT_H_
#define CLIENTSET_GENERIC_CLIENT_H_

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/generic/call.h"
#include "clientset/generic/internal/client_core.h"
#include "clientset/rest/client.h"
#include "clientset/typed/patch_from.h"
#include "clientset/typed/reader.h"
#include "clientset/typed/resource_traits.h"
#include "clientset/typed/typed_core.h"

namespace kube::generic {

// The two types of objects that any kind can be in. Their kind is known when the program runs.
template <typename T>
concept DynamicKind = std::is_same_v<T, unstructured::Unstructured> ||
    std::is_same_v<T, api::meta::v1::PartialObjectMetadata>;

// The types of objects that a Client takes: kinds with typed::ResourceTraits, Unstructured and
// PartialObjectMetadata.
template <typename T>
concept AnyKind = typed::ResourceKind<T> || DynamicKind<T>;

// Reads and writes the objects of all kinds, for code that is generic over kinds. Programs that
// know their kinds use typed clients, which have more options, and controllers read through
// watches. (controller-runtime: `client.Client`)
//
//   template <generic::AnyKind K>
//   absl::Status Mark(const Context& ctx, const generic::Client& client, const K& object) {
//     K after = object;
//     meta::AddFinalizer(after, "example.com/mark");
//     return client.PatchFrom(ctx, object, after).status();
//   }
//
// The kind of an object is that of its type. An Unstructured or a PartialObjectMetadata says its
// kind itself: it must have kind and apiVersion, and the client needs a REST mapper. Such objects
// are returned with their kind, and all others, as from typed clients, without. Of an object whose
// metadata alone is known nothing but the metadata is read, and it is not created or updated: patch
// it.
//
// Reads ask the server, unless WithReader gave the client a reader of the kind: nothing is cached
// without the program's saying so. Writes always go to the server.
//
// The functions With… and the like return a client that does the same with one more setting, and
// leave the client as it is:
//
//   const generic::Client checked = client.WithFieldOwner("tool").DryRun();
//
// All calls block until they are done, but at most until `ctx` is, and return the errors of
// TypedClient; those of an Unstructured or PartialObjectMetadata also the mapper's. A handle: cheap
// to copy. Thread-safe.
class Client {
 public:
  // `mapper` finds the resources of Unstructured and PartialObjectMetadata objects. Default: null,
  // for clients that get no such objects.
  explicit Client(rest::Client client,
                  std::shared_ptr<const restmapper::RestMapper> mapper = nullptr)
      : core_(std::make_shared<const internal::ClientCore>(std::move(client), std::move(mapper))) {}

  // ---- Clients with one more setting.

  // Returns a client for one namespace. Names without a namespace get it, and lists and
  // collections are of this namespace whatever they ask for. Calls for objects of another namespace
  // return INVALID_ARGUMENT; those for cluster-scoped kinds are not limited. It takes the place of
  // an earlier namespace, so it is no barrier. (controller-runtime: `client.NewNamespacedClient`)
  Client Namespaced(absl::string_view name) const;
  // Returns a client whose writes the server checks and does not store; the answers are those of
  // real writes. No option of a call can change that. (controller-runtime:
  // `client.NewDryRunClient`)
  Client DryRun() const;
  // Returns whether DryRun made the client.
  bool is_dry_run() const { return core_->policy().dry_run; }
  // Return a client whose writes have this field manager, or this field validation: "Strict",
  // "Warn" or "Ignore", the constants metav1::kFieldValidation…. Options of a call come before
  // them. Applies are always strict. (controller-runtime: `client.WithFieldOwner`,
  // `client.WithFieldValidation`)
  Client WithFieldOwner(absl::string_view owner) const;
  Client WithFieldValidation(absl::string_view validation) const;
  // Returns a client whose calls are about a subresource of the objects, and whose objects are
  // still the whole ones: "status". For subresources with an object of another kind, such as
  // "scale" or "eviction", use typed clients. Collections have no subresources: List and DeleteAll
  // of such a client return INVALID_ARGUMENT. (controller-runtime: `Client.Status`,
  // `Client.SubResource`)
  Client Subresource(absl::string_view name) const;
  // Returns a client that calls `interceptor` in place of each call, for tests and for what is to
  // be counted. The interceptor that was added last is called first. (controller-runtime:
  // `interceptor.NewClient`)
  Client WithInterceptor(Interceptor interceptor) const;

  // Return a client that reads the objects of a kind through `reader`: from a cache with
  // listers::ReaderOf. Clients of a subresource ask the server all the same. (controller-runtime:
  // `client.CacheOptions`)
  template <typed::ResourceKind K>
  Client WithReader(std::shared_ptr<const typed::Reader<K>> reader) const {
    return WithReaderOf(K::kMessage, typed::KindOf<K>(), std::move(reader));
  }
  template <DynamicKind K>
  Client WithReader(const schema::GroupVersionKind& kind,
                    std::shared_ptr<const typed::Reader<K>> reader) const {
    return WithReaderOf(K::kMessage, kind, std::move(reader));
  }

  // ---- Reads. Objects are immutable and may be shared.

  // Return the object, never null, or NOT_FOUND (errors::IsNotFound) if it does not exist.
  //
  //   KUBE_ASSIGN_OR_RETURN(const auto map, client.Get<corev1::ConfigMap>(ctx, name));
  //   KUBE_ASSIGN_OR_RETURN(const auto widget, client.Get<Unstructured>(ctx, kWidget, name));
  template <typed::ResourceKind K>
  absl::StatusOr<std::shared_ptr<const K>> Get(const Context& ctx,
                                               const meta::ObjectName& name) const {
    return GetOf<K>(ctx, core_->ClientOf(typed::ResourceTraits<K>::kResource, K::kMessage), name);
  }
  template <DynamicKind K>
  absl::StatusOr<std::shared_ptr<const K>> Get(const Context& ctx,
                                               const schema::GroupVersionKind& kind,
                                               const meta::ObjectName& name) const {
    KUBE_ASSIGN_OR_RETURN(const internal::KindClient client, DynamicClientOf<K>(ctx, kind));
    return GetOf<K>(ctx, client, name);
  }

  // Returns the object that `object` names, as it is now. (controller-runtime: `Client.Get`)
  template <AnyKind K>
  absl::StatusOr<std::shared_ptr<const K>> Refresh(const Context& ctx, const K& object) const {
    KUBE_ASSIGN_OR_RETURN(const internal::KindClient kind, ClientOf(ctx, object));
    return GetOf<K>(ctx, kind, meta::ObjectNameOf(object));
  }

  // Return the selected objects in any order, as one response. Return INVALID_ARGUMENT if the
  // client is for a subresource.
  template <typed::ResourceKind K>
  absl::StatusOr<std::vector<std::shared_ptr<const K>>> List(
      const Context& ctx, const typed::ReadOptions& options = {}) const {
    using ListT = typename typed::ResourceTraits<K>::List;
    return ListOf<K, ListT>(ctx, core_->ClientOf(typed::ResourceTraits<K>::kResource, K::kMessage),
                            options);
  }
  template <DynamicKind K>
  absl::StatusOr<std::vector<std::shared_ptr<const K>>> List(
      const Context& ctx, const schema::GroupVersionKind& kind,
      const typed::ReadOptions& options = {}) const {
    using ListT = std::conditional_t<kIsMetadata<K>, api::meta::v1::PartialObjectMetadataList,
                                     unstructured::UnstructuredList>;
    KUBE_ASSIGN_OR_RETURN(const internal::KindClient client, DynamicClientOf<K>(ctx, kind));
    return ListOf<K, ListT>(ctx, client, options);
  }

  // ---- Writes. They return the object as the server has it, and leave the caller's as it is.

  // Creates the object. Returns ALREADY_EXISTS (errors::IsAlreadyExists) if there is one of its
  // name.
  template <AnyKind K>
  absl::StatusOr<K> Create(const Context& ctx, K object,
                           const api::meta::v1::CreateOptions& options = {}) const {
    if constexpr (kIsMetadata<K>) return core_->MetadataOnlyError(Verb::kCreate);
    KUBE_ASSIGN_OR_RETURN(const internal::KindClient kind, ClientOf(ctx, object));
    KUBE_RETURN_IF_ERROR(SetNamespace(kind, Verb::kCreate, object));
    const meta::ObjectName name = meta::ObjectNameOf(object);
    return Write<K>(ctx, kind, Verb::kCreate, name, object, [&](typed::AnyTarget to) {
      return core_->At(kind, name.namespace_name)
          .Create(ctx, typed::AnyStruct::Of(object), core_->Complete(options), to);
    });
  }

  // Replaces the object; see TypedClient::Update.
  template <AnyKind K>
  absl::StatusOr<K> Update(const Context& ctx, K object,
                           const api::meta::v1::UpdateOptions& options = {}) const {
    if constexpr (kIsMetadata<K>) return core_->MetadataOnlyError(Verb::kUpdate);
    KUBE_ASSIGN_OR_RETURN(const internal::KindClient kind, ClientOf(ctx, object));
    KUBE_RETURN_IF_ERROR(SetNamespace(kind, Verb::kUpdate, object));
    const meta::ObjectName name = meta::ObjectNameOf(object);
    return Write<K>(ctx, kind, Verb::kUpdate, name, object, [&](typed::AnyTarget to) {
      return core_->At(kind, name.namespace_name)
          .Update(ctx, typed::AnyStruct::Of(object), "", core_->Complete(options), to);
    });
  }

  // Applies the patch `data` to the object, which needs no more than its name. (controller-runtime:
  // `Client.Patch` with `client.RawPatch`)
  template <AnyKind K>
  absl::StatusOr<K> Patch(const Context& ctx, const K& object, patch::PatchType type,
                          absl::string_view data,
                          const api::meta::v1::PatchOptions& options = {}) const {
    KUBE_ASSIGN_OR_RETURN(const internal::KindClient kind, ClientOf(ctx, object));
    meta::ObjectName name = meta::ObjectNameOf(object);
    KUBE_RETURN_IF_ERROR(core_->Complete(kind, Verb::kPatch, name));
    return Write<K>(ctx, kind, Verb::kPatch, name, object, [&](typed::AnyTarget to) {
      return core_->At(kind, name.namespace_name)
          .Patch(ctx, name.name, type, data, core_->Complete(options), {}, to);
    });
  }

  // Sends the difference between `before` and `after`, a changed copy of it; see typed::PatchFrom.
  // Sends nothing, and returns `after`, if both are equal. `options.subresource` comes before the
  // subresource of the client. (controller-runtime: `Client.Patch` with `client.MergeFrom`)
  template <AnyKind K>
  absl::StatusOr<K> PatchFrom(const Context& ctx, const K& before, const K& after,
                              const typed::PatchFromOptions& options = {}) const {
    KUBE_ASSIGN_OR_RETURN(const typed::ObjectPatch patch,
                          typed::MakePatchFrom(before, after, options));
    if (patch.text.empty()) return after;
    if (options.subresource.empty()) {
      return Patch(ctx, before, patch.type, patch.text, options.patch);
    }
    return Subresource(options.subresource)
        .Patch(ctx, before, patch.type, patch.text, options.patch);
  }

  // Server-side apply; see TypedClient::Apply. The field manager is that of the options or of
  // WithFieldOwner; without one the server refuses the call. `configuration` is an ApplyOf<K>, of
  // the applies header of K, or an Unstructured with the fields to apply, which must not have
  // managed fields.
  //
  //   return client.Apply<corev1::ConfigMap>(ctx, settings, {.force = true}).status();
  template <typed::ResourceKind K, ApiStruct ConfigurationT = ApplyOf<K>>
  absl::StatusOr<K> Apply(const Context& ctx, const ConfigurationT& configuration,
                          const api::meta::v1::ApplyOptions& options = {}) const {
    meta::ObjectName name;
    if (configuration.metadata.has_value()) {
      name.namespace_name = std::string(configuration.metadata->namespace_->view());
      name.name = std::string(configuration.metadata->name->view());
    }
    return ApplyOfKind<K>(ctx, core_->ClientOf(typed::ResourceTraits<K>::kResource, K::kMessage),
                          std::move(name), configuration, options);
  }
  absl::StatusOr<unstructured::Unstructured> Apply(
      const Context& ctx, const unstructured::Unstructured& configuration,
      const api::meta::v1::ApplyOptions& options = {}) const;

  // Requests that the object be deleted, of which no more than the name is used: for the state
  // that the caller knows, set options.preconditions. Returns NOT_FOUND if it does not exist:
  // errors::IgnoreNotFound.
  template <AnyKind K>
  absl::Status Delete(const Context& ctx, const K& object,
                      const api::meta::v1::DeleteOptions& options = {}) const {
    KUBE_ASSIGN_OR_RETURN(const internal::KindClient kind, ClientOf(ctx, object));
    return DeleteOf(ctx, kind, meta::ObjectNameOf(object), options);
  }

  // Request that all selected objects be deleted, with one call. Return INVALID_ARGUMENT if the
  // kind has namespaces, and neither the scope nor the client names one, and if the client is for a
  // subresource. A selector that matches nothing deletes nothing, and an empty one everything in
  // the namespace. (controller-runtime: `Client.DeleteAllOf`)
  template <typed::ResourceKind K>
  absl::Status DeleteAll(const Context& ctx, const typed::ReadOptions& scope = {},
                         const api::meta::v1::DeleteOptions& options = {}) const {
    return DeleteAllOf(ctx, core_->ClientOf(typed::ResourceTraits<K>::kResource, K::kMessage),
                       scope, options);
  }
  absl::Status DeleteAll(const Context& ctx, const schema::GroupVersionKind& kind,
                         const typed::ReadOptions& scope = {},
                         const api::meta::v1::DeleteOptions& options = {}) const;

 private:
  template <typename K>
  static constexpr bool kIsMetadata = std::is_same_v<K, api::meta::v1::PartialObjectMetadata>;

  explicit Client(std::shared_ptr<const internal::ClientCore> core) : core_(std::move(core)) {}

  Client WithReaderOf(const kube::table::Message& type, schema::GroupVersionKind kind,
                      std::shared_ptr<const void> reader) const;
  absl::Status DeleteOf(const Context& ctx, const internal::KindClient& kind, meta::ObjectName name,
                        const api::meta::v1::DeleteOptions& options) const;
  absl::Status DeleteAllOf(const Context& ctx, const internal::KindClient& kind,
                           const typed::ReadOptions& scope,
                           const api::meta::v1::DeleteOptions& options) const;

  template <DynamicKind K>
  absl::StatusOr<internal::KindClient> DynamicClientOf(const Context& ctx,
                                                       const schema::GroupVersionKind& kind) const {
    if constexpr (kIsMetadata<K>) {
      return core_->MetadataClientOf(ctx, kind);
    } else {
      return core_->UnstructuredClientOf(ctx, kind);
    }
  }
  template <AnyKind K>
  absl::StatusOr<internal::KindClient> ClientOf(const Context& ctx, const K& object) const {
    if constexpr (typed::ResourceKind<K>) {
      return core_->ClientOf(typed::ResourceTraits<K>::kResource, K::kMessage);
    } else if constexpr (kIsMetadata<K>) {
      return core_->MetadataClientOf(ctx, meta::KindOf(object));
    } else {
      return core_->UnstructuredClientOf(ctx, object.gvk());
    }
  }

  // Completes the namespace in the object itself.
  template <AnyKind K>
  absl::Status SetNamespace(const internal::KindClient& kind, Verb verb, K& object) const {
    meta::ObjectName name = meta::ObjectNameOf(object);
    KUBE_RETURN_IF_ERROR(core_->Complete(kind, verb, name));
    if constexpr (meta::Object<K>) {
      object.metadata.namespace_ = name.namespace_name;
    } else {
      object.set_namespace(name.namespace_name);
    }
    return absl::OkStatus();
  }

  // Metadata is received and cached without a kind, and needs it for the next call.
  template <AnyKind K>
  static void SetKind(const internal::KindClient& kind, K& object) {
    if constexpr (kIsMetadata<K>) meta::SetKind(object, kind.kind);
  }
  template <AnyKind K>
  static std::shared_ptr<const K> WithKind(const internal::KindClient& kind,
                                           std::shared_ptr<const K> object) {
    if constexpr (kIsMetadata<K>) {
      auto copy = std::make_shared<K>(*object);
      SetKind(kind, *copy);
      return copy;
    } else {
      return object;
    }
  }

  template <AnyKind K>
  std::shared_ptr<const typed::Reader<K>> FindReader(const internal::KindClient& kind) const {
    if (!core_->policy().subresource.empty()) return nullptr;
    return std::static_pointer_cast<const typed::Reader<K>>(
        core_->FindReader(K::kMessage, kind.kind));
  }

  template <AnyKind K>
  absl::StatusOr<std::shared_ptr<const K>> GetOf(const Context& ctx,
                                                 const internal::KindClient& kind,
                                                 meta::ObjectName name) const {
    KUBE_RETURN_IF_ERROR(core_->Complete(kind, Verb::kGet, name));
    const std::shared_ptr<const typed::Reader<K>> reader = FindReader<K>(kind);
    std::shared_ptr<const K> object;
    const auto read = [&]() -> absl::Status {
      if (reader != nullptr) {
        KUBE_ASSIGN_OR_RETURN(object, reader->Get(ctx, name.namespace_name, name.name));
        object = WithKind<K>(kind, std::move(object));
        return absl::OkStatus();
      }
      auto answer = std::make_shared<K>();
      KUBE_RETURN_IF_ERROR(core_->At(kind, name.namespace_name)
                               .Get(ctx, name.name, "", {}, typed::AnyTarget::Of(*answer)));
      SetKind(kind, *answer);
      object = std::move(answer);
      return absl::OkStatus();
    };
    KUBE_RETURN_IF_ERROR(core_->Do(ctx, kind, Verb::kGet, name, read));
    if (object == nullptr) {
      return absl::InternalError(
          absl::StrCat("get \"", name.ToString(), "\": the interceptor has returned no object"));
    }
    return object;
  }

  template <AnyKind K, ApiStruct ListT>
  absl::StatusOr<std::vector<std::shared_ptr<const K>>> ListOf(
      const Context& ctx, const internal::KindClient& kind,
      const typed::ReadOptions& options) const {
    typed::ReadOptions own = options;
    KUBE_ASSIGN_OR_RETURN(own.namespace_name,
                          core_->NamespaceOf(kind, Verb::kList, options.namespace_name));
    const std::shared_ptr<const typed::Reader<K>> reader = FindReader<K>(kind);
    std::vector<std::shared_ptr<const K>> objects;
    const auto read = [&]() -> absl::Status {
      objects.clear();
      if (reader != nullptr) {
        KUBE_ASSIGN_OR_RETURN(objects, reader->List(ctx, own));
        for (std::shared_ptr<const K>& each : objects) each = WithKind<K>(kind, std::move(each));
        return absl::OkStatus();
      }
      if (own.selector.MatchesNothing()) return absl::OkStatus();
      ListT list = {};
      return core_->At(kind, own.namespace_name)
          .ListPage(ctx, {.label_selector = own.selector.ToString()}, {}, K::kMessage,
                    typed::AnyTarget::Of(list), [&](std::shared_ptr<const void> item) {
                      objects.push_back(
                          WithKind<K>(kind, std::static_pointer_cast<const K>(std::move(item))));
                      return absl::OkStatus();
                    });
    };
    const meta::ObjectName name = {.namespace_name = own.namespace_name, .name = ""};
    KUBE_RETURN_IF_ERROR(core_->Do(ctx, kind, Verb::kList, name, read));
    return objects;
  }

  // Makes a write through the interceptors. `sent` is returned if they say OK without writing.
  template <AnyKind K>
  absl::StatusOr<K> Write(const Context& ctx, const internal::KindClient& kind, Verb verb,
                          const meta::ObjectName& name, const K& sent,
                          absl::FunctionRef<absl::Status(typed::AnyTarget)> send) const {
    K result = sent;
    const auto write = [&]() -> absl::Status {
      K answer = {};
      KUBE_RETURN_IF_ERROR(send(typed::AnyTarget::Of(answer)));
      SetKind(kind, answer);
      result = std::move(answer);
      return absl::OkStatus();
    };
    KUBE_RETURN_IF_ERROR(core_->Do(ctx, kind, verb, name, write));
    return result;
  }

  template <AnyKind K, ApiStruct ConfigurationT>
  absl::StatusOr<K> ApplyOfKind(const Context& ctx, const internal::KindClient& kind,
                                meta::ObjectName name, const ConfigurationT& configuration,
                                const api::meta::v1::ApplyOptions& options) const {
    KUBE_RETURN_IF_ERROR(core_->Complete(kind, Verb::kApply, name));
    return Write<K>(ctx, kind, Verb::kApply, name, K(), [&](typed::AnyTarget to) {
      return core_->At(kind, name.namespace_name)
          .Apply(ctx, typed::AnyStruct::Of(configuration), "", core_->Complete(options), to);
    });
  }

  std::shared_ptr<const internal::ClientCore> core_;
};

}  // namespace kube::generic

#endif  // CLIENTSET_GENERIC_CLIENT_H_
