#ifndef APISERVER_VALIDATION_MATCH_CONDITION_H_
#define APISERVER_VALIDATION_MATCH_CONDITION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/unstructured/value.h"

// The matchConditions of admission webhooks: expressions over the request that all have to be true
// for a webhook to be called (kube-apiserver: `pkg/admission/plugin/cel`,
// `pkg/admission/plugin/webhook/matchconditions`). Pure and thread-safe.
namespace kube::apiserver::internal {

// Compiles an expression over `object`, `oldObject`, `request` and `namespaceObject`; there is no
// `authorizer`. Returns INVALID_ARGUMENT with the text for a field error: "compilation failed: …",
// "must evaluate to bool but got int".
absl::StatusOr<cel::Program> CompileMatchCondition(absl::string_view expression);

// What the expressions are evaluated on.
struct MatchInput {
  // The objects in the version that the webhook gets. `object` is null for a deletion, `old_object`
  // for a creation.
  const unstructured::Value& object;
  const unstructured::Value& old_object;
  // An AdmissionRequest without its uid and objects.
  const unstructured::Value& request;
};

// A condition that is compiled, or says why it could not be: a configuration may be older than a
// rule of the compiler.
struct CompiledCondition {
  std::string expression = {};
  absl::StatusOr<cel::Program> program;
};

// Returns whether all conditions are true. A condition that is false decides, whatever the others
// are; otherwise returns INVALID_ARGUMENT with the errors of those that have no value.
absl::StatusOr<bool> EvaluateMatchConditions(const Context& ctx,
                                             const std::vector<CompiledCondition>& conditions,
                                             const MatchInput& input);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_MATCH_CONDITION_H_
