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
#include "api/admission/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/cel/authorizer.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/service_account.h"
#include "apiserver/object.h"
#include "apiserver/policies/policy_evaluation.h"
#include "apiserver/policies/policy_match.h"
#include "apiserver/policies/policy_params.h"
#include "apiserver/policies/policy_set.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "apiserver/webhooks/admission_question.h"
#include "apiserver/webhooks/admitted_object.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
using unstructured::Value;

// Returns whether policies are never asked about a resource, because a cluster could then not be
// used any more (kube-apiserver: `exclusion.Excluded`).
bool IsExcluded(const Resource& resource) {
  const absl::string_view group = resource.kind->group;
  const absl::string_view plural = resource.kind->plural;
  if (group == "authentication.k8s.io") {
    return plural == "selfsubjectreviews" || plural == "tokenreviews";
  }
  return group == "authorization.k8s.io" &&
         (plural == "localsubjectaccessreviews" || plural == "selfsubjectaccessreviews" ||
          plural == "selfsubjectrulesreviews" || plural == "subjectaccessreviews");
}

// Answers the checks of expressions.
class RequestAuthorizer final : public cel::Authorizer {
 public:
  RequestAuthorizer(User user, AuthorizeFunction authorize)
      : user_(std::move(user)), authorize_(std::move(authorize)) {}

  cel::AuthorizationDecision Authorize(const cel::AuthorizationCheck& check) const override {
    RequestInfo info;
    info.is_resource_request = check.path.empty();
    info.path = check.path;
    info.verb = check.verb;
    if (info.is_resource_request) {
      info.group = check.group;
      info.version = "*";
      info.resource = check.resource;
      info.subresource = check.subresource;
      info.namespace_name = check.namespace_name;
      info.name = check.name;
    }
    Decision decision = authorize_(check.account_name.empty() ? user_ : AccountOf(check), info);
    return {.allowed = decision.allowed, .reason = std::move(decision.reason)};
  }

 private:
  // As upstream, it is not in the group of all authenticated users.
  static User AccountOf(const cel::AuthorizationCheck& check) {
    return {.name = absl::StrCat("system:serviceaccount:", check.account_namespace, ":",
                                 check.account_name),
            .groups = ServiceAccountGroups(check.account_namespace)};
  }

  const User user_;
  const AuthorizeFunction authorize_;
};

absl::StatusOr<Value> RequestValue(const AdmissionQuestion& question, const Resource& as,
                                   const Resource& resource) {
  api::admission::v1::AdmissionRequest request = question.RequestFor(as);
  request.resource.group = resource.kind->group;
  request.resource.version = resource.kind->version;
  request.resource.resource = resource.kind->plural;
  KUBE_ASSIGN_OR_RETURN(Value value, unstructured::ToValue(request));
  for (absl::string_view member : {"uid", "object", "oldObject"}) value.object()->erase(member);
  return value;
}

bool IsNamespace(const Resource& resource) {
  return resource.kind->group.empty() && resource.kind->kind == "Namespace";
}

absl::string_view NameOf(const AdmissionQuestion& question) {
  if (!question.info->name.empty() || question.operation != "CREATE") return question.info->name;
  return question.now->name();
}

