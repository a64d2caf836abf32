#ifndef CODEGEN_CRDS_CRDS_H_
#define CODEGEN_CRDS_CRDS_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "codegen/diagnostics.h"

namespace kube::codegen {

// Returns the CustomResourceDefinitions of the resources in `files`, which must have passed
// CheckIdl, as a YAML file with one document each, sorted by name. Kinds with the same group and
// name are versions of one definition, whichever file they are in. Reports what the API server
// would reject, as far as it is known here. Pure and thread-safe.
std::string PrintCrds(const std::vector<const google::protobuf::FileDescriptor*>& files,
                      Diagnostics& diagnostics);

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_CRDS_H_
