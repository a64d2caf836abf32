#ifndef CODEGEN_INFORMERS_H_
#define CODEGEN_INFORMERS_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "codegen/diagnostics.h"
#include "codegen/model.h"
#include "codegen/resources.h"

// The informers of an IDL file's kinds, complete and checked before any of them is printed. A kind
// has an informer if it can be listed and watched. Plain values: thread-compatible.

namespace kube::codegen {

struct KindInformers : ResourceEntry {
  std::string type_name;  // "DeploymentInformer"
};

// The informers of one group and version.
struct VersionInformers {
  std::string class_name;  // "AppsV1Informers"
  std::string name;        // "V1"
  std::string version;
  std::vector<KindInformers> kinds;  // sorted by accessor
};

struct GroupInformers {
  std::string class_name;  // "AppsInformers"
  std::string name;        // "Apps"
  std::string group;
  std::vector<VersionInformers> versions;
};

struct InformerFile {
  std::string proto_path;
  std::string header;
  std::string cpp_namespace;
  std::string inline_namespace;
  std::vector<std::string> includes;  // sorted
  std::vector<ResourceEntry> traits;  // the kinds that have typed::ResourceTraits
  bool has_factory = false;
  std::vector<GroupInformers> groups;
};

// What the generator needs for informers besides the IDL.
struct InformerRequest {
  std::string header = {};
  // Whether these kinds get a factory of their own. Kubernetes' kinds have one for all groups.
  bool has_factory = false;
};

// Builds the informers of `file`, which was built from `descriptor`. Reports an error for a class
// that has the name of a message or of another group's class, and for an accessor that would hide a
// function of the factory.
InformerFile BuildInformers(const File& file, const google::protobuf::FileDescriptor& descriptor,
                            const InformerRequest& request, Diagnostics& diagnostics);

}  // namespace kube::codegen

#endif  // CODEGEN_INFORMERS_H_
