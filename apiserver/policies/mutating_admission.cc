// A round first finds the invocations: the policies that select the request, with each of their
// bindings and each parameter of these. Then it carries them out. An invocation converts the object
// into the version that its policy asks for, applies the mutations one by one, and converts the
// result back.

#include "apiserver/policies/mutating_admission.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/custom_kind.h"
#include "apiserver/policies/policy_evaluation.h"
#include "apiserver/policies/policy_match.h"
#include "apiserver/policies/policy_mutation.h"
#include "apiserver/policies/policy_params.h"
#include "apiserver/policies/policy_question.h"
#include "apiserver/policies/policy_set.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/webhooks/admission_question.h"
#include "apiserver/webhooks/admitted_object.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
using unstructured::Value;

// A policy with one of its bindings and one parameter.
struct Invocation {
  const Policy* policy = nullptr;
  const PolicyBinding* binding = nullptr;
  // The version that the policy asks for.
  const Resource* as = nullptr;
  // Null without parameters.
  Value params = {};

  std::string Key() const {
    const Value& metadata = params["metadata"];
    return absl::StrCat(policy->name, "\n", binding->name, "\n",
                        metadata["namespace"].text().value_or(""), "/",
                        metadata["name"].text().value_or(""));
  }
};

// Returns the error if the result of a mutation is not an object of the kind. That of a patch is
// one of the server, so that the request fails whatever the failurePolicy is, as upstream; that of
// a configuration is one of the policy.
absl::Status DecodingError(const PolicyMutation& mutation, const absl::Status& error) {
  if (!mutation.is_json_patch) {
    return absl::InvalidArgumentError(absl::StrCat(
        "error applying patch: failed to convert typed object to object: ", error.message()));
  }
  if (errors::StatusOf(error).has_value()) return error;
  return errors::InternalError(error.message());
}

const managedfields::Schema& SchemaOf(const AdmittedObject& object, const Resource& as) {
  if (object.is_resource() && as.custom != nullptr) return as.custom->merge_schema();
  return managedfields::SchemaOf(*object.kind().message);
}

}  // namespace

// One round of questions to all policies.
class MutatingAdmission::Round {
 public:
  Round(MutatingAdmission& admission, const AdmissionQuestion& question, bool again)
      : admission_(admission),
        parts_(admission.parts_),
        question_(question),
        again_(again),
        namespace_name_(question.NamespaceOf()) {}

  // Returns whether any mutation was carried out.
  absl::StatusOr<bool> Run() {
    std::vector<Invocation> invocations;
    for (const std::shared_ptr<const Policy>& policy : parts_.policies->policies) {
      AddInvocations(*policy, invocations);
    }
    if (!invocations.empty()) {
      KUBE_ASSIGN_OR_RETURN(namespace_object_, NamespaceObjectOf(question_, *parts_.storage));
    }
    for (const Invocation& invocation : invocations) {
      KUBE_RETURN_IF_ERROR(CarryOut(invocation));
    }
    KUBE_RETURN_IF_ERROR(error_);
    if (mutated_) admission_.RequireReinvocation();
    return mutated_;
  }

 private:
  void AddInvocations(const Policy& policy, std::vector<Invocation>& invocations) {
    const absl::string_view name = RequestNameOf(question_);
    const absl::StatusOr<const Resource*> as =
        MatchedAs(policy.match, question_, name, *parts_.storage);
    if (!as.ok()) return AddConfigurationError(policy, nullptr, as.status());
    if (*as == nullptr) return;
    const Resource* params = nullptr;
    if (policy.param_kind.has_value()) {
      const absl::StatusOr<const Resource*> found =
          ResourceOfParams(*policy.param_kind, *question_.resources);
      if (!found.ok()) return AddConfigurationError(policy, nullptr, found.status());
      params = *found;
    }
    for (const PolicyBinding& binding : policy.bindings) {
      if (binding.match.has_value()) {
        const absl::StatusOr<const Resource*> matched =
            MatchedAs(*binding.match, question_, name, *parts_.storage);
        if (!matched.ok()) AddConfigurationError(policy, &binding, matched.status());
        if (!matched.ok() || *matched == nullptr) continue;
      }
      absl::StatusOr<std::vector<Value>> values =
          ParamsOf(binding, params, namespace_name_, *parts_.storage);
      if (!values.ok()) {
        AddConfigurationError(policy, &binding, values.status());
        continue;
      }
      for (Value& value : *values) {
        invocations.push_back(
            {.policy = &policy, .binding = &binding, .as = *as, .params = std::move(value)});
      }
    }
  }

  // Returns an error if the request cannot go on whatever the failurePolicy is.
  absl::Status CarryOut(const Invocation& invocation) {
    const Policy& policy = *invocation.policy;
    absl::StatusOr<VersionedQuestion> versioned = VersionedIn(question_, *invocation.as);
    if (!versioned.ok()) {
      AddConfigurationError(policy, nullptr,
                            base::Annotate(versioned.status(), "failed to convert object version"));
      return absl::OkStatus();
    }
    const PolicyConditions conditions =
        EvaluatePolicyConditions(parts_.ctx, policy, InputOf(invocation, *versioned));
    if (!conditions.error.empty()) {
      AddError(policy, invocation.binding, conditions.error, "Invalid");
      return absl::OkStatus();
    }
    const std::string key = invocation.Key();
    if (!conditions.hold || (again_ && admission_.required_.count(key) == 0)) {
      return absl::OkStatus();
    }
    KUBE_RETURN_IF_ERROR(ApplyMutations(invocation, *versioned));
    if (policy.reinvoked) admission_.reinvocable_.insert(key);
    return absl::OkStatus();
  }

