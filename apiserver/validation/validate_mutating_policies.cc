#include "apiserver/validation/validate_mutating_policies.h"

#include <cstddef>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/object_meta.h"
#include "apiserver/errors/field_errors.h"
#include "apiserver/object.h"
#include "apiserver/validation/admission_rules.h"
#include "apiserver/validation/policy_compiler.h"
#include "apiserver/validation/policy_parts.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;
namespace field = validation::field;
using admissionv1::MutatingAdmissionPolicy;
using admissionv1::MutatingAdmissionPolicyBinding;
using field::ErrorList;
using field::Path;

// Only what has a new object can be mutated. As upstream, the path has no index.
void CheckOperations(ErrorList& wrong, const admissionv1::MatchResources& match, const Path& path) {
  constexpr absl::string_view kOperations[] = {"*", "CONNECT", "CREATE", "UPDATE"};
  for (const admissionv1::NamedRuleWithOperations& rule : match.resource_rules) {
    for (const String& operation : rule.operations) {
      if (absl::c_linear_search(kOperations, operation.view())) continue;
      wrong.push_back(field::NotSupported(path.Child("resourceRules").Child("operations"),
                                          field::JsonText(operation.view()), kOperations));
    }
  }
}

void CheckExpression(ErrorList& wrong, PolicyExpression purpose, const String& whole,
                     const PolicyCompiler& compiler, const Path& path) {
  const absl::string_view expression = absl::StripAsciiWhitespace(whole.view());
  if (expression.empty()) {
    wrong.push_back(field::Required(path, ""));
    return;
  }
  const absl::StatusOr<cel::Program> program = compiler.Compile(purpose, expression);
  if (!program.ok()) AddCompileError(wrong, path, expression, program.status());
}

void CheckMutation(ErrorList& wrong, const admissionv1::Mutation& mutation,
                   const PolicyCompiler& compiler, const Path& path) {
  constexpr absl::string_view kTypes[] = {"ApplyConfiguration", "JSONPatch"};
  const Path configuration = path.Child("applyConfiguration");
  const Path patch = path.Child("jsonPatch");
  if (mutation.patch_type == "JSONPatch") {
    if (!mutation.json_patch) {
      wrong.push_back(field::Required(patch, "must be specified when patchType is JSONPatch"));
    } else {
      CheckExpression(wrong, PolicyExpression::kJsonPatch, mutation.json_patch->expression,
                      compiler, patch.Child("expression"));
    }
    if (mutation.apply_configuration) {
      wrong.push_back(field::Invalid(configuration, std::string("{applyConfiguration}"),
                                     "must not be specified when patchType is JSONPatch"));
    }
  } else if (mutation.patch_type == "ApplyConfiguration") {
    if (!mutation.apply_configuration) {
      wrong.push_back(
          field::Required(configuration, "must be specified when patchType is ApplyConfiguration"));
    } else {
      CheckExpression(wrong, PolicyExpression::kApplyConfiguration,
                      mutation.apply_configuration->expression, compiler,
                      configuration.Child("expression"));
    }
    if (mutation.json_patch) {
      wrong.push_back(field::Invalid(patch, std::string("{jsonPatch}"),
                                     "must not be specified when patchType is ApplyConfiguration"));
    }
  } else if (mutation.patch_type.empty()) {
    wrong.push_back(field::Required(path.Child("patchType"), ""));
  } else {
    wrong.push_back(field::NotSupported(path.Child("patchType"),
                                        field::JsonText(mutation.patch_type.view()), kTypes));
  }
}

// Returns whether an update changes nothing that matters for its conditions.
bool KeepsConditions(const MutatingAdmissionPolicy& now, const MutatingAdmissionPolicy* old) {
  return old != nullptr && now.spec.param_kind == old->spec.param_kind &&
         now.spec.match_conditions == old->spec.match_conditions;
}

