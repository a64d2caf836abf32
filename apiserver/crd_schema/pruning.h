#ifndef APISERVER_CRD_SCHEMA_PRUNING_H_
#define APISERVER_CRD_SCHEMA_PRUNING_H_

#include <string>
#include <vector>

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/crd_schema/internal/node.h"
#include "apiserver/crd_schema/structural.h"

namespace kube::crd_schema {

// Removes from an object what its schema does not name, except below
// x-kubernetes-preserve-unknown-fields and but for apiVersion, kind and metadata, of `object` and
// of embedded resources. Returns the paths of what it removed, sorted: "spec.foo",
// "spec.rules[1].bar". Without a schema (null), everything goes but those three.
// (pruning.PruneWithOptions with isResourceRoot)
//
//   for (const std::string& path : Prune(schema.get(), object)) {
//     warnings.push_back(absl::StrCat("unknown field \"", path, "\""));
//   }
//
// Thread-safe as far as the object is the caller's.
std::vector<std::string> Prune(const Structural* schema, Map<unstructured::Value>& object);

namespace internal {

// Of any value, which is the resource or not.
std::vector<std::string> PruneValue(const Node& node, bool is_resource_root,
                                    unstructured::Value& value);

}  // namespace internal
}  // namespace kube::crd_schema

#endif  // APISERVER_CRD_SCHEMA_PRUNING_H_
