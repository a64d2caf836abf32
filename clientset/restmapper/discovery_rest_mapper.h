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

// RestMappers that are built from discovery. (client-go: `restmapper`)
namespace kube::restmapper {

// A group and the resources of its versions. (client-go: `restmapper.APIGroupResources`)
struct ApiGroupResources {
  api::meta::v1::APIGroup group = {};
  // By version. Versions that failed are missing.
  std::map<std::string, discovery::ResourceList> versioned_resources = {};
};

// Returns everything that the server serves; blocks while it is asked. An incomplete answer is not
// an error: the resources of group-versions that failed are missing. (client-go:
// `restmapper.GetAPIGroupResources`)
absl::StatusOr<std::vector<ApiGroupResources>> GetApiGroupResources(
    const Context& ctx, const discovery::Discovery& discovery);

// Returns a mapper that prefers v1, then the groups in their order, and in each group the preferred
// version. It also knows each kind in lower case, and a "…List" for each kind. Its content is
// fixed; DeferredDiscoveryRestMapper follows changes. (client-go:
// `restmapper.NewDiscoveryRESTMapper`)
std::shared_ptr<RestMapper> NewDiscoveryRestMapper(absl::Span<const ApiGroupResources> groups);

}  // namespace kube::restmapper

#endif  // CLIENTSET_RESTMAPPER_DISCOVERY_REST_MAPPER_H_
