#include "codegen/resources.h"

#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "codegen/kinds.h"
#include "codegen/model.h"
#include "codegen/names.h"

namespace kube::codegen {
namespace {

// Returns whether the server has protobuf for the kind, as for Kubernetes' own groups.
// typed::ResourceOf decides the same, but does not recognize custom resources of such a group; here
// the annotations for their CRD tell, of which the API server requires one.
bool IsBuiltIn(const File& file, const KindEntry& kind) {
  const bool is_kubernetes =
      !absl::StrContains(kind.group, '.') || absl::EndsWith(kind.group, ".k8s.io");
  const Struct& type =
      *std::find_if(file.structs.begin(), file.structs.end(),
                    [&kind](const Struct& each) { return each.name == kind.struct_name; });
  return is_kubernetes && !kind.has_definition && !type.wire.empty();
}

}  // namespace

ResourceEntry BuildResource(const File& file, const KindEntry& kind) {
  ResourceEntry resource;
  resource.accessor = PluralName(kind.message_name, kind.plural);
  resource.object = resource.list = kind.struct_name;
  for (const KindEntry& other : file.kinds) {
    const bool is_list = other.list_of == kind.message_name && other.group == kind.group &&
                         other.version == kind.version;
    if (!is_list) continue;
    resource.list = other.struct_name;
    resource.has_list = true;
  }
  resource.group = kind.group;
  resource.version = kind.version;
  resource.plural = kind.plural;
  resource.kind = kind.kind;
  resource.namespaced = kind.scope == "kNamespaced";
  resource.built_in = IsBuiltIn(file, kind);
  return resource;
}

std::string ApiVersion(const std::string& group, const std::string& version) {
  return group.empty() ? version : absl::StrCat(group, "/", version);
}

}  // namespace kube::codegen
