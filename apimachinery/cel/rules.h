#ifndef APIMACHINERY_CEL_RULES_H_
#define APIMACHINERY_CEL_RULES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/types/lifetime.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// The rules of a node of a schema: `x-kubernetes-validations`.
namespace kube::cel {

// What an API server allows all rules for one object to cost in one request.
inline constexpr int64_t kObjectCostLimit = 10'000'000;

// The type of the error for a rule that is not kept.
enum class RuleReason : uint8_t { kInvalid, kForbidden, kRequired, kDuplicate };

// A rule as it is written. (apiextensions: `ValidationRule`)
struct Rule {
  // The expression; true if all is well. `self` is the value, `oldSelf` the one before an update.
  std::string rule = {};
  // What to tell the user; "failed rule: ..." if both are empty.
  std::string message = {};
  // An expression for the message; takes precedence.
  std::string message_expression = {};
  RuleReason reason = RuleReason::kInvalid;
  // Where in the value the error is: ".spec.replicas". See ParseRulePath.
  std::string field_path = {};
  // Whether `oldSelf` is an optional value, so that the rule also runs without an old value.
  bool optional_old_self = false;
};

// Why a rule cannot be used, in an API server's words.
struct RuleDefect {
  size_t rule = 0;          // its place in the list
  bool in_message = false;  // whether the message's expression is wrong
  std::string detail = {};
};

// An error of a value.
struct RuleError {
  validation::field::Error error = {};
  // Whether an update may keep such a value: then an API server makes the error a warning if the
  // old value is the same.
  bool can_be_ratcheted = false;
};

// The compiled rules of a node. Copies are cheap. Immutable; thread-safe. (apiextensions-apiserver:
// `cel.Validator`, for one node)
//
//   KUBE_ASSIGN_OR_RETURN(const RuleSet rules,
//                         RuleSet::Compile({{.rule = "self.min <= self.max"}}, schema));
//   KUBE_ASSIGN_OR_RETURN(const RuleSet::Outcome outcome,
//                         rules.Evaluate(ctx, Path("spec"), spec, nullptr, kObjectCostLimit));
class RuleSet {
 public:
  struct Outcome {
    std::vector<RuleError> errors;
    // What is left of the budget. Negative if it is used up: then no other rule may run.
    int64_t budget;
  };
  // What one evaluation can cost at most, by the limits that the schema sets to sizes.
  struct Estimate {
    uint64_t rule = 0;
    uint64_t message = 0;  // of the expression for the message
  };

  // Compiles rules. Those that are wrong are in defects(), and give an error for every value.
  // Returns INVALID_ARGUMENT if rules cannot see a value with this schema.
  static absl::StatusOr<RuleSet> Compile(std::vector<Rule> rules, SchemaPtr schema);

  const std::vector<RuleDefect>& defects() const KUBE_LIFETIME_BOUND;

  // Returns whether the rule refers to `oldSelf`. False for a rule that does not compile.
  bool UsesOldSelf(size_t rule) const;

  // Returns zeros for a rule with a defect. An API server refuses a rule if its estimate,
  // multiplied by the number of values that there may be in an object, exceeds 10,000,000. (cel-go:
  // `Env.EstimateCost`)
  Estimate EstimateOf(size_t rule) const;

  // Returns how many values with this schema fit into a request. (apiextensions-apiserver:
  // `maxCardinality`)
  uint64_t MaxCardinality() const;

  // Evaluates all rules for a value at `path`. `old_self` is null if there is no old value to
  // compare with: then rules that refer to it do not run, unless it is optional. Null has no
  // errors. Evaluation stops when the rules have cost more than `budget`, in an API server's units;
  // the outcome's budget is for the next node. Never blocks. Returns CANCELLED once `ctx` is done.
  absl::StatusOr<Outcome> Evaluate(const Context& ctx, const validation::field::Path& path,
                                   const unstructured::Value& self,
                                   const unstructured::Value* old_self, int64_t budget) const;

 private:
  struct Compiled;
  struct Rules;
  class Run;

  explicit RuleSet(std::shared_ptr<const Rules> rules) : rules_(std::move(rules)) {}

  static Compiled CompileRule(size_t index, const Rule& rule, const Rules& rules,
                              std::vector<RuleDefect>& defects);

  std::shared_ptr<const Rules> rules_;
};

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_RULES_H_
