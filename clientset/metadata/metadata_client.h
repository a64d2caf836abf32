#ifndef CLIENTSET_METADATA_METADATA_CLIENT_H_
#define CLIENTSET_METADATA_METADATA_CLIENT_H_

#include <utility>

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/rest/client.h"
#include "clientset/typed/any_resource_client.h"
#include "clientset/typed/typed_core.h"

namespace kube::metadata {

// Reads, deletes, patches and watches the metadata of one resource's objects. (client-go:
// `metadata.ResourceInterface`)
//
// Metadata is received as protobuf if the server supports that, for custom resources as well.
// Returned objects, and the items of lists and watches, have no kind and apiVersion.
//
// All calls block until they are done, but at most until `ctx` is. They return the server's errors
// (errors/predicates.h); the transport's errors; and INVALID_ARGUMENT, with nothing sent, if a name
// is missing or not a valid path segment, or if the response has no metadata.
//
// A handle: cheap to copy. Thread-safe.
class ResourceClient : public typed::AnyResourceClient<api::meta::v1::PartialObjectMetadata,
                                                       api::meta::v1::PartialObjectMetadataList> {
 public:
  // Returns a client for one namespace; "" means all namespaces, or a cluster-scoped resource.
  ResourceClient Namespace(absl::string_view name) const {
    return ResourceClient(core().InNamespace(name));
  }

 private:
  friend class MetadataClient;
  explicit ResourceClient(typed::TypedCore core) : AnyResourceClient(std::move(core)) {}
};

// Makes clients that only transfer the metadata of objects, for any resource. Use it where only
// labels, owners or finalizers matter: it needs a fraction of the bytes. (client-go:
// `metadata.Client`)
//
//   const kube::schema::GroupVersionResource widgets = {
//       .group = "example.com", .version = "v1", .resource = "widgets"};
//   const auto all = kube::metadata::MetadataClient(client.client()).Resource(widgets);
//   KUBE_ASSIGN_OR_RETURN(const auto list, all.List(ctx, {.label_selector = "!team"}));
//
// `client` is a kubernetes::Clientset. A handle: cheap to copy. Thread-safe.
class MetadataClient {
 public:
  explicit MetadataClient(rest::Client client) : client_(std::move(client)) {}

  // Returns a client for the resource in all namespaces. Sends nothing.
  ResourceClient Resource(const schema::GroupVersionResource& resource) const;

  const rest::Client& client() const { return client_; }

 private:
  rest::Client client_;
};

}  // namespace kube::metadata

#endif  // CLIENTSET_METADATA_METADATA_CLIENT_H_
