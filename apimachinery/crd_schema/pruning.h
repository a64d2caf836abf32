#ifndef APIMACHINERY_CRD_SCHEMA_PRUNING_H_
#define APIMACHINERY_CRD_SCHEMA_PRUNING_H_

#include <string>
#include <vector>

#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::crd_schema {

// Removes the members of an object that its schema does not have. Members below
// x-kubernetes-preserve-unknown-fields are kept, and so are apiVersion, kind and metadata of
// `object` and of embedded resources. Without a schema (null), only those three are kept. Returns
// the paths of the removed members, sorted: "spec.foo", "spec.rules[1].bar"
// (apiextensions-apiserver: `pruning.PruneWithOptions` with `isResourceRoot`).
//
//   for (const std::string& path : Prune(schema.get(), object)) {
//     warnings.push_back(absl::StrCat("unknown field \"", path, "\""));
//   }
//
// Thread-safe for different objects.
std::vector<std::string> Prune(const Structural* schema, Map<unstructured::Value>& object);

namespace internal {

// Prunes any value. `is_resource_root` says whether it is a resource.
std::vector<std::string> PruneValue(const Node& node, bool is_resource_root,
                                    unstructured::Value& value);

}  // namespace internal
}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_PRUNING_H_
