#include "apiserver/policies/policy_admission.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/policies/policy_evaluation.h"
#include "apiserver/policies/policy_match.h"
#include "apiserver/policies/policy_params.h"
#include "apiserver/policies/policy_question.h"
#include "apiserver/policies/policy_set.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/webhooks/admission_question.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
using unstructured::Value;

// Returns the error with a reason of its own that is otherwise a Forbidden one.
absl::Status Denied(const AdmissionQuestion& question, const std::string& message,
                    absl::string_view reason) {
  const absl::string_view name = RequestNameOf(question);
  const absl::Status forbidden = errors::Forbidden(question.resource->group_resource(),
                                                   name.empty() ? "Unknown" : name, message);
  metav1::Status status = errors::StatusOf(forbidden).value_or(metav1::Status());
  status.reason = reason.empty() ? "Invalid" : reason;
  status.code = reason == "Forbidden" ? 403 : reason == "RequestEntityTooLarge" ? 413 : 422;
  if (!status.details) status.details.emplace();
  metav1::StatusCause cause;
  cause.message = message;
  status.details->causes.push_back(std::move(cause));
  return errors::FromStatus(status);
}

}  // namespace

// One question to all policies.
class PolicyAdmission::Asking {
 public:
  Asking(const Parts& parts, const AdmissionQuestion& question)
      : parts_(parts), question_(question), namespace_name_(question.NamespaceOf()) {}

  Result Run() {
    for (const std::shared_ptr<const Policy>& policy : parts_.policies->policies) {
      const absl::Status error = Ask(*policy);
      // It is not the policy's: nothing can be decided.
      if (!error.ok()) return {.error = error};
    }
    if (first_.has_value()) result_.error = Denied(question_, first_->message, first_->reason);
    return std::move(result_);
  }

 private:
  // Returns an error if the request cannot be decided; denials are remembered.
  absl::Status Ask(const Policy& policy) {
    const absl::StatusOr<const Resource*> as =
        MatchedAs(policy.match, question_, RequestNameOf(question_), *parts_.storage);
    if (!as.ok()) {
      AddConfigurationError(policy, nullptr, as.status());
      return absl::OkStatus();
    }
    if (*as == nullptr) return absl::OkStatus();
    const Resource* params = nullptr;
    if (policy.param_kind.has_value()) {
      const absl::StatusOr<const Resource*> found =
          ResourceOfParams(*policy.param_kind, *question_.resources);
      if (!found.ok()) {
        AddConfigurationError(policy, nullptr, found.status());
        return absl::OkStatus();
      }
      params = *found;
    }
    for (const PolicyBinding& binding : policy.bindings) {
      KUBE_RETURN_IF_ERROR(AskFor(policy, binding, **as, params));
    }
    return absl::OkStatus();
  }

  absl::Status AskFor(const Policy& policy, const PolicyBinding& binding, const Resource& as,
                      const Resource* params) {
    if (binding.match.has_value()) {
      const absl::StatusOr<const Resource*> matched =
          MatchedAs(*binding.match, question_, RequestNameOf(question_), *parts_.storage);
      if (!matched.ok()) AddConfigurationError(policy, &binding, matched.status());
      if (!matched.ok() || *matched == nullptr) return absl::OkStatus();
    }
    const absl::StatusOr<std::vector<Value>> values =
        ParamsOf(binding, params, namespace_name_, *parts_.storage);
    if (!values.ok()) {
      AddConfigurationError(policy, &binding, values.status());
      return absl::OkStatus();
    }
    if (values->empty()) return absl::OkStatus();
    const absl::StatusOr<VersionedQuestion> versioned = VersionedIn(question_, as);
    if (!versioned.ok()) {
      AddConfigurationError(policy, &binding,
                            base::Annotate(versioned.status(), "failed to convert object version"));
      return absl::OkStatus();
    }
    KUBE_ASSIGN_OR_RETURN(const Value namespace_object,
                          NamespaceObjectOf(question_, *parts_.storage));
    for (const Value& value : *values) {
      Evaluate(policy, binding, *versioned, namespace_object, value);
    }
    return absl::OkStatus();
  }

  void Evaluate(const Policy& policy, const PolicyBinding& binding,
                const VersionedQuestion& versioned, const Value& namespace_object,
                const Value& params) {
    const PolicyAuthorizers authorizers = AuthorizersOf(question_, parts_.authorize);
    const PolicyInput input = {.object = versioned.object,
                               .old_object = versioned.old_object,
                               .condition_request = versioned.condition_request,
                               .request = versioned.request,
                               .namespace_object = namespace_object,
                               .params = params,
                               .authorizer = authorizers.authorizer,
                               .request_resource = authorizers.request_resource};
    const PolicyResult result = EvaluatePolicy(parts_.ctx, policy, input);
    for (const PolicyDenial& denial : result.denials) {
      if (binding.denies) Deny(policy, &binding, denial.message, denial.reason);
      if (binding.warns) {
        result_.warnings.push_back(absl::StrCat("Validation failed for ValidatingAdmissionPolicy '",
                                                policy.name, "' with binding '", binding.name,
                                                "': ", denial.message));
      }
    }
    for (const std::string& error : result.annotation_errors) Deny(policy, &binding, error, "");
  }

  // `binding` is null if it is the policy that cannot be used.
  void AddConfigurationError(const Policy& policy, const PolicyBinding* binding,
                             const absl::Status& error) {
    if (policy.ignores_failures) return;
    Deny(policy, binding,
         absl::StrCat("failed to configure ",
                      binding == nullptr ? "policy: " : "binding: ", error.message()),
         "");
  }

  void Deny(const Policy& policy, const PolicyBinding* binding, absl::string_view message,
            absl::string_view reason) {
    if (first_.has_value()) return;
    const std::string with =
        binding == nullptr ? "" : absl::StrCat(" with binding '", binding->name, "'");
    first_ = PolicyDenial{.message = absl::StrCat("ValidatingAdmissionPolicy '", policy.name, "'",
                                                  with, " denied request: ", message),
                          .reason = std::string(reason)};
  }

  const Parts& parts_;
  const AdmissionQuestion& question_;
  const std::string namespace_name_;
  Result result_;
  std::optional<PolicyDenial> first_;
};

PolicyAdmission::Result PolicyAdmission::Validate(const AdmissionQuestion& question) {
  if (IsExcludedFromPolicies(*question.resource)) return {};
  return Asking(parts_, question).Run();
}

}  // namespace kube::apiserver::internal