  // `versioned.object` becomes what the mutations make of it, and so does `question_.now`.
  absl::Status ApplyMutations(const Invocation& invocation, VersionedQuestion& versioned) {
    const Value before = versioned.object;
    for (const PolicyMutation& mutation : invocation.policy->mutations) {
      const absl::Status applied = ApplyOne(invocation, mutation, versioned);
      if (applied.ok()) {
        mutated_ = true;
      } else if (errors::StatusOf(applied).has_value()) {
        return applied;
      } else {
        AddError(*invocation.policy, invocation.binding, applied.message(), "Invalid");
      }
    }
    if (!(versioned.object == before)) admission_.RequireReinvocation();
    return absl::OkStatus();
  }

  absl::Status ApplyOne(const Invocation& invocation, const PolicyMutation& mutation,
                        VersionedQuestion& versioned) {
    KUBE_ASSIGN_OR_RETURN(const AdmittedObject now, question_.now->In(*invocation.as));
    absl::StatusOr<Value> patched = Value();
    const auto apply = [&](const cel::Value& value) {
      patched = mutation.is_json_patch
                    ? ApplyPatches(versioned.object, value)
                    : MergeConfiguration(versioned.object, SchemaOf(now, *invocation.as), value);
      return patched.status();
    };
    KUBE_RETURN_IF_ERROR(EvaluateMutation(parts_.ctx, *invocation.policy, mutation.expression,
                                          InputOf(invocation, versioned), apply));
    absl::StatusOr<AdmittedObject> made =
        now.FromValue(*std::move(patched), *invocation.as, /*strict=*/mutation.is_json_patch);
    if (!made.ok()) return DecodingError(mutation, made.status());
    KUBE_ASSIGN_OR_RETURN(versioned.object, made->ToValue());
    KUBE_ASSIGN_OR_RETURN(*question_.now, made->In(*question_.resource));
    return absl::OkStatus();
  }

  PolicyInput InputOf(const Invocation& invocation, const VersionedQuestion& versioned) const {
    const PolicyAuthorizers authorizers = AuthorizersOf(question_, parts_.authorize);
    return {.object = versioned.object,
            .old_object = versioned.old_object,
            .condition_request = versioned.condition_request,
            .request = versioned.request,
            .namespace_object = namespace_object_,
            .params = invocation.params,
            .authorizer = authorizers.authorizer,
            .request_resource = authorizers.request_resource};
  }

  // `binding` is null if it is the policy that cannot be used.
  void AddConfigurationError(const Policy& policy, const PolicyBinding* binding,
                             const absl::Status& error) {
    AddError(policy, binding,
             absl::StrCat("failed to configure ",
                          binding == nullptr ? "policy: " : "binding: ", error.message()),
             "");
  }

  // Adds the error to the answer, whose message is that of the first one. `reason` is "" for the
  // reason Forbidden.
  void AddError(const Policy& policy, const PolicyBinding* binding, absl::string_view error,
                absl::string_view reason) {
    if (policy.ignores_failures) return;
    const std::string message =
        binding == nullptr
            ? absl::StrCat("policy ", text::Quoted(policy.name), " denied request: ", error)
            : absl::StrCat("policy '", policy.name, "' with binding '", binding->name,
                           "' denied request: ", error);
    metav1::Status status;
    if (error_.ok()) {
      const absl::string_view name = RequestNameOf(question_);
      status = errors::StatusOf(errors::Forbidden(question_.resource->group_resource(),
                                                  name.empty() ? "Unknown" : name, message))
                   .value_or(metav1::Status());
      status.message = message;
      if (!reason.empty()) status.reason = reason;
      if (!status.details) status.details.emplace();
    } else {
      status = errors::StatusOf(error_).value_or(metav1::Status());
    }
    metav1::StatusCause cause;
    cause.message = message;
    status.details->causes.push_back(std::move(cause));
    error_ = errors::FromStatus(status);
  }

  MutatingAdmission& admission_;
  const Parts& parts_;
  const AdmissionQuestion& question_;
  const bool again_;
  const std::string namespace_name_;
  Value namespace_object_;
  bool mutated_ = false;
  absl::Status error_;
};

void MutatingAdmission::RequireReinvocation() {
  required_.insert(reinvocable_.begin(), reinvocable_.end());
  reinvocable_.clear();
}

absl::StatusOr<bool> MutatingAdmission::Mutate(const AdmissionQuestion& question, bool again) {
  if (IsExcludedFromPolicies(*question.resource)) return false;
  if (!again) {
    reinvocable_.clear();
    required_.clear();
  } else {
    KUBE_ASSIGN_OR_RETURN(const Value value, question.now->ToValue());
    if (!(value == last_output_)) RequireReinvocation();
  }
  KUBE_ASSIGN_OR_RETURN(const bool mutated, Round(*this, question, again).Run());
  KUBE_ASSIGN_OR_RETURN(last_output_, question.now->ToValue());
  return mutated;
}

}  // namespace kube::apiserver::internal
