#ifndef APISERVER_VALIDATION_POLICY_COMPILER_H_
#define APISERVER_VALIDATION_POLICY_COMPILER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/program.h"
#include "apiserver/validation/variable_types.h"

namespace kube::apiserver::internal {

// What an expression of an admission policy is for. It decides which type its value must have, and
// which variables there are.
enum class PolicyExpression {
  kMatchCondition,   // bool; without `variables`
  kVariable,         // any type
  kValidation,       // bool
  kMessage,          // string; without `authorizer`
  kAuditAnnotation,  // string or null
  // The mutations, whose expressions may make objects of the types Object and JSONPatch:
  kApplyConfiguration,  // Object
  kJsonPatch,           // list(JSONPatch)
};

// Compiles the expressions of one admission policy: those over what a webhook's conditions see,
// `params`, `authorizer`, `authorizer.requestResource`, and `variables` (kube-apiserver:
// `cel.CompositedCompiler`). Thread-compatible; the programs are thread-safe.
class PolicyCompiler {
 public:
  struct Options {
    // Whether the policy has a paramKind, so that there is `params`.
    bool params = false;
    // Whether the policy has variables, so that there is `variables`.
    bool variables = false;
  };
  explicit PolicyCompiler(const Options& options);

  // Returns INVALID_ARGUMENT with the text for a field error: "compilation failed: …", "must
  // evaluate to bool but got int"; INTERNAL if it compiles, but its constants fail.
  absl::StatusOr<cel::Program> Compile(PolicyExpression purpose,
                                       absl::string_view expression) const;

  // Compiles the expression of a variable, with the errors of Compile, and declares the variable
  // for expressions that are compiled later. If it does not compile, it is declared as dyn.
  absl::StatusOr<cel::Program> AddVariable(absl::string_view name, absl::string_view expression);

 private:
  class MutationTypes;

  // Knows the types of the variables so far.
  const std::shared_ptr<VariableTypes> types_;
  cel::Environment condition_environment_;
  cel::Environment environment_;
  cel::Environment message_environment_;
  cel::Environment mutation_environment_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_POLICY_COMPILER_H_
