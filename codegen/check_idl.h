#ifndef CODEGEN_CHECK_IDL_H_
#define CODEGEN_CHECK_IDL_H_

#include <google/protobuf/descriptor.h>

#include "codegen/diagnostics.h"

namespace kube::codegen {

// Reports everything in a file, and in the API files that it imports, that an API cannot have:
// scalars that Kubernetes does not use, enums, oneofs, contradictory options. It finds what is
// visible from one field or message; the rest is found while structs are built.
void CheckIdl(const google::protobuf::FileDescriptor& file, Diagnostics& diagnostics);

// Returns whether a file describes an API. False for the vocabulary: kube/options.proto,
// kube/types.proto, google/protobuf/*.
bool IsApiFile(const google::protobuf::FileDescriptor& file);

}  // namespace kube::codegen

#endif  // CODEGEN_CHECK_IDL_H_
