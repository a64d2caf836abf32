#ifndef CLIENTSET_OPENAPI_ROOT_H_
#define CLIENTSET_OPENAPI_ROOT_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/value.h"
#include "clientset/openapi/openapi.h"

namespace kube::openapi {

// Reads the OpenAPI v3 documents of a server by group and version. (client-go: `openapi3.Root`)
//
//   const openapi::Root root(cache);
//   KUBE_ASSIGN_OR_RETURN(const unstructured::Value apps,
//                         root.GroupVersionSpec(ctx, {.group = "apps", .version = "v1"}));
//   const unstructured::Value& schemas = apps["components"]["schemas"];
//   return schemas["io.k8s.api.apps.v1.DeploymentSpec"]["properties"]["replicas"];
//
// Over a MemoryCache, documents are fetched once, but parsed at each call: keep what is returned.
// Thread-safe.
class Root {
 public:
  // (client-go: `openapi3.NewRoot`)
  explicit Root(std::shared_ptr<const OpenApi> documents) : documents_(std::move(documents)) {}

  // Returns the group versions that have a document, sorted by their texts: "apps/v1", "v1".
  // (client-go: `GroupVersions`)
  absl::StatusOr<std::vector<schema::GroupVersion>> GroupVersions(const Context& ctx) const;

  // Returns the document of a group version. Returns NOT_FOUND if it has none, and the errors of
  // ParseJson if the document is not JSON. (client-go: `GVSpecAsMap`)
  absl::StatusOr<unstructured::Value> GroupVersionSpec(const Context& ctx,
                                                       const schema::GroupVersion& version) const;

 private:
  const std::shared_ptr<const OpenApi> documents_;
};

}  // namespace kube::openapi

#endif  // CLIENTSET_OPENAPI_ROOT_H_
