#include "apiserver/validation/validate_policies.h"

#include <cstddef>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/label.h"
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
using admissionv1::ValidatingAdmissionPolicy;
using admissionv1::ValidatingAdmissionPolicyBinding;
using field::ErrorList;
using field::Path;

constexpr size_t kMaxAnnotations = 20;
constexpr size_t kMaxAnnotationBytes = 5 * 1024;

bool HasNewlines(absl::string_view text) {
  return text.find_first_of("\n\r") != absl::string_view::npos;
}

// ---- expressions

void CheckExpression(ErrorList& wrong, PolicyExpression purpose, absl::string_view expression,
                     const PolicyCompiler& compiler, const Path& path) {
  const absl::StatusOr<cel::Program> program = compiler.Compile(purpose, expression);
  if (!program.ok()) AddCompileError(wrong, path, expression, program.status());
}

void CheckValidation(ErrorList& wrong, const admissionv1::Validation& rule,
                     const PolicyCompiler& compiler, const Path& path) {
  constexpr absl::string_view kReasons[] = {"Forbidden", "Invalid", "RequestEntityTooLarge"};
  const absl::string_view expression = rule.expression.view();
  if (IsBlank(expression)) {
    wrong.push_back(field::Required(path.Child("expression"), "expression is not specified"));
  } else {
    CheckExpression(wrong, PolicyExpression::kValidation, expression, compiler,
                    path.Child("expression"));
  }
  const absl::string_view message_expression = rule.message_expression.view();
  if (!message_expression.empty() && IsBlank(message_expression)) {
    wrong.push_back(field::Invalid(path.Child("messageExpression"), std::string(message_expression),
                                   "must be non-empty if specified"));
  } else if (!message_expression.empty()) {
    CheckExpression(wrong, PolicyExpression::kMessage, message_expression, compiler,
                    path.Child("messageExpression"));
  }
  const std::string message(rule.message);
  if (!message.empty() && IsBlank(message)) {
    wrong.push_back(
        field::Invalid(path.Child("message"), message, "must be non-empty if specified"));
  } else if (HasNewlines(absl::StripAsciiWhitespace(message))) {
    wrong.push_back(field::Invalid(path.Child("message"), message, "must not contain line breaks"));
  }
  CheckEnum(wrong, path.Child("reason"), rule.reason, kReasons);
}

void CheckAnnotation(ErrorList& wrong, absl::string_view policy,
                     const admissionv1::AuditAnnotation& annotation, const PolicyCompiler& compiler,
                     const Path& path) {
  const std::string key(annotation.key);
  if (policy.empty()) {
    wrong.push_back(field::Invalid(path.Child("key"), key, "requires metadata.name be non-empty"));
  } else {
    const std::string name = absl::StrCat(policy, "/", key);
    AppendInvalid(wrong, path.Child("key"), name, validation::IsQualifiedName(name));
  }
  const Path at = path.Child("valueExpression");
  const absl::string_view whole = annotation.value_expression.view();
  const absl::string_view expression = absl::StripAsciiWhitespace(whole);
  if (expression.empty()) {
    wrong.push_back(field::Required(at, "valueExpression is not specified"));
    return;
  }
  if (expression.size() > kMaxAnnotationBytes) {
    wrong.push_back(field::Required(
        at, absl::StrCat("must not exceed ", kMaxAnnotationBytes, " bytes in length")));
    return;
  }
  const absl::StatusOr<cel::Program> program =
      compiler.Compile(PolicyExpression::kAuditAnnotation, expression);
  if (!program.ok()) AddCompileError(wrong, at, whole, program.status());
}

