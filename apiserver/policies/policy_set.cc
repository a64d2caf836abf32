#include "apiserver/policies/policy_set.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apiserver/policies/policy_match.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/validation/policy_compiler.h"
#include "apiserver/webhooks/webhook_rules.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;

constexpr absl::string_view kPolicies = "admissionregistration.k8s.io/validatingadmissionpolicies";
constexpr absl::string_view kBindings =
    "admissionregistration.k8s.io/validatingadmissionpolicybindings";
constexpr absl::string_view kMutatingPolicies =
    "admissionregistration.k8s.io/mutatingadmissionpolicies";
constexpr absl::string_view kMutatingBindings =
    "admissionregistration.k8s.io/mutatingadmissionpolicybindings";

using Bindings = std::map<std::string, std::vector<PolicyBinding>>;

void AddActions(const admissionv1::ValidatingAdmissionPolicyBinding& binding, PolicyBinding& made) {
  for (const String& action : binding.spec.validation_actions) {
    made.denies = made.denies || action == "Deny";
    made.warns = made.warns || action == "Warn";
  }
}

void AddActions(const admissionv1::MutatingAdmissionPolicyBinding& /*binding*/,
                PolicyBinding& /*made*/) {}

template <typename Binding>
PolicyBinding MakeBinding(const Binding& binding) {
  PolicyBinding made;
  made.name = std::string(binding.metadata.name);
  if (binding.spec.param_ref) made.param_ref = *binding.spec.param_ref;
  if (binding.spec.match_resources) made.match = MakePolicyMatch(*binding.spec.match_resources);
  AddActions(binding, made);
  return made;
}

// Returns the bindings by the names of their policies, each list sorted by name.
template <typename Binding>
Bindings BindingsIn(const Storage& storage, absl::string_view resource) {
  Bindings bindings;
  const absl::StatusOr<ListResult> found = storage.List(resource, {});
  if (!found.ok()) return bindings;
  // Sorted by key, which is the name.
  for (const ListItem& item : found->items) {
    const auto* const binding = item.object->object().template As<Binding>();
    if (binding == nullptr) continue;
    bindings[std::string(binding->spec.policy_name)].push_back(MakeBinding(*binding));
  }
  return bindings;
}

CompiledExpression Compiled(const PolicyCompiler& compiler, PolicyExpression purpose,
                            const String& expression) {
  return {.text = std::string(expression), .program = compiler.Compile(purpose, expression.view())};
}

// Adds what both kinds of policies have. The variables come first: other expressions see them.
template <typename Spec>
void CompileCommon(const Spec& spec, PolicyCompiler& compiler, Policy& policy) {
  for (const admissionv1::Variable& each : spec.variables) {
    policy.variables.push_back({.name = std::string(each.name),
                                .expression = {.text = std::string(each.expression),
                                               .program = compiler.AddVariable(
                                                   each.name.view(), each.expression.view())}});
  }
  for (const admissionv1::MatchCondition& each : spec.match_conditions) {
    policy.conditions.push_back(
        Compiled(compiler, PolicyExpression::kMatchCondition, each.expression));
  }
}

void CompileExpressions(const admissionv1::ValidatingAdmissionPolicySpec& spec,
                        const PolicyCompiler& compiler, Policy& policy) {
  for (const admissionv1::Validation& each : spec.validations) {
    PolicyValidation made = {
        .expression = Compiled(compiler, PolicyExpression::kValidation, each.expression),
        .message = std::string(each.message)};
    if (each.reason.has_value()) made.reason = std::string(*each.reason);
    if (!each.message_expression.empty()) {
      made.message_expression =
          Compiled(compiler, PolicyExpression::kMessage, each.message_expression);
    }
    policy.validations.push_back(std::move(made));
  }
  for (const admissionv1::AuditAnnotation& each : spec.audit_annotations) {
    policy.annotations.push_back(
        Compiled(compiler, PolicyExpression::kAuditAnnotation, each.value_expression));
  }
}

