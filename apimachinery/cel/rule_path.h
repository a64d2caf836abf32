#ifndef APIMACHINERY_CEL_RULE_PATH_H_
#define APIMACHINERY_CEL_RULE_PATH_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/validation/field_path.h"

namespace kube::cel {

// Reads the `fieldPath` of a rule, which is relative to the node of the rule: ".spec.replicas",
// ".labels['a.b']". It consists of members of objects, which `schema` must declare, and of keys of
// maps. Returns INVALID_ARGUMENT with an API server's words for another path. Pure function:
// thread-safe. (apiextensions-apiserver: `ValidFieldPath`)
absl::StatusOr<validation::field::Path> ParseRulePath(absl::string_view path, const Schema& schema);

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_RULE_PATH_H_
