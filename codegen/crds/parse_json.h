#ifndef CODEGEN_CRDS_PARSE_JSON_H_
#define CODEGEN_CRDS_PARSE_JSON_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "codegen/crds/yaml_value.h"

namespace kube::codegen {

// Reads one JSON value of an option, such as (kube.field).default_json. Returns INVALID_ARGUMENT if
// the text is not JSON: other than in YAML, strings have quotes. Pure function: thread-safe.
absl::StatusOr<YamlValue> ParseJson(absl::string_view json);

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_PARSE_JSON_H_
