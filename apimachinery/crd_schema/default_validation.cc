#include "apimachinery/crd_schema/default_validation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/rules.h"
#include "apimachinery/crd_schema/embedded_metadata.h"
#include "apimachinery/crd_schema/internal/bad_value.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/internal/rule_tree.h"
#include "apimachinery/crd_schema/pruning.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/crd_schema/value_validation.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::crd_schema {
namespace {

namespace field = validation::field;
using crd_schema::internal::BadValueOf;
using crd_schema::internal::Node;
using crd_schema::internal::RuleFindings;
using crd_schema::internal::RuleTree;
using field::Path;
using unstructured::Value;

// The path from a resource to a value in it: the names of members, and nullopt for elements of
// lists.
using Steps = std::vector<std::optional<std::string>>;

// Returns the smallest resource that has `value` at the end of the path.
Value Surround(Value value, const Steps& steps) {
  for (size_t i = steps.size(); i-- > 0;) {
    if (steps[i].has_value()) {
      Map<Value> object;
      object.insert_or_assign(*steps[i], std::move(value));
      value = Value(std::move(object));
    } else {
      List<Value> list;
      list.push_back(std::move(value));
      value = Value(std::move(list));
    }
  }
  for (const auto& [name, text] :
       {std::pair("kind", "Validation"), {"apiVersion", "validation/v1"}}) {
    Map<Value>* object = value.object();
    if (object != nullptr && object->find(name) == nullptr) (*object)[name] = text;
  }
  return value;
}

class Checker {
 public:
  explicit Checker(bool require_pruned) : require_pruned_(require_pruned) {}

  field::ErrorList errors;

  // `root` is the schema of the enclosing resource. `inside_meta` says whether the node is in its
  // apiVersion, kind or metadata.
  void Check(const Node& node, bool is_resource, const Node* root, bool inside_meta, Steps steps,
             const Path& path) {
    if (is_resource) {
      inside_meta = false;
      steps.clear();
      root = &node;
    }
    if (!node.default_value.is_null()) {
      if (inside_meta) {
        CheckMeta(node, is_resource, *root, steps, path.Child("default"));
      } else {
        CheckValue(node, is_resource, path.Child("default"));
      }
    }
    if (budget_ < 0) return;
    // Defaults are not allowed below additionalProperties.
    if (node.items != nullptr) {
      Steps more = steps;
      more.emplace_back();
      Check(*node.items, node.items->embedded_resource, root, inside_meta, std::move(more),
            path.Child("items"));
    }
    for (const auto& [name, property] : node.properties) {
      if (budget_ < 0) return;
      Steps more = steps;
      more.emplace_back(name);
      const bool is_meta = name == "metadata" || name == "apiVersion" || name == "kind";
      Check(*property, property->embedded_resource, root, inside_meta || (is_resource && is_meta),
            std::move(more), path.Child("properties").Key(name));
    }
  }

 private:
  void CheckMeta(const Node& node, bool is_resource, const Node& root, const Steps& steps,
                 const Path& path) {
    Value object = Surround(node.default_value, steps);
    std::string wrong;
    if (const auto error = crd_schema::internal::CoerceValue(root, true, Path(), object);
        error.has_value()) {
      wrong = error->ToString();
    } else {
      const field::ErrorList found =
          crd_schema::internal::ValidateMetadataOf(root, true, Path(), object);
      if (!found.empty()) wrong = std::string(field::ToAggregate(found).message());
    }
    if (wrong.empty()) {
      CheckContent(node, is_resource, path, node.default_value, {});
    } else {
      errors.push_back(field::Invalid(path, BadValueOf(node.default_value),
                                      absl::StrCat("must result in valid metadata: ", wrong)));
    }
  }

  void CheckValue(const Node& node, bool is_resource, const Path& path) {
    Value pruned = node.default_value;
    crd_schema::internal::PruneValue(node, is_resource, pruned);
    Value value = node.default_value;
    const auto error = crd_schema::internal::CoerceValue(node, is_resource, path, value);
    if (require_pruned_ && !(pruned == node.default_value)) {
      // Upstream shows the coerced value.
      errors.push_back(field::Invalid(path, BadValueOf(value), "must not have unknown fields"));
    }
    if (error.has_value()) {
      errors.push_back(*error);
      return;
    }
    CheckContent(node, is_resource, path, value,
                 crd_schema::internal::ValidateMetadataOf(node, is_resource, path, value));
  }

  // `found` are the errors of the metadata in the value.
  void CheckContent(const Node& node, bool is_resource, const Path& path, const Value& value,
                    field::ErrorList found) {
    if (found.empty()) found = crd_schema::internal::ValidateDefaultValue(node, path, value);
    if (found.empty()) found = CheckRules(node, is_resource, path, value);
    field::Append(errors, std::move(found));
  }

  // A default may get into an object that had it before, and into one that did not.
  field::ErrorList CheckRules(const Node& node, bool is_resource, const Path& path,
                              const Value& value) {
    const std::unique_ptr<const RuleTree> rules = RuleTree::Make(node, is_resource);
    if (rules == nullptr) return {};
    RuleFindings findings = rules->Check(path, value, {.old_value = &value, .budget = budget_});
    int64_t left = findings.budget;
    if (findings.errors.empty()) {
      findings = rules->Check(path, value, {.budget = budget_});
      left = std::min(left, findings.budget);
    }
    budget_ = left;
    return std::move(findings.errors);
  }

  const bool require_pruned_;
  // What is left for the rules of all defaults; negative if it was not enough, which ends the
  // check.
  int64_t budget_ = cel::kObjectCostLimit;
};

}  // namespace

field::ErrorList ValidateDefaults(const Structural& schema, bool require_pruned, const Path& path) {
  Checker checker(require_pruned);
  checker.Check(schema.root(), /*is_resource=*/true, nullptr, false, {}, path);
  return std::move(checker.errors);
}

}  // namespace kube::crd_schema
