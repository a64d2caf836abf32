#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_RULE_TREE_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_RULE_TREE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apimachinery/cel/rules.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::crd_schema::internal {

struct RuleOptions {
  // The value before an update, or null. Rules compare parts of a value with those at the same
  // place, and elements of lists with those that have the same keys.
  const unstructured::Value* old_value = nullptr;
  // Whether parts that an update leaves as they are may break rules.
  bool ratchets = false;
  // What the rules may cost.
  int64_t budget = cel::kObjectCostLimit;
};

struct RuleFindings {
  validation::field::ErrorList errors = {};
  // Errors of parts that an update leaves as they are.
  std::vector<std::string> warnings = {};
  // What is left. Negative if it was not enough: then not all rules were evaluated.
  int64_t budget = 0;
};

// The compiled rules of all nodes of a schema: x-kubernetes-validations (apiextensions-apiserver:
// `cel.Validator`). Build, then immutable; thread-safe.
class RuleTree {
  struct Branch;
  struct Key {
    explicit Key() = default;
  };

 public:
  // Compiles the rules. Returns null if the schema has no rules. `node` must outlive the result.
  // Rules that do not compile, which ValidateDefinition refuses, are an error of each value.
  static std::unique_ptr<const RuleTree> Make(const Node& node, bool is_resource);

  RuleTree(Key, std::unique_ptr<const Branch> root);
  ~RuleTree();

  // Evaluates the rules for a value at `path`, which has passed the validation by its schema. Their
  // costs are limited, as upstream's.
  RuleFindings Check(const validation::field::Path& path, const unstructured::Value& value,
                     const RuleOptions& options = {}) const;

 private:
  class Walk;

  static std::unique_ptr<const Branch> Build(const Node& node, const cel::SchemaPtr& schema);
  static void AddChildren(const Node& node, const cel::SchemaPtr& schema, Branch& branch);

  const std::unique_ptr<const Branch> root_;
};

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_RULE_TREE_H_
