#ifndef CLIENTSET_TYPED_TYPED_CLIENT_H_
#define CLIENTSET_TYPED_TYPED_CLIENT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/utility/utility.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/watch/stream_watcher.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/rest/client.h"
#include "clientset/typed/options.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_core.h"

namespace kube::typed {

namespace internal {

// Ends a call that fills `result` in place. A function of its own so that its code exists once for
// each type, not once for each verb.
template <typename R>
ABSL_ATTRIBUTE_NOINLINE void Settle(absl::StatusOr<R>& result, absl::Status status) {
  if (!status.ok()) result = std::move(status);
}

}  // namespace internal

// The objects of one resource: reads, writes and watches them. (client-go's typed clients, such as
// clientset.AppsV1().Deployments("prod"); gentype.ClientWithListAndApply)
//
//   typed::TypedClient<appsv1::Deployment, appsv1::DeploymentList> all(client, kDeployments);
//   const auto deployments = all.Namespace("prod");
//   KUBE_ASSIGN_OR_RETURN(appsv1::Deployment web, deployments.Get(ctx, "web"));
//   web.spec.replicas = 5;
//   absl::Status status = deployments.Update(ctx, web).status();
//   if (errors::IsConflict(status)) ...  // or Edit, which begins again by itself
//
// T may be unstructured::Unstructured, and ListT UnstructuredList, for any resource. Lists and
// watches with metav1::PartialObjectMetadata, and its list, get metadata and nothing else from the
// server, of any resource too.
//
// Objects come and go as protobuf if the resource is built-in and the client's configuration does
// not say otherwise, else as JSON. A server that has no protobuf of the resource (406, or 415) is
// asked again in JSON, and in JSON from then on by all clients that stand on the same rest::Client.
//
// What comes back has no kind and apiVersion, as with client-go: the type says it. (Unstructured
// objects always have them.) What is sent gets those of the resource, whatever the object says.
// Fields that T does not have are dropped on the way in: Update removes them at the server; Edit,
// Patch and Apply do not.
//
// All calls block, until ctx is done at the latest. Errors: the server's, see errors/predicates.h;
// the transport's, see rest/transport_error.h; ctx.status(); INVALID_ARGUMENT, with nothing sent,
// for a name or namespace that is missing or cannot be, and for an object that cannot be encoded,
// and after the answer for one that is no T. A write whose connection is lost may have been done.
//
// A handle: cheap to copy. Thread-safe.
template <ApiStruct T, ApiStruct ListT>
class TypedClient {
 public:
  // Of all namespaces, for lists and watches; or of a resource that is in none.
  TypedClient(rest::Client client, const Resource& resource)
      : core_(std::move(client), resource, T::kMessage) {}

  // The same in one namespace; "" is all of them again.
  TypedClient Namespace(absl::string_view name) const {
    return TypedClient(core_.InNamespace(name));
  }

  // NOT_FOUND, errors::IsNotFound: there is none of that name.
  absl::StatusOr<T> Get(const Context& ctx, absl::string_view name,
                        const api::meta::v1::GetOptions& options = {}) const {
    absl::StatusOr<T> object(absl::in_place);
    internal::Settle(object, core_.Get(ctx, name, "", options, AnyTarget::Of(*object)));
    return object;
  }

  // All objects, in one answer. A server gives many objects in pages only if `limit` asks for it:
  // see pager::ListPager. With timeout_seconds the call ends after that time.
  absl::StatusOr<ListT> List(const Context& ctx,
                             const api::meta::v1::ListOptions& options = {}) const {
    absl::StatusOr<ListT> list(absl::in_place);
    internal::Settle(list, core_.List(ctx, options, AnyTarget::Of(*list)));
    return list;
  }

  // The same for caches: objects that nobody changes, each in one block of memory, decoded while
  // they arrive, so that the answer as a whole is never in memory. An error if the connection
  // breaks in the middle: what had come is lost.
  absl::StatusOr<Page<T, ListT>> ListPage(const Context& ctx,
                                          const api::meta::v1::ListOptions& options = {},
                                          const PageOptions& page_options = {}) const {
    absl::StatusOr<Page<T, ListT>> page(absl::in_place);
    internal::Settle(
        page,
        core_.ListPage(ctx, options, page_options, T::kMessage, AnyTarget::Of(page->list),
                       [&page](std::shared_ptr<const void> item) {
                         page->items.push_back(std::static_pointer_cast<const T>(std::move(item)));
                         return absl::OkStatus();
                       }));
    return page;
  }

