#include "apiserver/special/access_review.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/authorization/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/request_info.h"
#include "apiserver/special/special_answer.h"
#include "apiserver/user.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace authorizationv1 = api::authorization::v1;
namespace field = validation::field;

// Requires exactly one of the two attributes. As in kube-apiserver, the error does not name the
// kind.
template <typename Spec>
absl::Status CheckAttributes(const Spec& spec) {
  if (static_cast<bool>(spec.resource_attributes) !=
      static_cast<bool>(spec.non_resource_attributes)) {
    return absl::OkStatus();
  }
  const bool none = !spec.resource_attributes;
  const field::Path path =
      field::Path("spec").Child(none ? "resourceAttributes" : "nonResourceAttributes");
  return errors::Invalid(
      {.group = "authorization.k8s.io", .kind = ""}, "",
      field::ErrorList{field::Invalid(
          path, field::JsonValue{"null"},
          none ? "exactly one of nonResourceAttributes or resourceAttributes must be specified"
               : "cannot be specified in combination with resourceAttributes")});
}

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
  KUBE_RETURN_IF_ERROR(CheckAttributes(review.spec));
  review.status.allowed = core.allows(UserOf(review.spec, call.user), RequestOf(review.spec));
  return RespondAny(201, std::move(body), call);
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

absl::StatusOr<httpserver::Response> ServeRulesReview(Call& call) {
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authorization.k8s.io/v1", "SelfSubjectRulesReview"));
  auto& review = *body.As<authorizationv1::SelfSubjectRulesReview>();
  authorizationv1::ResourceRule all;
  all.verbs = {"*"};
  all.api_groups = {"*"};
  all.resources = {"*"};
  review.status.resource_rules = {all};
  authorizationv1::NonResourceRule paths;
  paths.verbs = {"*"};
  paths.non_resource_urls = {"*"};
  review.status.non_resource_rules = {paths};
  return RespondAny(201, std::move(body), call);
}

}  // namespace kube::apiserver::internal
