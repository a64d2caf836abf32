#ifndef CODEGEN_CRDS_KNOWN_FORMATS_H_
#define CODEGEN_CRDS_KNOWN_FORMATS_H_

#include "absl/strings/string_view.h"

namespace kube::codegen {

// The pattern of a resource.Quantity, as controller-gen writes it.
extern const absl::string_view kQuantityPattern;

// Returns whether the API server enforces the format for values of this type ("" is any type),
// without a warning. Pure and thread-safe.
bool IsKnownFormat(absl::string_view type, absl::string_view format);

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_KNOWN_FORMATS_H_
