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

// The objects of one resource, whatever they are. (dynamic.ResourceInterface)
//
// What is sent is sent as it is, kind and apiVersion too, which servers want in most of it.
// Everything is JSON. Get, List, ListPage, Watch, Delete, DeleteCollection and Patch are those of
// AnyResourceClient; `subresources` are the same here.
//
// All calls block, until ctx is done at the latest. Errors: the server's, see errors/predicates.h;
// the transport's; INVALID_ARGUMENT, with nothing sent, for names that are missing or that no path
// may have, and after the answer for one that is no object with a kind (schema::IsMissingKind).
//
// A handle: cheap to copy. Thread-safe.
class ResourceClient
    : public typed::AnyResourceClient<unstructured::Unstructured, unstructured::UnstructuredList> {
 public:
  // The same in one namespace; "" is all of them, or none.
  ResourceClient Namespace(absl::string_view name) const {
    return ResourceClient(core().InNamespace(name));
  }

  // With subresources the object needs a name: that of the object it is a part of.
  absl::StatusOr<unstructured::Unstructured> Create(
      const Context& ctx, const unstructured::Unstructured& object,
      const api::meta::v1::CreateOptions& options = {},
      const std::vector<std::string>& subresources = {}) const;

  absl::StatusOr<unstructured::Unstructured> Update(
      const Context& ctx, const unstructured::Unstructured& object,
      const api::meta::v1::UpdateOptions& options = {},
      const std::vector<std::string>& subresources = {}) const;
  absl::StatusOr<unstructured::Unstructured> UpdateStatus(
      const Context& ctx, const unstructured::Unstructured& object,
      const api::meta::v1::UpdateOptions& options = {}) const;

  // Server-side apply, as field_manager. INVALID_ARGUMENT for a configuration with managed fields:
  // it is what came from the server, and not what somebody wants to manage.
  absl::StatusOr<unstructured::Unstructured> Apply(
      const Context& ctx, absl::string_view name, const unstructured::Unstructured& configuration,
      const api::meta::v1::ApplyOptions& options,
      const std::vector<std::string>& subresources = {}) const;
  absl::StatusOr<unstructured::Unstructured> ApplyStatus(
      const Context& ctx, absl::string_view name, const unstructured::Unstructured& configuration,
      const api::meta::v1::ApplyOptions& options) const;

  // As TypedClient::Edit: gets the object, lets `change` change a copy, and sends the difference as
  // a merge patch; on a conflict all of it again.
  absl::StatusOr<unstructured::Unstructured> Edit(
      const Context& ctx, absl::string_view name,
      absl::FunctionRef<absl::Status(unstructured::Unstructured&)> change,
      const typed::EditOptions& options = {}) const;

 private:
  friend class DynamicClient;
  explicit ResourceClient(typed::TypedCore core) : AnyResourceClient(std::move(core)) {}
};

// Clients of any resource, known when the program runs. (dynamic.DynamicClient)
//
//   dynamic::DynamicClient client(clientset.client());
//   const schema::GroupVersionResource widgets = {.group = "example.com", .version = "v1",
//                                                 .resource = "widgets"};
//   const auto prod = client.Resource(widgets).Namespace("prod");
//   KUBE_ASSIGN_OR_RETURN(Unstructured widget, prod.Get(ctx, "web"));
//   KUBE_RETURN_IF_ERROR(SetNestedField(widget.object, 3, {"spec", "size"}));
//   KUBE_RETURN_IF_ERROR(prod.Update(ctx, widget).status());
//
// For caches see DynamicSharedInformerFactory (informers/dynamic_shared_informer_factory.h).
// A handle: cheap to copy. Thread-safe.
class DynamicClient {
 public:
  // (New)
  explicit DynamicClient(rest::Client client) : client_(std::move(client)) {}

  ResourceClient Resource(const schema::GroupVersionResource& resource) const;

  // The resource of a kind. Without a version the preferred one. Blocks while `mapper` asks a
  // server; errors are its own. (There is none in client-go: its users write this)
  absl::StatusOr<ResourceClient> ResourceOfKind(const Context& ctx,
                                                const restmapper::RestMapper& mapper,
                                                const schema::GroupVersionKind& kind) const;

  const rest::Client& client() const { return client_; }

 private:
  rest::Client client_;
};

}  // namespace kube::dynamic

#endif  // CLIENTSET_DYNAMIC_DYNAMIC_CLIENT_H_
