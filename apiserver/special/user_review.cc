#include "apiserver/special/user_review.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/authentication/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/special/special_answer.h"
#include "apiserver/tokens/account_tokens.h"
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
  KUBE_RETURN_IF_ERROR(CheckWithWebhooks(call, body));
  auto& review = *body.As<authenticationv1::SelfSubjectReview>();
  review.metadata.creation_timestamp = Time(base::WallNow());
  review.status.user_info = UserInfoOf(call.user);
  return RespondAny(201, std::move(body), call);
}

absl::StatusOr<httpserver::Response> ServeTokenReview(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authentication.k8s.io/v1", "TokenReview"));
  auto& review = *body.As<authenticationv1::TokenReview>();
  if (review.spec.token.empty()) {
    return errors::BadRequest("token is required for TokenReview in authentication");
  }
  KUBE_RETURN_IF_ERROR(CheckWithWebhooks(call, body));
  std::vector<std::string> audiences(review.spec.audiences.begin(), review.spec.audiences.end());
  if (audiences.empty()) audiences.emplace_back(kTokenIssuer);
  // As upstream, the token goes through a header, where a blank ends it.
  const absl::string_view token = review.spec.token.view();
  const absl::StatusOr<AuthenticatedToken> checked =
      core.check_token(token.substr(0, token.find(' ')), audiences);
  review.status = {};
  if (checked.ok()) {
    review.status.authenticated = true;
    review.status.user = UserInfoOf(checked->user);
    review.status.audiences = checked->audiences;
  } else {
    review.status.error = checked.status().message();
  }
  return RespondAny(201, std::move(body), call);
}

}  // namespace kube::apiserver::internal
