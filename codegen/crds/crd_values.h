#ifndef CODEGEN_CRDS_CRD_VALUES_H_
#define CODEGEN_CRDS_CRD_VALUES_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kube/options.pb.h"

// Finds strings that have a closed set of values. Pure and thread-safe.

namespace kube::codegen {

// Returns the string type that a field names, with its constants, or null if it names none or one
// that does not exist. It lives as long as the file that defines it.
const kube::StringType* StringTypeOf(const google::protobuf::FieldDescriptor& field);

// Returns the only values that a field may have: its enum_value, or the constants of its
// string_type. Returns an empty list if other values are allowed. Returns NOT_FOUND if its
// string_type does not exist.
absl::StatusOr<std::vector<std::string>> ClosedValuesOf(
    const google::protobuf::FieldDescriptor& field);

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_CRD_VALUES_H_
