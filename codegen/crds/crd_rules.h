#ifndef CODEGEN_CRDS_CRD_RULES_H_
#define CODEGEN_CRDS_CRD_RULES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "kube/options.pb.h"

// Writes the validation rules of the IDL into the schema of a CRD. Pure and thread-safe.

namespace kube::codegen {

// Adds the rules to a schema, except for Validation.items. Errors are added to `problems`, most of
// all rules for another type, which the API server would accept and never apply.
void WriteRules(const Validation& rules, Map<unstructured::Value>& schema,
                std::vector<std::string>& problems);

// Adds "default" from (kube.field).default_json.
void WriteDefault(absl::string_view json, Map<unstructured::Value>& schema,
                  std::vector<std::string>& problems);

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_CRD_RULES_H_
