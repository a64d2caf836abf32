#ifndef CODEGEN_CRDS_CRD_RULES_H_
#define CODEGEN_CRDS_CRD_RULES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "kube/options.pb.h"

// Rules of the IDL in the schema of a CRD. Pure functions: thread-safe.

namespace kube::codegen {

// Adds to a schema what restricts it, all but Validation.items. What is wrong is added to
// `problems`: above all rules of another type, which the API server would take and never apply.
void WriteRules(const Validation& rules, Map<unstructured::Value>& schema,
                std::vector<std::string>& problems);

// Adds "default", from (kube.field).default_json.
void WriteDefault(absl::string_view json, Map<unstructured::Value>& schema,
                  std::vector<std::string>& problems);

// Whether the API server enforces a format of values of this type ("" is any), and does not warn
// of it.
bool IsKnownFormat(absl::string_view type, absl::string_view format);

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_CRD_RULES_H_
