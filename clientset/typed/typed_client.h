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
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/watch/stream_watcher.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/rest/client.h"
#include "clientset/typed/options.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_core.h"

namespace kube::typed {

namespace internal {

// Ends a call that has filled `result` in place. It is not inlined so that its code exists once per
// type and not once per verb.
template <typename R>
ABSL_ATTRIBUTE_NOINLINE void Settle(absl::StatusOr<R>& result, absl::Status status) {
  if (!status.ok()) result = std::move(status);
}

}  // namespace internal

// Reads, writes and watches the objects of one resource. (client-go: typed clients such as
// `clientset.AppsV1().Deployments("prod")`, `gentype.ClientWithListAndApply`)
//
//   const typed::TypedClient<appsv1::Deployment, appsv1::DeploymentList> all(client, kDeployments);
//   const auto deployments = all.Namespace("prod");
//   KUBE_ASSIGN_OR_RETURN(appsv1::Deployment web, deployments.Get(ctx, "web"));
//   web.spec.replicas = 5;
//   return deployments.Update(ctx, web).status();  // a conflict if somebody was faster: see Edit
//
// For any resource, T may be unstructured::Unstructured and ListT UnstructuredList. If T is
// metav1::PartialObjectMetadata, ListT must be its list type; then lists and watches request only
// metadata from the server, for any resource.
//
// Objects are sent and received as protobuf if the resource is built-in and the client's
// configuration does not choose JSON, and as JSON otherwise. If the server does not offer protobuf
// for the resource (406 or 415), the request is repeated in JSON, and all clients of the same
// rest::Client use JSON for the resource from then on.
//
// As in client-go, returned objects have no kind and apiVersion, because the type implies them;
// only Unstructured objects always have them. Objects are sent with the kind and apiVersion of the
// resource, whatever they contain. Fields that T does not have are dropped on reading, so Update
// removes them from the server's object; Edit, Patch and Apply do not.
//
// All calls block until they are done, but at most until `ctx` is. They return the server's errors
// (errors/predicates.h); the transport's errors (transport_error.h); ctx.status(); and
// INVALID_ARGUMENT, with nothing sent, if a name or namespace is missing or invalid or an object
// cannot be encoded. INVALID_ARGUMENT is also returned if the response is not a T. A write whose
// connection is lost may have been executed.
//
// A handle: cheap to copy. Thread-safe.
template <ApiStruct T, ApiStruct ListT>
class TypedClient {
 public:
  // Makes a client for a cluster-scoped resource, or for all namespaces, in which it can list and
  // watch.
  TypedClient(rest::Client client, const Resource& resource)
      : core_(std::move(client), resource, T::kMessage) {}

  // Returns a client for one namespace; "" means all namespaces.
  TypedClient Namespace(absl::string_view name) const {
    return TypedClient(core_.InNamespace(name));
  }

  // Returns the object, or NOT_FOUND (errors::IsNotFound) if it does not exist.
  absl::StatusOr<T> Get(const Context& ctx, absl::string_view name,
                        const api::meta::v1::GetOptions& options = {}) const {
    absl::StatusOr<T> object(absl::in_place);
    internal::Settle(object, core_.Get(ctx, name, "", options, AnyTarget::Of(*object)));
    return object;
  }

  // Lists all objects in one response. The server sends pages only if options.limit asks for them:
  // see pager::ListPager. If options.timeout_seconds is set, the call ends after that time.
  absl::StatusOr<ListT> List(const Context& ctx,
                             const api::meta::v1::ListOptions& options = {}) const {
    absl::StatusOr<ListT> list(absl::in_place);
    internal::Settle(list, core_.List(ctx, options, AnyTarget::Of(*list)));
    return list;
  }

  // Lists objects for a cache: immutable objects, each in one block of memory. They are decoded
  // while the response arrives, so the whole response is never in memory. If the connection breaks,
  // returns an error, and the objects received until then are lost.
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

  // Watches changes after options.resource_version. If that is empty, the watch begins at some
  // recent state, and sends its objects as kAdded first. Returns when the response has begun; then
  // pull the events. `ctx` covers only that beginning: Watcher::Next takes its own context, and
  // Stop ends the watch.
  //
  // The watch ends as Watcher describes; an error is its last event, for example
  // errors::IsResourceExpired if the resource version is too old. Servers end watches after 30 to
  // 60 minutes or after timeout_seconds: watch again from the resource version of the last object
  // or bookmark. If the connection is lost before the response, even after all retries, Watch
  // returns a watch that has ended and not an error.
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

  // Creates the object and returns it as the server has it. If metadata.name is empty, the server
  // generates a name from metadata.generate_name. Returns ALREADY_EXISTS (errors::IsAlreadyExists)
  // if there is an object of that name.
  absl::StatusOr<T> Create(const Context& ctx, const T& object,
                           const api::meta::v1::CreateOptions& options = {}) const {
    absl::StatusOr<T> created(absl::in_place);
    internal::Settle(created,
                     core_.Create(ctx, AnyStruct::Of(object), options, AnyTarget::Of(*created)));
    return created;
  }

  // Replaces the object of that name, but not its status if that is a subresource. Returns a
  // conflict (errors::IsConflict) if metadata.resource_version is not the current one; read the
  // object and try again, or use Edit. Without a resource version, the object is overwritten in any
  // case.
  absl::StatusOr<T> Update(const Context& ctx, const T& object,
                           const api::meta::v1::UpdateOptions& options = {}) const {
    return UpdateAt(ctx, object, "", options);
  }
  // Like Update, but replaces only the status.
  absl::StatusOr<T> UpdateStatus(const Context& ctx, const T& object,
                                 const api::meta::v1::UpdateOptions& options = {}) const {
    return UpdateAt(ctx, object, "status", options);
  }

