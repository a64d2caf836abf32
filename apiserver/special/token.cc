#include "apiserver/special/token.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/authentication/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/call/call.h"
#include "apiserver/call/call_object.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/special/special_answer.h"
#include "apiserver/tokens/account_claims.h"
#include "apiserver/tokens/account_tokens.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace authenticationv1 = api::authentication::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace field = validation::field;

constexpr absl::string_view kGroup = "authentication.k8s.io";
constexpr absl::string_view kKind = "TokenRequest";

constexpr int64_t kMinSeconds = 10 * 60;
constexpr int64_t kMaxSeconds = int64_t{1} << 32;
// A kubelet asks for this time if the pod's volume was added by the admission plugin
// ServiceAccount. Old clients in pods read the token once only, so that it is valid for a year.
constexpr int64_t kProjectedSeconds = 60 * 60 + 7;
constexpr int64_t kExtendedSeconds = 365 * 24 * 60 * 60;

absl::Status InvalidRequest(absl::string_view name, const field::ErrorList& wrong) {
  return errors::Invalid({.group = std::string(kGroup), .kind = std::string(kKind)}, name, wrong);
}

// What the client says about the account must be so (kube-apiserver: `TokenREST.Create`).
absl::Status CheckMetadata(const metav1::ObjectMeta& sent, const Call& call) {
  KUBE_RETURN_IF_ERROR(CheckNamespace(sent, call));
  if (sent.name.empty() || sent.name == call.info.name) return absl::OkStatus();
  return InvalidRequest(
      call.info.name, {field::Invalid(field::Path("metadata").Child("name"), std::string(sent.name),
                                      "must match the service account name if specified")});
}

absl::Status CheckUid(const metav1::ObjectMeta& sent, const metav1::ObjectMeta& account) {
  if (sent.uid.empty() || sent.uid == account.uid) return absl::OkStatus();
  return errors::Conflict(
      {.group = std::string(kGroup), .resource = std::string(kKind)}, account.name.view(),
      absl::StrCat("the UID in the token request (", sent.uid.view(),
                   ") does not match the UID of the service account (", account.uid.view(), ")"));
}

absl::Status CheckSeconds(int64_t seconds) {
  if (seconds >= kMinSeconds && seconds <= kMaxSeconds) return absl::OkStatus();
  return InvalidRequest(
      "", {field::Invalid(field::Path("spec").Child("expirationSeconds"), seconds,
                          seconds < kMinSeconds ? "may not specify a duration less than 10 minutes"
                                                : "may not specify a duration larger than 2^32 "
                                                  "seconds")});
}

// The object that a token is bound to, and the node of a pod.
struct Binding {
  std::optional<ClaimedObject> pod = {};
  std::optional<ClaimedObject> secret = {};
  std::optional<ClaimedObject> node = {};
};

ClaimedObject Claimed(const metav1::ObjectMeta& metadata) {
  return {.name = std::string(metadata.name), .uid = std::string(metadata.uid)};
}

class Binder {
 public:
  Binder(const Core& core, const Call& call) : core_(core), call_(call) {}

  absl::StatusOr<Binding> Bind(const authenticationv1::BoundObjectReference& reference) const {
    const schema::GroupVersionKind kind =
        schema::FromApiVersionAndKind(reference.api_version.view(), reference.kind.view());
    const absl::string_view name = reference.name.view();
    Binding binding;
    std::string uid;
    if (!kind.group.empty() ||
        (kind.kind != "Pod" && kind.kind != "Node" && kind.kind != "Secret")) {
      return errors::BadRequest(
          absl::StrCat("cannot bind token to object of type ", kind.ToString()));
    }
    if (kind.kind == "Pod") {
      KUBE_ASSIGN_OR_RETURN(binding, BindToPod(name));
      uid = binding.pod->uid;
    } else if (kind.kind == "Node") {
      KUBE_ASSIGN_OR_RETURN(const ObjectPtr node, Find("nodes", "", name));
      binding.node = Claimed(node->metadata());
      uid = binding.node->uid;
    } else {
      KUBE_ASSIGN_OR_RETURN(const ObjectPtr secret, Find("secrets", NamespaceName(), name));
      binding.secret = Claimed(secret->metadata());
      uid = binding.secret->uid;
    }
    if (!reference.uid.empty() && reference.uid != uid) {
      return errors::Conflict(
          {.group = kind.group, .resource = kind.kind}, name,
          absl::StrCat("the UID in the bound object reference (", reference.uid.view(),
                       ") does not match the UID in record. The object might have been deleted and "
                       "then recreated"));
    }
    return binding;
  }

 private:
  const std::string& NamespaceName() const { return call_.info.namespace_name; }

