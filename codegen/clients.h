#ifndef CODEGEN_CLIENTS_H_
#define CODEGEN_CLIENTS_H_

#include <google/protobuf/descriptor.h>

#include <map>
#include <string>
#include <vector>

#include "codegen/diagnostics.h"
#include "codegen/model.h"
#include "codegen/resources.h"

// The typed clients of an IDL file's kinds, complete and checked before any of them is printed.
// Plain values: thread-compatible.

namespace kube::codegen {

// The verb of a subresource's function, which determines its name and what it sends.
enum class MethodForm { kGet, kCreate, kUpdate, kApply };

// A function for a subresource other than "status", such as GetScale.
struct ClientMethod {
  MethodForm form = MethodForm::kGet;
  std::string name;  // "GetScale"
  std::string subresource;
  std::string type;  // C++ type of the result: "::kube::api::autoscaling::v1::Scale"
  // C++ type, group, version and kind of the object that is sent.
  std::string sent_type;
  std::string group;
  std::string version;
  std::string kind;
};

// The client of a kind. Without a list type it has no functions for the verb list.
struct KindClient : ResourceEntry {
  std::string class_name;          // "DeploymentClient"
  std::vector<std::string> verbs;  // the functions of typed::TypedClient that it exposes
  std::vector<ClientMethod> methods;
  std::string expansion;  // "::kube::expansions::PodExpansion", or empty
};

// The client of one group and version.
struct GroupClient {
  std::string class_name;  // "AppsV1Client"
  std::string name;        // "AppsV1"
  std::string group;
  std::string version;
  std::vector<KindClient> kinds;  // sorted by accessor
};

struct ClientFile {
  std::string proto_path;
  std::string header;
  std::string cpp_namespace;
  std::string inline_namespace;
  std::vector<std::string> includes;  // sorted
  std::vector<ResourceEntry> traits;  // the kinds that have typed::ResourceTraits
  std::vector<GroupClient> groups;
};

// What the generator needs for clients besides the IDL.
struct ClientRequest {
  std::string header = {};
  // Kinds with hand-written functions. The key is the message, the value is the header that defines
  // kube::expansions::MESSAGEExpansion.
  std::map<std::string, std::string> expansions = {};
};

// Builds the clients of `file`, which was built from `descriptor`. The types of subresources are
// looked up in it, in its imports and in `known`. Reports an error for a type that is not found,
// and for a client that has the name of a message.
ClientFile BuildClients(const File& file, const google::protobuf::FileDescriptor& descriptor,
                        const std::vector<const google::protobuf::FileDescriptor*>& known,
                        const ClientRequest& request, Diagnostics& diagnostics);

}  // namespace kube::codegen

#endif  // CODEGEN_CLIENTS_H_
