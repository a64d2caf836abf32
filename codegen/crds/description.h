#ifndef CODEGEN_CRDS_DESCRIPTION_H_
#define CODEGEN_CRDS_DESCRIPTION_H_

#include <google/protobuf/descriptor.h>

#include <string>

namespace kube::codegen {

// Return the comment of a message or a field as users of the API read it, in schemas: the comment
// before it, or else the one behind it, up to a line "---", after which it is not meant for users.
// Pure and thread-safe.
std::string DescriptionOf(const google::protobuf::Descriptor& message);
std::string DescriptionOf(const google::protobuf::FieldDescriptor& field);

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_DESCRIPTION_H_
