#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_RULE_SCHEMA_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_RULE_SCHEMA_H_

#include <vector>

#include "apimachinery/cel/rules.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/crd_schema/internal/node.h"

// What x-kubernetes-validations see of values. Pure and thread-safe.
namespace kube::crd_schema::internal {

// Returns the schema of a node for expressions. The root of a resource and embedded resources have
// apiVersion, kind and the names in metadata, whatever the schema says (kube-apiserver:
// `SchemaDeclType`).
cel::SchemaPtr RuleSchema(const Node& node, bool is_resource);

// Returns the rules of a node.
std::vector<cel::Rule> MakeRules(const Node& node);

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_RULE_SCHEMA_H_