  // Requests that an object be deleted. It may continue to exist because of finalizers or its grace
  // period.
  absl::Status Delete(const Context& ctx, absl::string_view name,
                      const api::meta::v1::DeleteOptions& options = {}) const {
    return core_.Delete(ctx, name, options);
  }
  // Requests that all objects selected by `list_options` be deleted.
  absl::Status DeleteCollection(const Context& ctx,
                                const api::meta::v1::DeleteOptions& options = {},
                                const api::meta::v1::ListOptions& list_options = {}) const {
    return core_.DeleteCollection(ctx, options, list_options);
  }

  // Applies the patch `data`, and returns the resulting object. See apimachinery/patch.
  absl::StatusOr<T> Patch(const Context& ctx, absl::string_view name, patch::PatchType type,
                          absl::string_view data, const api::meta::v1::PatchOptions& options = {},
                          const std::vector<std::string>& subresources = {}) const {
    absl::StatusOr<T> patched(absl::in_place);
    internal::Settle(patched, core_.Patch(ctx, name, type, data, options, subresources,
                                          AnyTarget::Of(*patched)));
    return patched;
  }

  // Server-side apply: sets the fields in `configuration` and makes options.field_manager, which
  // must be set, their manager. Fields that this manager applied before and that are missing now
  // are removed, unless others own them too. `configuration` is an ApplyOf<T> or an unstructured
  // object; it must have a name. If it has no kind and apiVersion, those of the resource are used.
  // Where the applies header of T is included, a braced initializer is enough:
  //
  //   return deployments
  //       .Apply(ctx, {.metadata = {{.name = "web"}}, .spec = {{.replicas = 3}}},
  //              {.force = true, .field_manager = "scaler"})
  //       .status();
  //
  // Returns a conflict (errors::IsConflict) if another manager owns one of the fields, has set it
  // to another value, and options.force is not set.
  template <typename ObjectT = T, ApiStruct ConfigurationT = ApplyOf<ObjectT>>
  absl::StatusOr<T> Apply(const Context& ctx, const ConfigurationT& configuration,
                          const api::meta::v1::ApplyOptions& options) const {
    return ApplyAt(ctx, AnyStruct::Of(configuration), "", options);
  }
  // Like Apply, for the status.
  template <typename ObjectT = T, ApiStruct ConfigurationT = ApplyOf<ObjectT>>
  absl::StatusOr<T> ApplyStatus(const Context& ctx, const ConfigurationT& configuration,
                                const api::meta::v1::ApplyOptions& options) const {
    return ApplyAt(ctx, AnyStruct::Of(configuration), "status", options);
  }

  // Reads the object, lets `change` modify a copy, and sends the difference as a patch that the
  // server only applies to the state that was read. On a conflict it starts again, up to
  // options.backoff.steps tries. Fields that T does not have are preserved, except inside lists
  // that are replaced as a whole: all lists of custom resources, and lists without a merge key.
  //
  //   KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMap edited,
  //                         config_maps.Edit(ctx, "demo", [](corev1::ConfigMap& demo) {
  //                           demo.data["colour"] = "blue";
  //                           return absl::OkStatus();
  //                         }));
  //
  // Returns the object as the server has it. If nothing was changed, nothing is sent. `change` is
  // called on this thread, perhaps several times; if it returns an error, Edit ends and returns it.
  // Other errors are those of Get and Patch. client-go has no such method: its users write
  // retry.RetryOnConflict around Get and Update, which drops unknown fields.
  absl::StatusOr<T> Edit(const Context& ctx, absl::string_view name,
                         absl::FunctionRef<absl::Status(T&)> change,
                         const EditOptions& options = {}) const {
    absl::StatusOr<T> object(absl::in_place);
    internal::Settle(
        object, core_.Edit(
                    ctx, name, options, [&] { return change(*object); }, AnyTarget::Of(*object)));
    return object;
  }

  // The following four methods access a subresource whose object is of another type, such as the
  // scale of a deployment or the eviction of a pod. Generated and hand-written verbs are built on
  // them.
  template <ApiStruct ResultT>
  absl::StatusOr<ResultT> GetSubresource(const Context& ctx, absl::string_view name,
                                         absl::string_view subresource,
                                         const api::meta::v1::GetOptions& options = {}) const {
    absl::StatusOr<ResultT> result(absl::in_place);
    internal::Settle(result, core_.Get(ctx, name, subresource, options, AnyTarget::Of(*result)));
    return result;
  }
  // ResultT may be metav1::Status if that is what the server answers.
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
  // `configuration` needs no name. If it has no kind and apiVersion, those of `subresource` are
  // used.
  template <ApiStruct ResultT, ApiStruct ConfigurationT = ApplyOf<ResultT>>
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

  // "" means all namespaces. (client-go: `GetNamespace`)
  const std::string& namespace_name() const { return core_.namespace_name(); }
  // (client-go: `GetClient`)
  const rest::Client& client() const { return core_.client(); }
  // The part of this client that does not depend on its types, for code that is generic over types.
  const TypedCore& core() const { return core_; }

 private:
  explicit TypedClient(TypedCore core) : core_(std::move(core)) {}

  // These fill the result in place: moving an object would take more code than the rest.

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
