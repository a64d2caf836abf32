#ifndef CODEGEN_CHECK_IDL_H_
#define CODEGEN_CHECK_IDL_H_

#include <google/protobuf/descriptor.h>

#include "codegen/diagnostics.h"

namespace kube::codegen {

// Reports what a file, and those of an API that it imports, have that an API cannot have: scalars
// that Kubernetes lacks, enums, oneofs, options that contradict. What can be told from a field or a
// message alone is found here, the rest while structs are built.
void CheckIdl(const google::protobuf::FileDescriptor& file, Diagnostics& diagnostics);

// Whether a file describes an API, and is not part of the vocabulary: kube/options.proto,
// kube/types.proto, google/protobuf/*.
bool IsApiFile(const google::protobuf::FileDescriptor& file);

}  // namespace kube::codegen

#endif  // CODEGEN_CHECK_IDL_H_
