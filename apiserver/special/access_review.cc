#include "apiserver/special/access_review.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/authorization/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/rbac_policy.h"
#include "apiserver/auth/rbac_policy_cache.h"
#include "apiserver/call/call.h"
#include "apiserver/call/call_object.h"
#include "apiserver/call/core.h"
#include "apiserver/request_info.h"
#include "apiserver/special/review_spec.h"
#include "apiserver/special/special_answer.h"
#include "apiserver/user.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace authorizationv1 = api::authorization::v1;
namespace rbacv1 = api::rbac::v1;
namespace field = validation::field;

// Returns the request that a review asks about.
template <typename Spec>
RequestInfo RequestOf(const Spec& spec) {
  RequestInfo info;
  if (spec.resource_attributes) {
    const authorizationv1::ResourceAttributes& of = *spec.resource_attributes;
    info.is_resource_request = true;
    info.verb = std::string(of.verb);
    info.group = std::string(of.group);
    info.version = std::string(of.version);
    info.resource = std::string(of.resource);
    info.subresource = std::string(of.subresource);
    info.namespace_name = std::string(of.namespace_);
    info.name = std::string(of.name);
  } else {
    info.verb = std::string(spec.non_resource_attributes->verb);
    info.path = std::string(spec.non_resource_attributes->path);
  }
  return info;
}

// Returns the user whose rights the review asks about: the user in `spec`, or else the caller.
template <typename Spec>
User UserOf(const Spec& spec, const User& caller) {
  if constexpr (requires { spec.user; }) {
    User user{.name = std::string(spec.user), .uid = std::string(spec.uid), .groups = {}};
    for (const String& group : spec.groups) user.groups.emplace_back(group);
    for (const auto& [key, values] : spec.extra) {
      for (const String& value : values) user.extra[std::string(key)].emplace_back(value);
    }
    return user;
  } else {
    return caller;
  }
}

template <typename Review>
absl::StatusOr<httpserver::Response> ServeReview(const Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authorization.k8s.io/v1", call.resource->kind->kind));
  auto& review = *body.As<Review>();
  if (call.resource->namespaced()) {
    KUBE_RETURN_IF_ERROR(CheckNamespace(review.metadata, call));
    review.metadata.namespace_ = call.info.namespace_name;
  }
  if (const field::ErrorList wrong = ValidateReview(review); !wrong.empty()) {
    // As in kube-apiserver, the error does not name the kind.
    return errors::Invalid({.group = "authorization.k8s.io", .kind = ""}, "", wrong);
  }
  KUBE_RETURN_IF_ERROR(CheckWithWebhooks(call, body));
  const Decision decision = core.authorize(UserOf(review.spec, call.user), RequestOf(review.spec));
  review.status = {};
  review.status.allowed = decision.allowed;
  if (core.policies != nullptr) {
    review.status.denied = decision.denied;
    review.status.reason = decision.denied ? decision.rule : decision.reason;
  }
  if (review.spec.resource_attributes) {
    review.status.evaluation_error = EvaluationError(*review.spec.resource_attributes);
  }
  return RespondAny(201, std::move(body), call);
}

// Adds the rules of RBAC, those about resources and those about paths apart.
void AddRules(const std::vector<const rbacv1::PolicyRule*>& rules,
              authorizationv1::SubjectRulesReviewStatus& status) {
  status.resource_rules = List<authorizationv1::ResourceRule>::Empty();
  status.non_resource_rules = List<authorizationv1::NonResourceRule>::Empty();
  for (const rbacv1::PolicyRule* each : rules) {
    if (!each->resources.empty()) {
      authorizationv1::ResourceRule rule;
      rule.verbs = each->verbs;
      rule.api_groups = each->api_groups;
      rule.resources = each->resources;
      rule.resource_names = each->resource_names;
      status.resource_rules.push_back(std::move(rule));
    }
    if (!each->non_resource_urls.empty()) {
      authorizationv1::NonResourceRule rule;
      rule.verbs = each->verbs;
      rule.non_resource_urls = each->non_resource_urls;
      status.non_resource_rules.push_back(std::move(rule));
    }
  }
}

// Says that everything is allowed.
void AddEverything(authorizationv1::SubjectRulesReviewStatus& status) {
  authorizationv1::ResourceRule all;
  all.verbs = {"*"};
  all.api_groups = {"*"};
  all.resources = {"*"};
  status.resource_rules = {all};
  authorizationv1::NonResourceRule paths;
  paths.verbs = {"*"};
  paths.non_resource_urls = {"*"};
  status.non_resource_rules = {paths};
}

}  // namespace

absl::StatusOr<httpserver::Response> ServeAccessReview(const Core& core, Call& call) {
  const absl::string_view kind = call.resource->kind->kind;
  if (kind == "SubjectAccessReview") {
    return ServeReview<authorizationv1::SubjectAccessReview>(core, call);
  }
  if (kind == "LocalSubjectAccessReview") {
    return ServeReview<authorizationv1::LocalSubjectAccessReview>(core, call);
  }
  return ServeReview<authorizationv1::SelfSubjectAccessReview>(core, call);
}

absl::StatusOr<httpserver::Response> ServeRulesReview(const Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authorization.k8s.io/v1", "SelfSubjectRulesReview"));
  auto& review = *body.As<authorizationv1::SelfSubjectRulesReview>();
  const std::string space(review.spec.namespace_);
  if (core.policies != nullptr && space.empty()) {
    return errors::BadRequest("no namespace on request");
  }
  KUBE_RETURN_IF_ERROR(CheckWithWebhooks(call, body));
  if (core.policies == nullptr) {
    AddEverything(review.status);
    return RespondAny(201, std::move(body), call);
  }
  // As upstream, the answer does not repeat the question.
  review = {};
  const std::shared_ptr<const RbacPolicy> policy = core.policies->Get();
  const RbacPolicy::Rules rules = policy->RulesOf(call.user, space);
  AddRules(rules.rules, review.status);
  review.status.evaluation_error = UnresolvedText(rules.unresolved);
  return RespondAny(201, std::move(body), call);
}

}  // namespace kube::apiserver::internal