  absl::StatusOr<ObjectPtr> Find(absl::string_view plural, const std::string& namespace_name,
                                 absl::string_view name) const {
    return core_.registry.Get({.resource = call_.resources->Find("", "v1", plural),
                               .namespace_name = namespace_name,
                               .name = std::string(name)});
  }

  absl::StatusOr<Binding> BindToPod(absl::string_view name) const {
    KUBE_ASSIGN_OR_RETURN(const ObjectPtr object, Find("pods", NamespaceName(), name));
    const corev1::PodSpec& spec = object->object().As<corev1::Pod>()->spec;
    if (spec.service_account_name != call_.info.name) {
      return errors::BadRequest(
          absl::StrCat("cannot bind token for serviceaccount \"", call_.info.name,
                       "\" to pod running with different serviceaccount name."));
    }
    Binding binding{.pod = Claimed(object->metadata())};
    if (spec.node_name.empty()) return binding;
    // The name alone tells where the pod is if there is no such node.
    const absl::StatusOr<ObjectPtr> node = Find("nodes", "", spec.node_name.view());
    binding.node = node.ok() ? Claimed((*node)->metadata())
                             : ClaimedObject{.name = std::string(spec.node_name), .uid = ""};
    return binding;
  }

  const Core& core_;
  const Call& call_;
};

bool AreOfThisServer(const std::vector<std::string>& audiences) {
  return std::all_of(audiences.begin(), audiences.end(),
                     [](const std::string& each) { return each == kTokenIssuer; });
}

AccountClaims ClaimsOf(const metav1::ObjectMeta& account,
                       const authenticationv1::TokenRequestSpec& spec, Binding binding,
                       absl::Time now) {
  const int64_t issued_at = absl::ToUnixSeconds(now);
  AccountClaims claims;
  claims.subject = AccountUserName(account.namespace_.view(), account.name.view());
  claims.audiences = std::vector<std::string>(spec.audiences.begin(), spec.audiences.end());
  claims.id = base::RandomUuid();
  claims.issued_at = issued_at;
  claims.not_before = issued_at;
  claims.namespace_name = std::string(account.namespace_);
  claims.account = Claimed(account);
  claims.pod = std::move(binding.pod);
  claims.secret = std::move(binding.secret);
  claims.node = std::move(binding.node);
  int64_t seconds = *spec.expiration_seconds;
  if (claims.pod.has_value() && seconds == kProjectedSeconds && AreOfThisServer(claims.audiences)) {
    claims.warn_after = issued_at + seconds;
    seconds = kExtendedSeconds;
  }
  claims.expiry = issued_at + seconds;
  return claims;
}

}  // namespace

absl::StatusOr<httpserver::Response> ServeToken(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authentication.k8s.io/v1", "TokenRequest"));
  auto& request = *body.As<authenticationv1::TokenRequest>();
  KUBE_RETURN_IF_ERROR(CheckMetadata(request.metadata, call));
  Target target = call.target();
  target.subresource.clear();
  KUBE_ASSIGN_OR_RETURN(const ObjectPtr account, core.registry.Get(target));
  const metav1::ObjectMeta& metadata = account->metadata();
  KUBE_RETURN_IF_ERROR(CheckUid(request.metadata, metadata));

  authenticationv1::TokenRequestSpec& spec = request.spec;
  if (spec.audiences.empty()) spec.audiences = {String(kTokenIssuer)};
  if (!spec.expiration_seconds.has_value()) spec.expiration_seconds = 3600;
  const absl::Time now = base::WallNow();
  request.metadata.name = metadata.name;
  request.metadata.namespace_ = metadata.namespace_;
  request.metadata.uid = metadata.uid;
  request.metadata.creation_timestamp = Time(now);
  request.status = {};
  KUBE_RETURN_IF_ERROR(CheckSeconds(*spec.expiration_seconds));
  KUBE_RETURN_IF_ERROR(CheckWithWebhooks(call, body));
  Binding binding;
  if (spec.bound_object_ref) {
    KUBE_ASSIGN_OR_RETURN(binding, Binder(core, call).Bind(*spec.bound_object_ref));
  }

  absl::StatusOr<std::string> token =
      core.account_tokens->Issue(ClaimsOf(metadata, spec, std::move(binding), now));
  if (!token.ok()) {
    return errors::InternalError(
        absl::StrCat("failed to generate token: ", token.status().message()));
  }
  request.status.token = *token;
  request.status.expiration_timestamp = Time(now + absl::Seconds(*spec.expiration_seconds));
  return RespondAny(201, std::move(body), call);
}

}  // namespace kube::apiserver::internal
