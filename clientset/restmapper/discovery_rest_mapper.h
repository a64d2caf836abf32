#ifndef CLIENTSET_RESTMAPPER_DISCOVERY_REST_MAPPER_H_
#define CLIENTSET_RESTMAPPER_DISCOVERY_REST_MAPPER_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/server_resources.h"

// RestMappers of what a server says that it serves. (client-go's restmapper)
namespace kube::restmapper {

// A group with what is known of each of its versions. (APIGroupResources)
struct ApiGroupResources {
  api::meta::v1::APIGroup group = {};
  // By version; one that failed is not there.
  std::map<std::string, discovery::ResourceList> versioned_resources = {};
};

// Everything that the server serves. What is incomplete is no error: kinds of group-versions that
// failed are not known then. (GetAPIGroupResources)
absl::StatusOr<std::vector<ApiGroupResources>> GetApiGroupResources(
    const Context& ctx, const discovery::Discovery& discovery);

// Prefers v1, then the groups in their order, in each the preferred version. It knows kinds in
// lower case too, and a "…List" of each. For what changes, and what is asked later, see
// DeferredDiscoveryRestMapper. (NewDiscoveryRESTMapper)
std::shared_ptr<RestMapper> NewDiscoveryRestMapper(absl::Span<const ApiGroupResources> groups);

}  // namespace kube::restmapper

#endif  // CLIENTSET_RESTMAPPER_DISCOVERY_REST_MAPPER_H_
