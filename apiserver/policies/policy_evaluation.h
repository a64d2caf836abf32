#ifndef APISERVER_POLICIES_POLICY_EVALUATION_H_
#define APISERVER_POLICIES_POLICY_EVALUATION_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/policies/policy_set.h"

// What the expressions of a policy say (kube-apiserver: `validating.validator`). Pure and
// thread-safe.
namespace kube::apiserver::internal {

// What the expressions are evaluated on.
struct PolicyInput {
  // The objects in the version that the policy asks for. `object` is null for a deletion,
  // `old_object` for a creation.
  const unstructured::Value& object;
  const unstructured::Value& old_object;
  // AdmissionRequests without uid and objects. The conditions are told of the resource of the
  // request, the others of the one by which the policy was selected.
  const unstructured::Value& condition_request;
  const unstructured::Value& request;
  // Null for objects without a namespace.
  const unstructured::Value& namespace_object;
  // Null if the binding has no paramRef.
  const unstructured::Value& params;
  // See cel::MakeAuthorizer and cel::MakeResourceCheck.
  cel::Value authorizer;
  cel::Value request_resource;
};

// Why a request is denied.
struct PolicyDenial {
  std::string message = {};
  // The reason of the Status; empty if an expression has failed.
  std::string reason = {};
};

struct PolicyResult {
  // In the order of the validations. What is done about them, validationActions say.
  std::vector<PolicyDenial> denials = {};
  // The errors of audit annotations, which deny in any case.
  std::vector<std::string> annotation_errors = {};
};

// Whether the conditions of a policy hold.
struct PolicyConditions {
  bool hold = false;
  // Why that cannot be said, or "".
  std::string error = {};
};
PolicyConditions EvaluatePolicyConditions(const Context& ctx, const Policy& policy,
                                          const PolicyInput& input);

// Evaluates the expression of a mutation, and calls `use` with its value, which must not be kept.
// Returns the error of the expression, or that of `use` (kube-apiserver:
// `cel.MutatingEvaluator`).
absl::Status EvaluateMutation(const Context& ctx, const Policy& policy,
                              const CompiledExpression& expression, const PolicyInput& input,
                              absl::FunctionRef<absl::Status(const cel::Value& value)> use);

// Evaluates a validating policy with one parameter. A policy whose conditions are not all true has
// no denials. Errors are denials, unless the failurePolicy is Ignore.
PolicyResult EvaluatePolicy(const Context& ctx, const Policy& policy, const PolicyInput& input);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_POLICIES_POLICY_EVALUATION_H_