  // What happens from options.resource_version on; from any recent state if that is empty, with
  // the objects there are as kAdded. Returns when the answer has begun; then pull events. `ctx` is
  // for the beginning alone: Next has its own, and Stop ends the watch.
  //
  // The watch ends as Watcher says; errors are its last event, as errors::IsResourceExpired of an
  // old resource version. Servers end watches after 30 to 60 minutes, or timeout_seconds: watch
  // again from the last object's resource version, that of bookmarks too. If even after all tries
  // the connection was lost before the answer, this is a watch that has ended, and no error.
  absl::StatusOr<std::unique_ptr<watch::Watcher<T>>> Watch(
      const Context& ctx, const api::meta::v1::ListOptions& options = {},
      const WatchStreamOptions& watch_options = {}) const {
    absl::StatusOr<WatchBody> body = core_.Watch(ctx, options, watch_options);
    if (!body.ok()) return std::move(body).status();
    if (body->stream == nullptr) return std::make_unique<watch::EmptyWatcher<T>>();
    return std::make_unique<watch::StreamWatcher<T>>(
        body->content_type, std::move(body->stream),
        MakeStreamWatcherOptions(watch_options, T::kMessage));
  }

  // Makes a new object and returns it as the server has it. Without metadata.name the server makes
  // one from metadata.generate_name. errors::IsAlreadyExists: there is one of that name.
  absl::StatusOr<T> Create(const Context& ctx, const T& object,
                           const api::meta::v1::CreateOptions& options = {}) const {
    absl::StatusOr<T> created(absl::in_place);
    internal::Settle(created,
                     core_.Create(ctx, AnyStruct::Of(object), options, AnyTarget::Of(*created)));
    return created;
  }

  // Puts `object` in the place of that of its name, without its status where that is a subresource.
  // errors::IsConflict: metadata.resource_version is not the present one; without one, whatever is
  // there is overwritten.
  absl::StatusOr<T> Update(const Context& ctx, const T& object,
                           const api::meta::v1::UpdateOptions& options = {}) const {
    return UpdateAt(ctx, object, "", options);
  }
  // The same of nothing but the status.
  absl::StatusOr<T> UpdateStatus(const Context& ctx, const T& object,
                                 const api::meta::v1::UpdateOptions& options = {}) const {
    return UpdateAt(ctx, object, "status", options);
  }

  // Asks for an object to be deleted. It may be there for some time yet: finalizers, graceful ends.
  absl::Status Delete(const Context& ctx, absl::string_view name,
                      const api::meta::v1::DeleteOptions& options = {}) const {
    return core_.Delete(ctx, name, options);
  }
  // The same of all that `list_options` selects.
  absl::Status DeleteCollection(const Context& ctx,
                                const api::meta::v1::DeleteOptions& options = {},
                                const api::meta::v1::ListOptions& list_options = {}) const {
    return core_.DeleteCollection(ctx, options, list_options);
  }

  // Changes what `data` says, and returns the object after that. See apimachinery/patch.
  absl::StatusOr<T> Patch(const Context& ctx, absl::string_view name, patch::PatchType type,
                          absl::string_view data, const api::meta::v1::PatchOptions& options = {},
                          const std::vector<std::string>& subresources = {}) const {
    absl::StatusOr<T> patched(absl::in_place);
    internal::Settle(patched, core_.Patch(ctx, name, type, data, options, subresources,
                                          AnyTarget::Of(*patched)));
    return patched;
  }

  // Server-side apply: makes the fields of `configuration` so, and field_manager, which must be
  // set, their manager. `configuration` is an apply configuration, or an unstructured object, that
  // has a name; kind and apiVersion are the resource's unless it has its own. errors::IsConflict:
  // another manager has them, and `force` is not set.
  template <ApiStruct ConfigurationT>
  absl::StatusOr<T> Apply(const Context& ctx, const ConfigurationT& configuration,
                          const api::meta::v1::ApplyOptions& options) const {
    return ApplyAt(ctx, AnyStruct::Of(configuration), "", options);
  }
  // The same of the status.
  template <ApiStruct ConfigurationT>
  absl::StatusOr<T> ApplyStatus(const Context& ctx, const ConfigurationT& configuration,
                                const api::meta::v1::ApplyOptions& options) const {
    return ApplyAt(ctx, AnyStruct::Of(configuration), "status", options);
  }

