#ifndef CODEGEN_CRD_VALUES_H_
#define CODEGEN_CRD_VALUES_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

// Which values of a string are all that there are. Pure functions: thread-safe.

namespace kube::codegen {

// Whether a file is of a release of Kubernetes: it changes with the next.
bool IsOfRelease(const google::protobuf::FileDescriptor& file);

// The only values that a field may have: its enum_value, or the constants of its string_type. None,
// if it may have others. False, and why, if its string_type is not there.
bool ClosedValuesOf(const google::protobuf::FieldDescriptor& field,
                    std::vector<std::string>& values, std::string& problem);

}  // namespace kube::codegen

#endif  // CODEGEN_CRD_VALUES_H_
