// Subresources that are more than a part of the object, and kinds that are not stored.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/all_kinds.h"
#include "api/authentication/v1/types.kube.h"
#include "api/authorization/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/queryparams/queryparams.h"
#include "envtest/server/internal/core.h"
#include "envtest/server/internal/input.h"
#include "envtest/server/internal/output.h"
#include "envtest/server/internal/scale.h"
#include "envtest/server/object.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {
namespace {

namespace authenticationv1 = api::authentication::v1;
namespace authorizationv1 = api::authorization::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;

httpserver::Response Success(const Call& call) {
  metav1::Status status;
  status.kind = "Status";
  status.api_version = "v1";
  status.status = "Success";
  status.code = 201;
  Output plain = call.output;
  plain.transform = Transform::kNone;
  return Respond(201, EncodeStruct(status, plain), plain);
}

httpserver::Response RespondAny(int code, codec::AnyObject object, const Call& call) {
  return RespondObject(code, StoredObject(Object(std::move(object))), call);
}

absl::StatusOr<codec::AnyObject> BodyOf(const Call& call, absl::string_view api_version,
                                        absl::string_view kind) {
  KUBE_ASSIGN_OR_RETURN(Body body, DecodeBody(*call.request, *api::FindKind(api_version, kind),
                                              FieldPolicy::kIgnore));
  return std::move(body.object);
}

// ---- pods

Response ServeBinding(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const codec::AnyObject body, BodyOf(call, "v1", "Binding"));
  const corev1::Binding& binding = *body.As<corev1::Binding>();
  Target target = call.target();
  // As a resource of its own, the name stands in the body.
  if (target.name.empty()) target.name = binding.metadata.name;
  target.resource = core.resources.Find("", "v1", "pods");
  const schema::GroupResource named = {.group = "", .resource = "pods/binding"};
  const auto bind = [&](const StoredObject& current) -> absl::StatusOr<Object> {
    Object bound = current.object().Copy();
    corev1::Pod& pod = *bound.As<corev1::Pod>();
    if (!pod.spec.node_name.empty()) {
      return errors::Conflict(named, target.name,
                              absl::StrCat("pod ", target.name, " is already assigned to node \"",
                                           pod.spec.node_name.view(), "\""));
    }
    if (pod.metadata.deletion_timestamp.has_value()) {
      return errors::Conflict(
          named, target.name,
          absl::StrCat("pod ", target.name, " is being deleted, cannot be assigned to a host"));
    }
    pod.spec.node_name = binding.target.name;
    for (const auto& [key, value] : binding.metadata.annotations) {
      pod.metadata.annotations[key] = value;
    }
    corev1::PodCondition scheduled;
    scheduled.type = "PodScheduled";
    scheduled.status = "True";
    scheduled.last_transition_time = Time(base::Runtime::Current().WallNow());
    pod.status.conditions.push_back(std::move(scheduled));
    return bound;
  };
  target.subresource = "binding";
  KUBE_RETURN_IF_ERROR(core.registry.Update(target, bind).status());
  return Success(call);
}

// Why the pod goes, for whoever looks at it until then.
absl::StatusOr<Object> WithDisruption(const StoredObject& current) {
  Object object = current.object().Copy();
  corev1::PodCondition disrupted;
  disrupted.type = "DisruptionTarget";
  disrupted.status = "True";
  disrupted.last_transition_time = Time(base::Runtime::Current().WallNow());
  disrupted.reason = "EvictionByEvictionAPI";
  disrupted.message = "Eviction API: evicting";
  List<corev1::PodCondition>& conditions = object.As<corev1::Pod>()->status.conditions;
  for (const corev1::PodCondition& each : conditions) {
    if (each.type == disrupted.type && each.status == disrupted.status) return object;
  }
  conditions.push_back(std::move(disrupted));
  return object;
}

Response ServeEviction(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const codec::AnyObject body, BodyOf(call, "policy/v1", "Eviction"));
  const policyv1::Eviction& eviction = *body.As<policyv1::Eviction>();
  Target target = call.target();
  target.subresource.clear();
  if (eviction.metadata.name != call.info.name) {
    return errors::BadRequest("name in URL does not match name in Eviction object");
  }
  metav1::DeleteOptions options;
  if (eviction.delete_options) options = *eviction.delete_options;
  if (options.dry_run.empty()) {
    target.subresource = "status";
    KUBE_RETURN_IF_ERROR(core.registry.Update(target, &WithDisruption).status());
    target.subresource.clear();
  }
  KUBE_ASSIGN_OR_RETURN(
      const Deleted deleted,
      core.registry.Delete(target, options, {.dry_run = !options.dry_run.empty()}));
  return Success(call);
}

