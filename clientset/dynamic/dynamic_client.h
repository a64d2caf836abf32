#ifndef CLIENTSET_DYNAMIC_DYNAMIC_CLIENT_H_
#define CLIENTSET_DYNAMIC_DYNAMIC_CLIENT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/rest/client.h"
#include "clientset/typed/options.h"
#include "clientset/typed/typed_core.h"

namespace kube::dynamic {

// The objects of one resource, whatever they are. (dynamic.ResourceInterface)
//
// Where `subresources` are, the call is about that part of the object: {"status"}, {"scale"}. What
// is sent is sent as it is, kind and apiVersion too, which servers want in most of it. Everything
// is JSON.
//
// All calls block, until ctx is done at the latest. Errors: the server's, see errors/predicates.h;
// the transport's; INVALID_ARGUMENT, with nothing sent, for names that are missing or that no path
// may have, and after the answer for one that is no object with a kind (schema::IsMissingKind).
//
// A handle: cheap to copy. Thread-safe.
class ResourceClient {
 public:
  // The same in one namespace; "" is all of them, or none.
  ResourceClient Namespace(absl::string_view name) const {
    return ResourceClient(core_.InNamespace(name), resource_);
  }

  absl::StatusOr<unstructured::Unstructured> Get(
      const Context& ctx, absl::string_view name, const api::meta::v1::GetOptions& options = {},
      const std::vector<std::string>& subresources = {}) const;

  // Items that do not say so themselves get kind and apiVersion from the list.
  absl::StatusOr<unstructured::UnstructuredList> List(
      const Context& ctx, const api::meta::v1::ListOptions& options = {}) const;

  // As TypedClient::Watch.
  absl::StatusOr<std::unique_ptr<watch::Watcher<unstructured::Unstructured>>> Watch(
      const Context& ctx, const api::meta::v1::ListOptions& options = {},
      const typed::WatchStreamOptions& watch_options = {}) const;

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

  absl::Status Delete(const Context& ctx, absl::string_view name,
                      const api::meta::v1::DeleteOptions& options = {},
                      const std::vector<std::string>& subresources = {}) const;
  absl::Status DeleteCollection(const Context& ctx,
                                const api::meta::v1::DeleteOptions& options = {},
                                const api::meta::v1::ListOptions& list_options = {}) const;

  absl::StatusOr<unstructured::Unstructured> Patch(
      const Context& ctx, absl::string_view name, patch::PatchType type, absl::string_view data,
      const api::meta::v1::PatchOptions& options = {},
      const std::vector<std::string>& subresources = {}) const;

  // Server-side apply, as field_manager. INVALID_ARGUMENT for a configuration with managed fields:
  // it is what came from the server, and not what somebody wants to manage.
  absl::StatusOr<unstructured::Unstructured> Apply(
      const Context& ctx, absl::string_view name, const unstructured::Unstructured& configuration,
      const api::meta::v1::ApplyOptions& options,
      const std::vector<std::string>& subresources = {}) const;
  absl::StatusOr<unstructured::Unstructured> ApplyStatus(
      const Context& ctx, absl::string_view name, const unstructured::Unstructured& configuration,
      const api::meta::v1::ApplyOptions& options) const;

  const schema::GroupVersionResource& resource() const { return resource_; }
  // "" for all.
  const std::string& namespace_name() const { return core_.namespace_name(); }

  // The part of this client that does not depend on a type, for code that is generic over types, as
  // informers are.
  const typed::TypedCore& core() const { return core_; }

 private:
  friend class DynamicClient;
  ResourceClient(typed::TypedCore core, const schema::GroupVersionResource& resource)
      : core_(std::move(core)), resource_(resource) {}

  // OK, or that there is no name for `verb`.
  absl::Status CheckName(absl::string_view verb, absl::string_view name) const;

  typed::TypedCore core_;
  schema::GroupVersionResource resource_;
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
// For caches see TypedClient<Unstructured, UnstructuredList>, which needs the kind as well.
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
