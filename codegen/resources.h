#ifndef CODEGEN_RESOURCES_H_
#define CODEGEN_RESOURCES_H_

#include <string>

#include "codegen/kinds.h"
#include "codegen/model.h"

namespace kube::codegen {

// A kind's resource, as typed code has it: what clients and informers have in common. Plain value:
// thread-compatible.
struct ResourceEntry {
  std::string accessor;  // "Deployments"
  std::string object;    // "Deployment", in C++
  std::string list;      // "DeploymentList"; `object` where no message is its list
  bool has_list = false;
  std::string group;
  std::string version;
  std::string plural;
  std::string kind;
  bool namespaced = false;
  bool built_in = false;
};

// Of a kind of `file` that has a resource. Pure function: thread-safe.
ResourceEntry BuildResource(const File& file, const KindEntry& kind);

// "apps/v1", and "v1" of the core group.
std::string ApiVersion(const std::string& group, const std::string& version);

}  // namespace kube::codegen

#endif  // CODEGEN_RESOURCES_H_
