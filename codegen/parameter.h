#ifndef CODEGEN_PARAMETER_H_
#define CODEGEN_PARAMETER_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "codegen/clients.h"
#include "codegen/informers.h"

namespace kube::codegen {

// What --kube_opt says. Plain value: thread-compatible.
struct Parameter {
  // By the .proto file whose clients, or informers, are to be written, and nothing else of it;
  // other files are there for the types of subresources. Both empty: all the rest is asked for.
  std::map<std::string, ClientRequest> clients;
  // The file of CRDs to write, of the kinds of all .proto files, and nothing else of them. Empty:
  // none is asked for.
  std::string crds;
  std::map<std::string, InformerRequest> informers;
};

// Of several, parted by commas:
//
//   clients=foo/types.proto=foo/types.client.kube.h        the header to write
//   expansion=foo/types.proto=Pod=clientset/expansions/pod.h
//   crds=foo/types.crds.yaml                               the YAML file to write
//   informers=foo/types.proto=foo/types.informers.kube.h    the header to write
//   factory=foo/types.proto                                 a factory in it
//
// Returns INVALID_ARGUMENT if it is something else.
absl::StatusOr<Parameter> ParseParameter(absl::string_view text);

}  // namespace kube::codegen

#endif  // CODEGEN_PARAMETER_H_
