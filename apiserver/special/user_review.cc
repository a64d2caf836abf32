#include "apiserver/special/user_review.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "api/authentication/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/special/special_answer.h"
#include "apiserver/user.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace authenticationv1 = api::authentication::v1;

Map<List<String>> ExtraOf(const User& user) {
  Map<List<String>> extra;
  for (const auto& [key, values] : user.extra) {
    List<String>& all = extra[key];
    for (const std::string& value : values) all.push_back(value);
  }
  return extra;
}

authenticationv1::UserInfo UserInfoOf(const User& user) {
  authenticationv1::UserInfo info;
  info.username = user.name;
  info.uid = user.uid;
  for (const std::string& group : user.groups) info.groups.push_back(group);
  info.extra = ExtraOf(user);
  return info;
}

}  // namespace

absl::StatusOr<httpserver::Response> ServeSelfSubjectReview(Call& call) {
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authentication.k8s.io/v1", "SelfSubjectReview"));
  auto& review = *body.As<authenticationv1::SelfSubjectReview>();
  review.metadata.creation_timestamp = Time(base::WallNow());
  review.status.user_info = UserInfoOf(call.user);
  return RespondAny(201, std::move(body), call);
}

absl::StatusOr<httpserver::Response> ServeTokenReview(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authentication.k8s.io/v1", "TokenReview"));
  auto& review = *body.As<authenticationv1::TokenReview>();
  if (const std::optional<User> user = core.find_user(review.spec.token.view())) {
    review.status.authenticated = true;
    review.status.user = UserInfoOf(*user);
  } else {
    review.status.error = "[invalid bearer token, token lookup failed]";
  }
  return RespondAny(201, std::move(body), call);
}

}  // namespace kube::apiserver::internal
