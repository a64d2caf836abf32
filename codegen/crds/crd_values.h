#ifndef CODEGEN_CRDS_CRD_VALUES_H_
#define CODEGEN_CRDS_CRD_VALUES_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"

// Which values of a string are all that there are. Pure functions: thread-safe.

namespace kube::codegen {

// Whether a file is of a release of Kubernetes: it changes with the next.
bool IsOfRelease(const google::protobuf::FileDescriptor& file);

// Returns the only values that a field may have: its enum_value, or the constants of its
// string_type. Empty if it may have others. Returns NOT_FOUND if its string_type does not exist.
absl::StatusOr<std::vector<std::string>> ClosedValuesOf(
    const google::protobuf::FieldDescriptor& field);

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_CRD_VALUES_H_
