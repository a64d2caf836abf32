#ifndef CODEGEN_PARSE_JSON_H_
#define CODEGEN_PARSE_JSON_H_

#include <string>

#include "absl/strings/string_view.h"
#include "codegen/yaml_value.h"

namespace kube::codegen {

// Reads one JSON value of an option, such as (kube.field).default_json. False, and why, if it is
// none: other than in YAML, text has quotes. Pure function: thread-safe.
bool ParseJson(absl::string_view json, YamlValue& value, std::string& problem);

}  // namespace kube::codegen

#endif  // CODEGEN_PARSE_JSON_H_
