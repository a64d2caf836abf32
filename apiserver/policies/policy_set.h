#ifndef APISERVER_POLICIES_POLICY_SET_H_
#define APISERVER_POLICIES_POLICY_SET_H_

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/cel/program.h"
#include "apiserver/policies/policy_match.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/stored_view.h"

namespace kube::apiserver::internal {

// An expression that is compiled, or says why it could not be: a policy may be older than a rule of
// the compiler.
struct CompiledExpression {
  std::string text = {};
  absl::StatusOr<cel::Program> program;
};

struct PolicyVariable {
  std::string name = {};
  CompiledExpression expression;
};

struct PolicyValidation {
  CompiledExpression expression;
  std::string message = {};
  // Empty if the policy does not say it.
  std::string reason = {};
  std::optional<CompiledExpression> message_expression = {};
};

// A change that a mutating policy makes: the expression of an ApplyConfiguration or a JSONPatch.
struct PolicyMutation {
  bool is_json_patch = false;
  CompiledExpression expression;
};

struct PolicyBinding {
  std::string name = {};
  std::optional<api::admissionregistration::v1::ParamRef> param_ref = {};
  // Nullopt: all requests that the policy is about.
  std::optional<PolicyMatch> match = {};
  // The validationActions, which only validating policies have.
  bool denies = false;
  bool warns = false;
};

// A ValidatingAdmissionPolicy or a MutatingAdmissionPolicy with its bindings, ready to be used.
// Immutable (kube-apiserver: `generic.PolicyHook`).
struct Policy {
  std::string name = {};
  // failurePolicy: Ignore.
  bool ignores_failures = false;
  std::optional<api::admissionregistration::v1::ParamKind> param_kind = {};
  PolicyMatch match = {};
  std::vector<CompiledExpression> conditions = {};
  std::vector<PolicyVariable> variables = {};
  // What only validating policies have.
  std::vector<PolicyValidation> validations = {};
  std::vector<CompiledExpression> annotations = {};
  // What only mutating policies have. `reinvoked` means reinvocationPolicy: IfNeeded.
  std::vector<PolicyMutation> mutations = {};
  bool reinvoked = false;
  // In the order of their names; not empty.
  std::vector<PolicyBinding> bindings = {};
};

// The policies that were bound at some time, in the order of their names. Immutable.
struct PolicySet {
  std::vector<std::shared_ptr<const Policy>> policies = {};

  // Returns whether a request could be one for a policy, as far as the rules say it.
  bool MayConcern(const RequestInfo& info, const Resources& resources) const;
};

enum class PolicyKind { kValidating, kMutating };

// Knows the policies of a kind in a storage that have bindings, also those that were written a
// moment ago (kube-apiserver: `generic.policySource`). Thread-safe.
class PolicySource {
 public:
  explicit PolicySource(Storage& storage, PolicyKind kind = PolicyKind::kValidating);

  // Returns all policies, or null if the request is for none of them. Costs next to nothing while
  // there is no binding.
  std::shared_ptr<const PolicySet> For(const RequestInfo& info, const Resources& resources);

 private:
  // Whether the set in `view_` has no policies; read without its lock.
  std::atomic<bool> empty_ = true;
  StoredView<PolicySet> view_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_POLICIES_POLICY_SET_H_