void CheckExpressions(ErrorList& wrong, const MutatingAdmissionPolicy& policy,
                      const MutatingAdmissionPolicy* old, const Path& path) {
  const admissionv1::MutatingAdmissionPolicySpec& spec = policy.spec;
  const PolicyCompiler::Options options = {.params = spec.param_kind.has_value(),
                                           .variables = true};
  PolicyCompiler compiler(options);
  if (!KeepsConditions(policy, old)) {
    CheckConditions(wrong, spec.match_conditions, path.Child("matchConditions"),
                    [&compiler](absl::string_view expression) {
                      return compiler.Compile(PolicyExpression::kMatchCondition, expression);
                    });
  }
  for (size_t i = 0; i < spec.variables.size(); ++i) {
    CheckVariable(wrong, spec.variables[i], compiler, path.Child("variables").Index(i));
  }
  if (spec.mutations.empty()) {
    wrong.push_back(
        field::Required(path.Child("mutations"), "mutations must contain at least one item"));
  }
  for (size_t i = 0; i < spec.mutations.size(); ++i) {
    CheckMutation(wrong, spec.mutations[i], compiler, path.Child("mutations").Index(i));
  }
}

void CheckPolicy(ErrorList& wrong, const MutatingAdmissionPolicy& policy,
                 const MutatingAdmissionPolicy* old) {
  constexpr absl::string_view kFailurePolicies[] = {"Fail", "Ignore"};
  constexpr absl::string_view kReinvocations[] = {"IfNeeded", "Never"};
  const Path path("spec");
  CheckRequiredEnum(wrong, path.Child("failurePolicy"), policy.spec.failure_policy,
                    kFailurePolicies);
  if (policy.spec.param_kind) {
    CheckParamKind(wrong, *policy.spec.param_kind, path.Child("paramKind"));
  }
  const Path constraints = path.Child("matchConstraints");
  if (!policy.spec.match_constraints) {
    wrong.push_back(field::Required(constraints, ""));
  } else {
    CheckMatch(wrong, *policy.spec.match_constraints, constraints);
    if (policy.spec.match_constraints->resource_rules.empty()) {
      wrong.push_back(field::Required(constraints.Child("resourceRules"), ""));
    }
    CheckOperations(wrong, *policy.spec.match_constraints, constraints);
  }
  CheckExpressions(wrong, policy, old, path);
  const Path reinvocation = path.Child("reinvocationPolicy");
  if (policy.spec.reinvocation_policy.empty()) {
    wrong.push_back(field::Required(reinvocation, ""));
  } else {
    CheckEnum(wrong, reinvocation, policy.spec.reinvocation_policy, kReinvocations);
  }
}

void CheckBinding(ErrorList& wrong, const MutatingAdmissionPolicyBinding& binding) {
  const Path path("spec");
  if (binding.spec.policy_name.empty()) {
    wrong.push_back(field::Required(path.Child("policyName"), ""));
  } else {
    AppendInvalid(wrong, path.Child("policyName"), binding.spec.policy_name.view(),
                  validation::NameIsDnsSubdomain(binding.spec.policy_name.view(),
                                                 /*prefix=*/false));
  }
  if (binding.spec.param_ref) {
    CheckParamRef(wrong, *binding.spec.param_ref, path.Child("paramRef"));
  }
  if (binding.spec.match_resources) {
    CheckMatch(wrong, *binding.spec.match_resources, path.Child("matchResources"));
    CheckOperations(wrong, *binding.spec.match_resources, path.Child("matchResources"));
  }
}

}  // namespace

void CheckMutatingPolicies(ErrorList& wrong, const Object& object, const Object* old) {
  if (const auto* policy = object.As<MutatingAdmissionPolicy>()) {
    CheckPolicy(wrong, *policy, old == nullptr ? nullptr : old->As<MutatingAdmissionPolicy>());
  }
  if (const auto* binding = object.As<MutatingAdmissionPolicyBinding>()) {
    CheckBinding(wrong, *binding);
  }
}

}  // namespace kube::apiserver::internal
