#ifndef APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_SCHEMA_COMPARISON_H_
#define APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_SCHEMA_COMPARISON_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

// Compares a schema with the type `root` of a schema of Go, whose `types` are as the oracle
// describes them: the content of each by its name. Returns the differences as ".spec.ports: Go has
// ..."; of each pair of types that are within each other only once. Two schemas are equal if they
// say the same of all values, whatever their types are called and shared.
std::vector<std::string> SchemaDifferences(const Schema& ours, const unstructured::Value& types,
                                           absl::string_view root);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_SCHEMA_COMPARISON_H_