void CompileExpressions(const admissionv1::MutatingAdmissionPolicySpec& spec,
                        const PolicyCompiler& compiler, Policy& policy) {
  policy.reinvoked = spec.reinvocation_policy == "IfNeeded";
  for (const admissionv1::Mutation& each : spec.mutations) {
    const bool is_json_patch = each.patch_type == "JSONPatch";
    if (is_json_patch ? !each.json_patch : !each.apply_configuration) continue;
    policy.mutations.push_back(
        {.is_json_patch = is_json_patch,
         .expression = is_json_patch ? Compiled(compiler, PolicyExpression::kJsonPatch,
                                                each.json_patch->expression)
                                     : Compiled(compiler, PolicyExpression::kApplyConfiguration,
                                                each.apply_configuration->expression)});
  }
}

template <typename PolicyObject>
std::shared_ptr<const Policy> MakePolicy(const PolicyObject& policy,
                                         std::vector<PolicyBinding> bindings) {
  auto made = std::make_shared<Policy>();
  made->name = std::string(policy.metadata.name);
  made->ignores_failures = policy.spec.failure_policy == "Ignore";
  if (policy.spec.param_kind) made->param_kind = *policy.spec.param_kind;
  if (policy.spec.match_constraints) {
    made->match = MakePolicyMatch(*policy.spec.match_constraints);
  }
  const PolicyCompiler::Options options = {.params = policy.spec.param_kind.has_value(),
                                           .variables = true};
  PolicyCompiler compiler(options);
  CompileCommon(policy.spec, compiler, *made);
  CompileExpressions(policy.spec, compiler, *made);
  made->bindings = std::move(bindings);
  return made;
}

template <typename PolicyObject, typename Binding>
std::shared_ptr<PolicySet> PoliciesIn(const Storage& storage, absl::string_view policies,
                                      absl::string_view all_bindings) {
  auto set = std::make_shared<PolicySet>();
  Bindings bindings = BindingsIn<Binding>(storage, all_bindings);
  if (bindings.empty()) return set;
  const absl::StatusOr<ListResult> found = storage.List(policies, {});
  if (!found.ok()) return set;
  for (const ListItem& item : found->items) {
    const auto* const policy = item.object->object().template As<PolicyObject>();
    if (policy == nullptr) continue;
    const auto bound = bindings.find(std::string(policy->metadata.name));
    // A policy without bindings does nothing.
    if (bound == bindings.end()) continue;
    set->policies.push_back(MakePolicy(*policy, std::move(bound->second)));
  }
  return set;
}

std::shared_ptr<PolicySet> PoliciesIn(const Storage& storage, PolicyKind kind) {
  if (kind == PolicyKind::kMutating) {
    return PoliciesIn<admissionv1::MutatingAdmissionPolicy,
                      admissionv1::MutatingAdmissionPolicyBinding>(storage, kMutatingPolicies,
                                                                   kMutatingBindings);
  }
  return PoliciesIn<admissionv1::ValidatingAdmissionPolicy,
                    admissionv1::ValidatingAdmissionPolicyBinding>(storage, kPolicies, kBindings);
}

std::vector<std::string> ResourcesOf(PolicyKind kind) {
  const bool mutates = kind == PolicyKind::kMutating;
  return {std::string(mutates ? kMutatingPolicies : kPolicies),
          std::string(mutates ? kMutatingBindings : kBindings)};
}

}  // namespace

bool PolicySet::MayConcern(const RequestInfo& info, const Resources& resources) const {
  if (!info.is_resource_request) return false;
  const Resource* const resource = resources.Find(info.group, info.version, info.resource);
  if (resource == nullptr || IsExempt(*resource)) return false;
  for (absl::string_view operation : OperationsOf(info)) {
    const RuleSubject subject = {.operation = operation,
                                 .subresource = info.subresource,
                                 .namespace_name = info.namespace_name};
    for (const std::shared_ptr<const Policy>& policy : policies) {
      if (MayMatch(policy->match, resources, *resource, subject)) return true;
    }
  }
  return false;
}

PolicySource::PolicySource(Storage& storage, PolicyKind kind)
    : view_(storage, ResourcesOf(kind), [this, kind](const Storage& read) {
        std::shared_ptr<PolicySet> made = PoliciesIn(read, kind);
        empty_.store(made->policies.empty());
        return made;
      }) {}

std::shared_ptr<const PolicySet> PolicySource::For(const RequestInfo& info,
                                                   const Resources& resources) {
  if (view_.IsCurrent() && empty_.load()) return nullptr;
  std::shared_ptr<const PolicySet> set = view_.Get();
  return set->MayConcern(info, resources) ? set : nullptr;
}

}  // namespace kube::apiserver::internal
