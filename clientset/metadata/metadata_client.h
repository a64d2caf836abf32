#ifndef CLIENTSET_METADATA_METADATA_CLIENT_H_
#define CLIENTSET_METADATA_METADATA_CLIENT_H_

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
#include "apimachinery/schema/group_version.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/rest/client.h"
#include "clientset/typed/options.h"
#include "clientset/typed/typed_core.h"

namespace kube::metadata {

// The metadata of one resource's objects. (metadata.ResourceInterface)
//
// Metadata come as protobuf where the server has that, also of custom resources. What comes back
// has no kind and apiVersion; items of lists and of watches neither.
//
// All calls block, until ctx is done at the latest. Errors: the server's, see errors/predicates.h;
// the transport's; INVALID_ARGUMENT, with nothing sent, for names that are missing or that no path
// may have, and after the answer for one that has no metadata.
//
// A handle: cheap to copy. Thread-safe.
class ResourceClient {
 public:
  // The same in one namespace; "" is all of them, or none.
  ResourceClient Namespace(absl::string_view name) const {
    return ResourceClient(core_.InNamespace(name), resource_);
  }

  absl::StatusOr<api::meta::v1::PartialObjectMetadata> Get(
      const Context& ctx, absl::string_view name, const api::meta::v1::GetOptions& options = {},
      const std::vector<std::string>& subresources = {}) const;

  absl::StatusOr<api::meta::v1::PartialObjectMetadataList> List(
      const Context& ctx, const api::meta::v1::ListOptions& options = {}) const;

  // The same for caches, decoded while it arrives: as TypedClient::ListPage.
  absl::StatusOr<
      typed::Page<api::meta::v1::PartialObjectMetadata, api::meta::v1::PartialObjectMetadataList>>
  ListPage(const Context& ctx, const api::meta::v1::ListOptions& options = {},
           const typed::PageOptions& page_options = {}) const;

  // As TypedClient::Watch.
  absl::StatusOr<std::unique_ptr<watch::Watcher<api::meta::v1::PartialObjectMetadata>>> Watch(
      const Context& ctx, const api::meta::v1::ListOptions& options = {},
      const typed::WatchStreamOptions& watch_options = {}) const;

  absl::Status Delete(const Context& ctx, absl::string_view name,
                      const api::meta::v1::DeleteOptions& options = {},
                      const std::vector<std::string>& subresources = {}) const;
  absl::Status DeleteCollection(const Context& ctx,
                                const api::meta::v1::DeleteOptions& options = {},
                                const api::meta::v1::ListOptions& list_options = {}) const;

  // Changes the object, not only its metadata, and answers with the metadata.
  absl::StatusOr<api::meta::v1::PartialObjectMetadata> Patch(
      const Context& ctx, absl::string_view name, patch::PatchType type, absl::string_view data,
      const api::meta::v1::PatchOptions& options = {},
      const std::vector<std::string>& subresources = {}) const;

  const schema::GroupVersionResource& resource() const { return resource_; }
  // "" for all.
  const std::string& namespace_name() const { return core_.namespace_name(); }

  // The part of this client that does not depend on a type, for code that is generic over types, as
  // informers are.
  const typed::TypedCore& core() const { return core_; }

 private:
  friend class MetadataClient;
  ResourceClient(typed::TypedCore core, const schema::GroupVersionResource& resource)
      : core_(std::move(core)), resource_(resource) {}

  absl::Status CheckName(absl::string_view verb, absl::string_view name) const;

  typed::TypedCore core_;
  schema::GroupVersionResource resource_;
};

// Clients of nothing but metadata, of any resource: for what only looks at labels, owners and
// finalizers, at a fraction of the bytes. (metadata.Client)
//
//   metadata::MetadataClient client(clientset.client());
//   KUBE_ASSIGN_OR_RETURN(
//       const metav1::PartialObjectMetadataList pods,
//       client.Resource({.version = "v1", .resource = "pods"}).Namespace("prod").List(ctx));
//
// A handle: cheap to copy. Thread-safe.
class MetadataClient {
 public:
  explicit MetadataClient(rest::Client client) : client_(std::move(client)) {}

  ResourceClient Resource(const schema::GroupVersionResource& resource) const;

  const rest::Client& client() const { return client_; }

 private:
  rest::Client client_;
};

}  // namespace kube::metadata

#endif  // CLIENTSET_METADATA_METADATA_CLIENT_H_
