#include "apiserver/policies/policy_question.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/cel/authorizer.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/service_account.h"
#include "apiserver/object.h"
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

using unstructured::Value;

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

}  // namespace

bool IsExcludedFromPolicies(const Resource& resource) {
  const absl::string_view group = resource.kind->group;
  const absl::string_view plural = resource.kind->plural;
  if (group == "authentication.k8s.io") {
    return plural == "selfsubjectreviews" || plural == "tokenreviews";
  }
  return group == "authorization.k8s.io" &&
         (plural == "localsubjectaccessreviews" || plural == "selfsubjectaccessreviews" ||
          plural == "selfsubjectrulesreviews" || plural == "subjectaccessreviews");
}

absl::string_view RequestNameOf(const AdmissionQuestion& question) {
  if (!question.info->name.empty() || question.operation != "CREATE") return question.info->name;
  return question.now->name();
}

absl::StatusOr<VersionedQuestion> VersionedIn(const AdmissionQuestion& question,
                                              const Resource& as) {
  VersionedQuestion made;
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

absl::StatusOr<std::vector<Value>> ParamsOf(const PolicyBinding& binding, const Resource* params,
                                            absl::string_view namespace_name,
                                            const Storage& storage) {
  if (params == nullptr || !binding.param_ref.has_value()) return std::vector<Value>(1);
  return CollectParams(*params, *binding.param_ref, namespace_name, storage);
}

absl::StatusOr<Value> NamespaceObjectOf(const AdmissionQuestion& question, const Storage& storage) {
  const std::string namespace_name = question.NamespaceOf();
  if (namespace_name.empty() || IsNamespace(*question.resource)) return Value();
  const ObjectPtr found = storage.Get("/namespaces", namespace_name);
  if (found == nullptr) {
    return errors::NotFound({.group = "", .resource = "namespaces"}, namespace_name);
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

PolicyAuthorizers AuthorizersOf(const AdmissionQuestion& question,
                                const AuthorizeFunction& authorize) {
  const auto authorizer = std::make_shared<const RequestAuthorizer>(*question.user, authorize);
  const KindInfo& kind = *question.resource->kind;
  return {.authorizer = cel::MakeAuthorizer(authorizer),
          .request_resource =
              cel::MakeResourceCheck(authorizer, {.group = std::string(kind.group),
                                                  .resource = std::string(kind.plural),
                                                  .subresource = question.info->subresource,
                                                  .namespace_name = question.NamespaceOf(),
                                                  .name = std::string(RequestNameOf(question))})};
}

}  // namespace kube::apiserver::internal