void CheckAnnotations(ErrorList& wrong, const ValidatingAdmissionPolicy& policy,
                      const PolicyCompiler& compiler, const Path& path) {
  const List<admissionv1::AuditAnnotation>& annotations = policy.spec.audit_annotations;
  if (annotations.size() > kMaxAnnotations) {
    const auto json = [](std::string* text, const admissionv1::AuditAnnotation& annotation) {
      text->append(field::JsonOf(annotation).json);
    };
    wrong.push_back(field::Invalid(
        path, field::JsonValue{absl::StrCat("[", absl::StrJoin(annotations, ",", json), "]")},
        absl::StrCat("must not have more than ", kMaxAnnotations, " auditAnnotations")));
  }
  std::set<std::string> keys;
  for (size_t i = 0; i < annotations.size(); ++i) {
    CheckAnnotation(wrong, policy.metadata.name.view(), annotations[i], compiler, path.Index(i));
    const std::string key(annotations[i].key);
    if (!keys.insert(key).second) {
      wrong.push_back(field::Duplicate(path.Index(i).Child("key"), key));
    }
  }
}

// ---- policies

// Returns whether an update changes nothing that matters for its conditions.
bool KeepsConditions(const ValidatingAdmissionPolicy& now, const ValidatingAdmissionPolicy* old) {
  return old != nullptr && now.spec.param_kind == old->spec.param_kind &&
         now.spec.match_conditions == old->spec.match_conditions;
}

void CheckExpressions(ErrorList& wrong, const ValidatingAdmissionPolicy& policy,
                      const ValidatingAdmissionPolicy* old, const Path& path) {
  const admissionv1::ValidatingAdmissionPolicySpec& spec = policy.spec;
  const PolicyCompiler::Options options = {.params = spec.param_kind.has_value(),
                                           .variables = !spec.variables.empty()};
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
  if (spec.validations.empty() && spec.audit_annotations.empty()) {
    constexpr absl::string_view kOneOfThem =
        "validations or auditAnnotations must contain at least one item";
    wrong.push_back(field::Required(path.Child("validations"), kOneOfThem));
    wrong.push_back(field::Required(path.Child("auditAnnotations"), kOneOfThem));
    return;
  }
  for (size_t i = 0; i < spec.validations.size(); ++i) {
    CheckValidation(wrong, spec.validations[i], compiler, path.Child("validations").Index(i));
  }
  CheckAnnotations(wrong, policy, compiler, path.Child("auditAnnotations"));
}

void CheckPolicy(ErrorList& wrong, const ValidatingAdmissionPolicy& policy,
                 const ValidatingAdmissionPolicy* old) {
  constexpr absl::string_view kFailurePolicies[] = {"Fail", "Ignore"};
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
  }
  CheckExpressions(wrong, policy, old, path);
}

// ---- bindings

void CheckActions(ErrorList& wrong, const List<String>& actions, const Path& path) {
  constexpr absl::string_view kActions[] = {"Audit", "Deny", "Warn"};
  std::set<std::string> seen;
  for (size_t i = 0; i < actions.size(); ++i) {
    CheckEnum(wrong, path.Index(i), actions[i], kActions);
    const std::string action(actions[i]);
    if (!seen.insert(action).second) wrong.push_back(field::Duplicate(path.Index(i), action));
  }
  if (seen.count("Deny") != 0 && seen.count("Warn") != 0) {
    wrong.push_back(field::Invalid(
        path, field::JsonOf(actions),
        "must not contain both Deny and Warn (repeating the same validation failure information "
        "in the API response and headers serves no purpose)"));
  }
  if (seen.empty()) {
    wrong.push_back(field::Required(path, "at least one validation action is required"));
  }
}

void CheckBinding(ErrorList& wrong, const ValidatingAdmissionPolicyBinding& binding) {
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
  }
  CheckActions(wrong, binding.spec.validation_actions, path.Child("validationActions"));
}

}  // namespace

void CheckPolicies(ErrorList& wrong, const Object& object, const Object* old) {
  if (const auto* policy = object.As<ValidatingAdmissionPolicy>()) {
    CheckPolicy(wrong, *policy, old == nullptr ? nullptr : old->As<ValidatingAdmissionPolicy>());
  }
  if (const auto* binding = object.As<ValidatingAdmissionPolicyBinding>()) {
    CheckBinding(wrong, *binding);
  }
}

}  // namespace kube::apiserver::internal
