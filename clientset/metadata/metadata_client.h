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
class ResourceClient : public typed::AnyResourceClient<api::meta::v1::PartialObjectMetadata,
                                                       api::meta::v1::PartialObjectMetadataList> {
 public:
  // The same in one namespace; "" is all of them, or none.
  ResourceClient Namespace(absl::string_view name) const {
    return ResourceClient(core().InNamespace(name));
  }

 private:
  friend class MetadataClient;
  explicit ResourceClient(typed::TypedCore core) : AnyResourceClient(std::move(core)) {}
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
