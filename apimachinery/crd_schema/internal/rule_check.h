#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_RULE_CHECK_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_RULE_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/rules.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// Checks x-kubernetes-validations when a definition is written: whether they compile, and what they
// can cost.
namespace kube::crd_schema::internal {

// A place in the schema of a resource where rules may stand: the root, or properties and elements
// below it (apiextensions-apiserver: `CELSchemaContext`). Thread-compatible.
class RulePlace {
 public:
  // The root of a resource. The schema must outlive the places in it.
  explicit RulePlace(const Node& root);

  // Return the place of a part, which must exist. It refers to this place.
  RulePlace Property(absl::string_view name) const;
  RulePlace AdditionalProperties() const;
  RulePlace Items() const;

  const Node& node() const { return node_; }
  // Returns how many values an object may have here; nullopt if there is no limit.
  const std::optional<uint64_t>& cardinality() const { return cardinality_; }
  // Returns what expressions see here, or INVALID_ARGUMENT with upstream's words if they cannot see
  // the values. Call it only if there are rules here or around the place.
  const absl::StatusOr<cel::SchemaPtr>& Schema() const;

 private:
  enum class Step : uint8_t { kRoot, kProperty, kElement };

  RulePlace(const RulePlace& parent, const Node& node, Step step, absl::string_view name);

  absl::StatusOr<cel::SchemaPtr> MakeSchema() const;
  // Returns the part of the schema of the place around it.
  absl::StatusOr<cel::SchemaPtr> FromParent() const;

  // Null for the root.
  const RulePlace* const parent_;
  const Node& node_;
  const Step step_;
  const std::string name_;
  // Whether there are rules here or around the place.
  const bool in_scope_;
  std::optional<uint64_t> cardinality_;
  // Made when it is first needed.
  mutable std::optional<absl::StatusOr<cel::SchemaPtr>> schema_;
};

// Checks the rules of one schema, place by place. Thread-compatible.
class RuleChecker {
 public:
  // `limits_each` says whether rules that could be too expensive alone are refused. They are not if
  // an update leaves the schema as it is.
  explicit RuleChecker(bool limits_each) : limits_each_(limits_each) {}

  // Checks the rules at a place, which are at `path` in the definition. `uncorrelatable` is the
  // path of the outermost list whose elements have no old values, or empty.
  void Check(const RulePlace& place, const validation::field::Path& uncorrelatable,
             const validation::field::Path& path);

  // Checks what all rules together can cost; `path` is that of the schema. Call it last.
  validation::field::ErrorList CheckTotal(const validation::field::Path& path) const;

  // Removes the errors that were found.
  validation::field::ErrorList TakeErrors();

 private:
  struct Expensive {
    validation::field::Path path;
    uint64_t cost;
  };

  void CheckRule(const RulePlace& place, const cel::RuleSet& rules, size_t index,
                 const validation::field::Path& uncorrelatable,
                 const validation::field::Path& path);
  void CheckCost(absl::string_view what, uint64_t cost, const validation::field::Path& path);
  void CheckOldSelf(const NodeRule& rule, bool uses_old_self,
                    const validation::field::Path& uncorrelatable,
                    const validation::field::Path& path);

  const bool limits_each_;
  validation::field::ErrorList errors_;
  uint64_t total_ = 0;
  // The most expensive expressions, in descending order.
  std::vector<Expensive> expensive_;
};

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_RULE_CHECK_H_