Response ServeLog(Core& core, Call& call) {
  Target target = call.target();
  target.subresource.clear();
  KUBE_ASSIGN_OR_RETURN(const ObjectPtr pod, core.registry.Get(target));
  const auto options = queryparams::DecodeParameters<corev1::PodLogOptions>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  std::string container = options->container;
  const List<corev1::Container>& containers = pod->object().As<corev1::Pod>()->spec.containers;
  if (container.empty() && !containers.empty()) container = containers[0].name;
  httpserver::Response response{.status = 200, .headers = {{"content-type", "text/plain"}}};
  base::MutexLock lock(core.mutex);
  auto it = core.logs.find({call.info.namespace_name, call.info.name, container});
  if (it != core.logs.end()) response.body = it->second;
  return response;
}

// ---- service accounts

Response ServeToken(Core& core, Call& call) {
  Target target = call.target();
  target.subresource.clear();
  KUBE_ASSIGN_OR_RETURN(const ObjectPtr account, core.registry.Get(target));
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authentication.k8s.io/v1", "TokenRequest"));
  auto& request = *body.As<authenticationv1::TokenRequest>();
  const metav1::ObjectMeta& metadata = account->metadata();
  const absl::Time now = base::Runtime::Current().WallNow();
  if (!request.spec.expiration_seconds.has_value()) request.spec.expiration_seconds = 3600;
  request.metadata.name = metadata.name;
  request.metadata.namespace_ = metadata.namespace_;
  request.metadata.uid = metadata.uid;
  request.metadata.creation_timestamp = Time(now);
  const absl::Time expires = now + absl::Seconds(*request.spec.expiration_seconds);
  request.status.expiration_timestamp = Time(expires);
  // It looks like a JWT and names the account; nobody signed it, and nobody accepts it.
  const std::string claims =
      absl::StrCat(R"({"exp":)", absl::ToUnixSeconds(expires), R"(,"iat":)",
                   absl::ToUnixSeconds(now), R"(,"sub":"system:serviceaccount:)",
                   metadata.namespace_.view(), ":", metadata.name.view(), "\"}");
  request.status.token = absl::StrCat(absl::WebSafeBase64Escape(R"({"alg":"none"})"), ".",
                                      absl::WebSafeBase64Escape(claims), ".");
  return RespondAny(201, std::move(body), call);
}

// ---- reviews

Response ServeSelfSubjectReview(Core&, Call& call) {
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authentication.k8s.io/v1", "SelfSubjectReview"));
  auto& review = *body.As<authenticationv1::SelfSubjectReview>();
  review.metadata.creation_timestamp = Time(base::Runtime::Current().WallNow());
  review.status.user_info.username = call.user.name;
  review.status.user_info.uid = call.user.uid;
  for (const std::string& group : call.user.groups) {
    review.status.user_info.groups.push_back(group);
  }
  return RespondAny(201, std::move(body), call);
}

// Nobody is denied anything but by rules, which the review does not look at.
template <typename Review>
Response ServeAccessReview(Call& call) {
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authorization.k8s.io/v1", call.resource->kind->kind));
  body.As<Review>()->status.allowed = true;
  return RespondAny(201, std::move(body), call);
}

Response ServeRulesReview(Call& call) {
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

Response ServeTokenReview(Core&, Call& call) {
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authentication.k8s.io/v1", "TokenReview"));
  body.As<authenticationv1::TokenReview>()->status.error = "the token is not known";
  return RespondAny(201, std::move(body), call);
}

std::optional<Response> ServePodSubresource(Core& core, Call& call) {
  const absl::string_view name = call.info.subresource;
  if (name == "binding") return ServeBinding(core, call);
  if (name == "eviction") return ServeEviction(core, call);
  if (name == "log") return ServeLog(core, call);
  if (name == "exec" || name == "attach" || name == "portforward" || name == "proxy") {
    return NoSuchMethod();
  }
  return std::nullopt;
}

}  // namespace

std::optional<Response> ServeSpecial(Core& core, Call& call) {
  const KindInfo& kind = *call.resource->kind;
  if (!call.info.subresource.empty()) {
    if (call.info.subresource == "scale") return ServeScale(core, call);
    if (kind.group.empty() && kind.kind == "Pod") return ServePodSubresource(core, call);
    if (call.info.subresource == "token") return ServeToken(core, call);
    if (call.info.subresource == "proxy") return NoSuchMethod();
    return std::nullopt;
  }
  if (kind.kind == "Binding") return ServeBinding(core, call);
  if (kind.kind == "SelfSubjectReview") return ServeSelfSubjectReview(core, call);
  if (kind.kind == "TokenReview") return ServeTokenReview(core, call);
  if (kind.kind == "SubjectAccessReview") {
    return ServeAccessReview<authorizationv1::SubjectAccessReview>(call);
  }
  if (kind.kind == "LocalSubjectAccessReview") {
    return ServeAccessReview<authorizationv1::LocalSubjectAccessReview>(call);
  }
  if (kind.kind == "SelfSubjectAccessReview") {
    return ServeAccessReview<authorizationv1::SelfSubjectAccessReview>(call);
  }
  if (kind.kind == "SelfSubjectRulesReview") {
    return ServeRulesReview(call);
  }
  return std::nullopt;
}

}  // namespace kube::envtest::internal
