#ifndef CODEGEN_CRDS_CRDS_H_
#define CODEGEN_CRDS_CRDS_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "codegen/diagnostics.h"

namespace kube::codegen {

// The CustomResourceDefinitions of the resources in `files`, which passed CheckIdl, as a YAML file
// of one document each, by name. Kinds of one group and name are versions of one definition,
// whichever file they are in. What the API server would refuse is reported, as far as it can be
// told here. Pure function: thread-safe.
std::string PrintCrds(const std::vector<const google::protobuf::FileDescriptor*>& files,
                      Diagnostics& diagnostics);

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_CRDS_H_
