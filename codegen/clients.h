#ifndef CODEGEN_CLIENTS_H_
#define CODEGEN_CLIENTS_H_

#include <google/protobuf/descriptor.h>

#include <map>
#include <string>
#include <vector>

#include "codegen/diagnostics.h"
#include "codegen/model.h"
#include "codegen/resources.h"

// The typed clients of an IDL file's kinds, decided and checked before a line of them is printed.
// Plain values: thread-compatible.

namespace kube::codegen {

// How the function of a subresource is called, and what it sends.
enum class MethodForm { kGet, kCreate, kUpdate, kApply };

// A function for a subresource that is not "status": GetScale.
struct ClientMethod {
  MethodForm form = MethodForm::kGet;
  std::string name;  // "GetScale"
  std::string subresource;
  std::string type;  // of what comes back, in C++: "::kube::api::autoscaling::v1::Scale"
  // Of what is sent.
  std::string sent_type;
  std::string group;
  std::string version;
  std::string kind;
};

// Without a list the verb list has no functions.
struct KindClient : ResourceEntry {
  std::string class_name;          // "DeploymentClient"
  std::vector<std::string> verbs;  // names of typed::TypedClient that are its own
  std::vector<ClientMethod> methods;
  std::string expansion;  // "::kube::expansions::PodExpansion", or empty
};

// The kinds of one group and version.
struct GroupClient {
  std::string class_name;  // "AppsV1Client"
  std::string name;        // "AppsV1"
  std::string group;
  std::string version;
  std::vector<KindClient> kinds;  // by accessor
};

struct ClientFile {
  std::string proto_path;
  std::string header;
  std::string cpp_namespace;
  std::string inline_namespace;
  std::vector<std::string> includes;  // sorted
  std::vector<GroupClient> groups;
};

// What of clients the IDL does not say.
struct ClientRequest {
  std::string header = {};
  // Kinds with hand-written functions, by message, and the header of class kube::expansions::
  // MESSAGEExpansion, which has them.
  std::map<std::string, std::string> expansions = {};
};

// The clients of `file`, which was built of `descriptor`. Types of subresources are looked for in
// it, in what it imports and in `known`; one that is nowhere is an error, as is a class that has
// the name of a message.
ClientFile BuildClients(const File& file, const google::protobuf::FileDescriptor& descriptor,
                        const std::vector<const google::protobuf::FileDescriptor*>& known,
                        const ClientRequest& request, Diagnostics& diagnostics);

}  // namespace kube::codegen

#endif  // CODEGEN_CLIENTS_H_
