#ifndef CODEGEN_PARAMETER_H_
#define CODEGEN_PARAMETER_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "codegen/clients.h"
#include "codegen/informers.h"

namespace kube::codegen {

// The value of --kube_opt. Plain value: thread-compatible.
struct Parameter {
  // The clients to write, by .proto file. If this, `informers`, `crds` or `definitions` is set,
  // nothing else is written; further .proto files then only provide the types of subresources.
  std::map<std::string, ClientRequest> clients;
  // The file to write the CRDs of the kinds of all .proto files to. If empty, no CRDs are written.
  std::string crds;
  // The file to write the definitions of all .proto files to (definitions/definitions.h). If empty,
  // none are written.
  std::string definitions;
  std::map<std::string, InformerRequest> informers;
};

// Parses the parameter, a comma-separated list of:
//
//   clients=foo/types.proto=foo/types.client.kube.h        the header to write
//   expansion=foo/types.proto=Pod=clientset/expansions/pod.h
//   crds=foo/types.crds.yaml                               the YAML file to write
//   definitions=foo/definitions.txt                        the file to write
//   informers=foo/types.proto=foo/types.informers.kube.h    the header to write
//   factory=foo/types.proto                                 a factory in it
//
// Returns INVALID_ARGUMENT for anything else.
absl::StatusOr<Parameter> ParseParameter(absl::string_view text);

}  // namespace kube::codegen

#endif  // CODEGEN_PARAMETER_H_
