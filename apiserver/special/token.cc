#include "apiserver/special/token.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/authentication/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/types/time.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/special/special_answer.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace authenticationv1 = api::authentication::v1;
namespace metav1 = api::meta::v1;
namespace field = validation::field;

}  // namespace

absl::StatusOr<httpserver::Response> ServeToken(Core& core, Call& call) {
  Target target = call.target();
  target.subresource.clear();
  KUBE_ASSIGN_OR_RETURN(const ObjectPtr account, core.registry.Get(target));
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authentication.k8s.io/v1", "TokenRequest"));
  auto& request = *body.As<authenticationv1::TokenRequest>();
  const metav1::ObjectMeta& metadata = account->metadata();
  const absl::Time now = base::WallNow();
  if (request.spec.expiration_seconds.value_or(3600) < 600) {
    return errors::Invalid(
        {.group = "authentication.k8s.io", .kind = "TokenRequest"}, "",
        field::ErrorList{field::Invalid(field::Path("spec").Child("expirationSeconds"),
                                        int64_t{*request.spec.expiration_seconds},
                                        "may not specify a duration less than 10 minutes")});
  }
  if (!request.spec.expiration_seconds.has_value()) request.spec.expiration_seconds = 3600;
  request.metadata.name = metadata.name;
  request.metadata.namespace_ = metadata.namespace_;
  request.metadata.uid = metadata.uid;
  request.metadata.creation_timestamp = Time(now);
  const absl::Time expires = now + absl::Seconds(*request.spec.expiration_seconds);
  request.status.expiration_timestamp = Time(expires);
  // Looks like a JWT of the account, but is not signed and not accepted.
  const std::string claims =
      absl::StrCat(R"({"exp":)", absl::ToUnixSeconds(expires), R"(,"iat":)",
                   absl::ToUnixSeconds(now), R"(,"sub":"system:serviceaccount:)",
                   metadata.namespace_.view(), ":", metadata.name.view(), "\"}");
  request.status.token = absl::StrCat(absl::WebSafeBase64Escape(R"({"alg":"none"})"), ".",
                                      absl::WebSafeBase64Escape(claims), ".");
  return RespondAny(201, std::move(body), call);
}

}  // namespace kube::apiserver::internal