// Returns the error with a reason of its own that is otherwise a Forbidden one.
absl::Status Denied(const AdmissionQuestion& question, const std::string& message,
                    absl::string_view reason) {
  const absl::string_view name = NameOf(question);
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

// The objects of a question in the version that a policy asks for.
struct Versioned {
  Value object = {};
  Value old_object = {};
  Value condition_request = {};
  Value request = {};
};

absl::StatusOr<Versioned> InVersionOf(const AdmissionQuestion& question, const Resource& as) {
  Versioned made;
  if (question.now != nullptr) {
    KUBE_ASSIGN_OR_RETURN(const AdmittedObject now, question.now->In(as));
    KUBE_ASSIGN_OR_RETURN(made.object, now.ToValue());
  }
  if (question.old != nullptr) {
    KUBE_ASSIGN_OR_RETURN(const AdmittedObject old, question.old->In(as));
    KUBE_ASSIGN_OR_RETURN(made.old_object, old.ToValue());
  }
  KUBE_ASSIGN_OR_RETURN(made.condition_request, RequestValue(question, as, *question.resource));
  KUBE_ASSIGN_OR_RETURN(made.request, RequestValue(question, as, as));
  return made;
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
        MatchedAs(policy.match, question_, NameOf(question_), *parts_.storage);
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
          MatchedAs(*binding.match, question_, NameOf(question_), *parts_.storage);
      if (!matched.ok()) AddConfigurationError(policy, &binding, matched.status());
      if (!matched.ok() || *matched == nullptr) return absl::OkStatus();
    }
    const absl::StatusOr<std::vector<Value>> values = ParamsOf(binding, params);
    if (!values.ok()) {
      AddConfigurationError(policy, &binding, values.status());
      return absl::OkStatus();
    }
    if (values->empty()) return absl::OkStatus();
    const absl::StatusOr<Versioned> versioned = InVersionOf(question_, as);
    if (!versioned.ok()) {
      AddConfigurationError(policy, &binding,
                            base::Annotate(versioned.status(), "failed to convert object version"));
      return absl::OkStatus();
    }
    KUBE_ASSIGN_OR_RETURN(const Value namespace_object, NamespaceObject());
    for (const Value& value : *values) {
      Evaluate(policy, binding, *versioned, namespace_object, value);
    }
    return absl::OkStatus();
  }

  // Returns null alone if the policy is evaluated without parameters.
  absl::StatusOr<std::vector<Value>> ParamsOf(const PolicyBinding& binding,
                                              const Resource* params) const {
    if (params == nullptr || !binding.param_ref.has_value()) return std::vector<Value>(1);
    return CollectParams(*params, *binding.param_ref, namespace_name_, *parts_.storage);
  }

  absl::StatusOr<Value> NamespaceObject() const {
    if (namespace_name_.empty() || IsNamespace(*question_.resource)) return Value();
    const ObjectPtr found = parts_.storage->Get("/namespaces", namespace_name_);
    if (found == nullptr) {
      return errors::NotFound({.group = "", .resource = "namespaces"}, namespace_name_);
    }
    KUBE_ASSIGN_OR_RETURN(Value value, AdmittedObject(found->object().Copy()).ToValue());
    // Expressions see neither the type nor who owns what.
    value.object()->erase("apiVersion");
    value.object()->erase("kind");
    if (Value* const metadata = value.Find("metadata"); metadata != nullptr) {
      if (metadata->is_object()) {
        metadata->object()->erase("managedFields");
        metadata->object()->erase("ownerReferences");
      }
    }
    return value;
  }

  void Evaluate(const Policy& policy, const PolicyBinding& binding, const Versioned& versioned,
                const Value& namespace_object, const Value& params) {
    const auto authorizer =
        std::make_shared<const RequestAuthorizer>(*question_.user, parts_.authorize);
    const KindInfo& kind = *question_.resource->kind;
    const PolicyInput input = {.object = versioned.object,
                               .old_object = versioned.old_object,
                               .condition_request = versioned.condition_request,
                               .request = versioned.request,
                               .namespace_object = namespace_object,
                               .params = params,
                               .authorizer = cel::MakeAuthorizer(authorizer),
                               .request_resource = cel::MakeResourceCheck(
                                   authorizer, {.group = std::string(kind.group),
                                                .resource = std::string(kind.plural),
                                                .subresource = question_.info->subresource,
                                                .namespace_name = namespace_name_,
                                                .name = std::string(NameOf(question_))})};
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
  if (IsExcluded(*question.resource)) return {};
  return Asking(parts_, question).Run();
}

}  // namespace kube::apiserver::internal
