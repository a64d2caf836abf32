#ifndef APISERVER_OPENAPI_PATHS_H_
#define APISERVER_OPENAPI_PATHS_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/openapi/type_definitions.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// The parts of an OpenAPI v3 document.
struct DocumentParts {
  // Path items by path.
  Map<unstructured::Value> paths = {};
  // Schemas as JSON, by the names of their definitions.
  std::map<std::string, std::string, std::less<>> schemas = {};
};

// Adds a definition and those that it refers to.
void AddDefinition(const TypeDefinition& definition, DocumentParts& parts);

// Adds the paths of a resource, its subresources and its watches, and the definitions that their
// operations refer to, except for those of custom kinds. Operations have the names, parameters,
// bodies and responses of kube-apiserver's, without descriptions and CBOR. Subresources that are
// connections, such as exec, are left out, since this server does not serve them (kube-apiserver:
// `registerResourceHandlers`, and `builder.buildRoute` for custom resources).
void AddPaths(const Resource& resource, DocumentParts& parts);

// Adds the path at which discovery lists the resources of a group version.
void AddDiscoveryPath(const schema::GroupVersion& version, DocumentParts& parts);

// Adds the paths at which discovery lists the versions of the core group, all groups, and the
// versions of each of the groups. They belong to no group version.
void AddRootDiscoveryPaths(const std::vector<schema::GroupVersion>& versions, DocumentParts& parts);

// Returns the beginning of the paths of a group version, "api/v1" or "apis/apps/v1", which is also
// the name of its document.
std::string PathOf(const schema::GroupVersion& version);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_OPENAPI_PATHS_H_
