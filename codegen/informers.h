#ifndef CODEGEN_INFORMERS_H_
#define CODEGEN_INFORMERS_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "codegen/diagnostics.h"
#include "codegen/model.h"
#include "codegen/resources.h"

// The informers of an IDL file's kinds, decided and checked before a line of them is printed. A
// kind has one if it can be listed and watched. Plain values: thread-compatible.

namespace kube::codegen {

struct KindInformers : ResourceEntry {
  std::string type_name;  // "DeploymentInformer"
};

// The kinds of one group and version.
struct VersionInformers {
  std::string class_name;  // "AppsV1Informers"
  std::string name;        // "V1"
  std::string version;
  std::vector<KindInformers> kinds;  // by accessor
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
  bool has_factory = false;
  std::vector<GroupInformers> groups;
};

// What of informers the IDL does not say.
struct InformerRequest {
  std::string header = {};
  // Whether there is a factory of these kinds alone. Those of Kubernetes have one for all groups.
  bool has_factory = false;
};

// The informers of `file`, which was built of `descriptor`. A class that has the name of a message,
// or of another group's, is an error; so is an accessor that would hide a function of the factory.
InformerFile BuildInformers(const File& file, const google::protobuf::FileDescriptor& descriptor,
                            const InformerRequest& request, Diagnostics& diagnostics);

}  // namespace kube::codegen

#endif  // CODEGEN_INFORMERS_H_
