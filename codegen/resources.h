#ifndef CODEGEN_RESOURCES_H_
#define CODEGEN_RESOURCES_H_

#include <string>
#include <vector>

#include "codegen/kinds.h"
#include "codegen/model.h"

namespace kube::codegen {

// The resource of a kind as typed code needs it, for clients and informers. Plain value:
// thread-compatible.
struct ResourceEntry {
  std::string accessor;  // "Deployments"
  std::string object;    // C++ name: "Deployment"
  std::string list;      // "DeploymentList", or `object` if no message is its list
  bool has_list = false;
  std::string group;
  std::string version;
  std::string plural;
  std::string kind;
  bool namespaced = false;
  bool built_in = false;
  // Whether the API server increments metadata.generation when the object changes.
  bool has_generation = false;
  // Whether it has the subresource "status".
  bool has_status = false;
  // Whether it has a specialization of typed::ResourceTraits: it can be listed, and a message is
  // its list.
  bool has_traits = false;
};

// Returns the resource of a kind of `file`, which must have one. Pure and thread-safe.
ResourceEntry BuildResource(const File& file, const KindEntry& kind);

// Returns the resources of `file` that have traits, in the order of the file. Pure and thread-safe.
std::vector<ResourceEntry> BuildTraits(const File& file);

// Returns "apps/v1", or "v1" for the core group.
std::string ApiVersion(const std::string& group, const std::string& version);

}  // namespace kube::codegen

#endif  // CODEGEN_RESOURCES_H_
