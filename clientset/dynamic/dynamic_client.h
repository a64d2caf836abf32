#ifndef CLIENTSET_DYNAMIC_DYNAMIC_CLIENT_H_
#define CLIENTSET_DYNAMIC_DYNAMIC_CLIENT_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/rest/client.h"
#include "clientset/typed/any_resource_client.h"
#include "clientset/typed/options.h"
#include "clientset/typed/typed_core.h"

namespace kube::dynamic {

// Reads, writes and watches the objects of one resource as unstructured objects. (client-go:
// `dynamic.ResourceInterface`)
//
// Objects are sent unchanged; servers require kind and apiVersion of most of them. Everything is
// JSON. Get, List, ListPage, Watch, Delete, DeleteCollection and Patch are those of
// AnyResourceClient, and `subresources` has the same meaning in the methods below.
//
// All calls block until they are done, but at most until `ctx` is. They return the server's errors
// (errors/predicates.h); the transport's errors; and INVALID_ARGUMENT, with nothing sent, if a name
// is missing or not a valid path segment. INVALID_ARGUMENT is also returned if the response is not
// an object with a kind (schema::IsMissingKind).
//
// A handle: cheap to copy. Thread-safe.
class ResourceClient
    : public typed::AnyResourceClient<unstructured::Unstructured, unstructured::UnstructuredList> {
 public:
  // Returns a client for one namespace; "" means all namespaces, or a cluster-scoped resource.
  ResourceClient Namespace(absl::string_view name) const {
    return ResourceClient(core().InNamespace(name));
  }

  // Creates the object. With `subresources`, the object needs the name of the object that they
  // belong to.
  absl::StatusOr<unstructured::Unstructured> Create(
      const Context& ctx, const unstructured::Unstructured& object,
      const api::meta::v1::CreateOptions& options = {},
      const std::vector<std::string>& subresources = {}) const;

  // Replace the object, or its status; see TypedClient::Update.
  absl::StatusOr<unstructured::Unstructured> Update(
      const Context& ctx, const unstructured::Unstructured& object,
      const api::meta::v1::UpdateOptions& options = {},
      const std::vector<std::string>& subresources = {}) const;
  absl::StatusOr<unstructured::Unstructured> UpdateStatus(
      const Context& ctx, const unstructured::Unstructured& object,
      const api::meta::v1::UpdateOptions& options = {}) const;

  // Server-side apply with options.field_manager as the manager. Returns INVALID_ARGUMENT if the
  // configuration has managed fields: it was read from the server then, and does not say which
  // fields the caller wants to manage.
  absl::StatusOr<unstructured::Unstructured> Apply(
      const Context& ctx, absl::string_view name, const unstructured::Unstructured& configuration,
      const api::meta::v1::ApplyOptions& options,
      const std::vector<std::string>& subresources = {}) const;
  // Like Apply, for the status.
  absl::StatusOr<unstructured::Unstructured> ApplyStatus(
      const Context& ctx, absl::string_view name, const unstructured::Unstructured& configuration,
      const api::meta::v1::ApplyOptions& options) const;

  // Reads the object, lets `change` modify a copy, and sends the difference as a merge patch; on a
  // conflict it starts again. See TypedClient::Edit.
  absl::StatusOr<unstructured::Unstructured> Edit(
      const Context& ctx, absl::string_view name,
      absl::FunctionRef<absl::Status(unstructured::Unstructured&)> change,
      const typed::EditOptions& options = {}) const;

 private:
  friend class DynamicClient;
  explicit ResourceClient(typed::TypedCore core) : AnyResourceClient(std::move(core)) {}
};

// Makes clients for any resource, which need not be known when the program is compiled. (client-go:
// `dynamic.DynamicClient`)
//
//   const dynamic::DynamicClient client(clientset.client());
//   const schema::GroupVersionResource widgets = {
//       .group = "example.com", .version = "v1", .resource = "widgets"};
//   const auto prod = client.Resource(widgets).Namespace("prod");
//   KUBE_ASSIGN_OR_RETURN(unstructured::Unstructured widget, prod.Get(ctx, "w"));
//   KUBE_RETURN_IF_ERROR(unstructured::SetNestedField(widget.object, 3, {"spec", "size"}));
//   return prod.Update(ctx, widget).status();
//
// For caches, see DynamicSharedInformerFactory (informers/dynamic_shared_informer_factory.h). A
// handle: cheap to copy. Thread-safe.
class DynamicClient {
 public:
  // (client-go: `dynamic.New`)
  explicit DynamicClient(rest::Client client) : client_(std::move(client)) {}

  // Returns a client for the resource in all namespaces. Sends nothing.
  ResourceClient Resource(const schema::GroupVersionResource& resource) const;

  // Returns a client for the resource of a kind. If `kind` has no version, the preferred version is
  // used. Blocks while `mapper` asks a server, and returns its errors. (client-go has no such
  // function: its users write it themselves.)
  absl::StatusOr<ResourceClient> ResourceOfKind(const Context& ctx,
                                                const restmapper::RestMapper& mapper,
                                                const schema::GroupVersionKind& kind) const;

  const rest::Client& client() const { return client_; }

 private:
  rest::Client client_;
};

}  // namespace kube::dynamic

#endif  // CLIENTSET_DYNAMIC_DYNAMIC_CLIENT_H_