  // Gets the object, lets `change` change a copy, and sends the difference, as a patch that the
  // server applies to that very state only; on a conflict all of it again, as often as the options
  // say. Fields that T does not have stay as they are at the server, but within elements of lists
  // that are replaced whole: those of custom resources, and lists without a merge key.
  //
  //   deployments.Edit(ctx, "web", [](appsv1::Deployment& web) {
  //     web.spec.replicas = 5;
  //     return absl::OkStatus();
  //   });
  //
  // Returns the object as the server has it; where nothing was changed, nothing is sent. `change`
  // may run several times, on this thread; its error ends it, and is returned. Other errors:
  // Get's and Patch's. There is no such thing in client-go: its users write retry.RetryOnConflict
  // around Get and Update, which drops unknown fields.
  absl::StatusOr<T> Edit(const Context& ctx, absl::string_view name,
                         absl::FunctionRef<absl::Status(T&)> change,
                         const EditOptions& options = {}) const {
    absl::StatusOr<T> object(absl::in_place);
    internal::Settle(
        object, core_.Edit(
                    ctx, name, options, [&] { return change(*object); }, AnyTarget::Of(*object)));
    return object;
  }

  // What hand-written and generated verbs are made of: a subresource that is of another type, as
  // the scale of a deployment or the eviction of a pod.
  template <ApiStruct ResultT>
  absl::StatusOr<ResultT> GetSubresource(const Context& ctx, absl::string_view name,
                                         absl::string_view subresource,
                                         const api::meta::v1::GetOptions& options = {}) const {
    absl::StatusOr<ResultT> result(absl::in_place);
    internal::Settle(result, core_.Get(ctx, name, subresource, options, AnyTarget::Of(*result)));
    return result;
  }
  // ResultT may be metav1::Status, if that is what the server answers with.
  template <ApiStruct SentT, ApiStruct ResultT = SentT>
  absl::StatusOr<ResultT> CreateSubresource(
      const Context& ctx, absl::string_view name, const Subresource& subresource,
      const SentT& object, const api::meta::v1::CreateOptions& options = {}) const {
    absl::StatusOr<ResultT> result(absl::in_place);
    internal::Settle(result, core_.CreateSubresource(ctx, name, subresource, AnyStruct::Of(object),
                                                     options, AnyTarget::Of(*result)));
    return result;
  }
  template <ApiStruct SentT, ApiStruct ResultT = SentT>
  absl::StatusOr<ResultT> UpdateSubresource(
      const Context& ctx, absl::string_view name, const Subresource& subresource,
      const SentT& object, const api::meta::v1::UpdateOptions& options = {}) const {
    absl::StatusOr<ResultT> result(absl::in_place);
    internal::Settle(result, core_.UpdateSubresource(ctx, name, subresource, AnyStruct::Of(object),
                                                     options, AnyTarget::Of(*result)));
    return result;
  }
  // `configuration` needs no name of its own; its kind and apiVersion are the subresource's unless
  // it says otherwise.
  template <ApiStruct ResultT, ApiStruct ConfigurationT>
  absl::StatusOr<ResultT> ApplySubresource(const Context& ctx, absl::string_view name,
                                           const Subresource& subresource,
                                           const ConfigurationT& configuration,
                                           const api::meta::v1::ApplyOptions& options) const {
    absl::StatusOr<ResultT> result(absl::in_place);
    internal::Settle(result,
                     core_.ApplySubresource(ctx, name, subresource, AnyStruct::Of(configuration),
                                            options, AnyTarget::Of(*result)));
    return result;
  }

  // "" for all. (GetNamespace)
  const std::string& namespace_name() const { return core_.namespace_name(); }
  // (GetClient)
  const rest::Client& client() const { return core_.client(); }
  // The part of this client that does not depend on its types, for code that is generic over them.
  const TypedCore& core() const { return core_; }

 private:
  explicit TypedClient(TypedCore core) : core_(std::move(core)) {}

  // An object is filled where it is returned from: moving one is longer than all else here.

  absl::StatusOr<T> UpdateAt(const Context& ctx, const T& object, absl::string_view subresource,
                             const api::meta::v1::UpdateOptions& options) const {
    absl::StatusOr<T> updated(absl::in_place);
    internal::Settle(updated, core_.Update(ctx, AnyStruct::Of(object), subresource, options,
                                           AnyTarget::Of(*updated)));
    return updated;
  }
  absl::StatusOr<T> ApplyAt(const Context& ctx, AnyStruct configuration,
                            absl::string_view subresource,
                            const api::meta::v1::ApplyOptions& options) const {
    absl::StatusOr<T> applied(absl::in_place);
    internal::Settle(
        applied, core_.Apply(ctx, configuration, subresource, options, AnyTarget::Of(*applied)));
    return applied;
  }

  TypedCore core_;
};

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_TYPED_CLIENT_H_
