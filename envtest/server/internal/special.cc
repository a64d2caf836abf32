// Subresources that are more than a part of the object, and kinds that are not stored.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "envtest/server/internal/core.h"
#include "envtest/server/internal/input.h"
#include "envtest/server/internal/output.h"
#include "envtest/server/internal/plain_error.h"
#include "envtest/server/internal/scale.h"
#include "envtest/server/internal/selectors.h"
#include "envtest/server/object.h"
#include "envtest/server/request_info.h"
#include "envtest/server/user.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {
namespace {

namespace authenticationv1 = api::authentication::v1;
namespace authorizationv1 = api::authorization::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;
namespace field = validation::field;

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

Response RespondAny(int code, codec::AnyObject object, const Call& call) {
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
  const absl::string_view kind = binding.target.kind.view();
  if (!kind.empty() && kind != "Node") {
    return PlainError(absl::StrCat("target.kind: Unsupported value: \"", kind,
                                   "\": supported values: \"Node\", \"<empty>\""));
  }
  if (binding.target.name.empty()) return PlainError("target.name: Required value");
  Target target = call.target();
  // As a resource of its own, the name stands in the body.
  if (target.name.empty()) target.name = binding.metadata.name;
  target.resource = call.resources->Find("", "v1", "pods");
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
  KUBE_ASSIGN_OR_RETURN(const bool dry_run, IsDryRun(call));
  KUBE_RETURN_IF_ERROR(core.registry.Update(target, bind, {.dry_run = dry_run}).status());
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
  KUBE_ASSIGN_OR_RETURN(const bool dry_query, IsDryRun(call));
  const bool dry_run = dry_query || !options.dry_run.empty();
  if (!dry_run) {
    target.subresource = "status";
    KUBE_RETURN_IF_ERROR(core.registry.Update(target, &WithDisruption).status());
    target.subresource.clear();
  }
  KUBE_ASSIGN_OR_RETURN(const Deleted deleted,
                        core.registry.Delete(target, options, {.dry_run = dry_run}));
  return Success(call);
}

// Names the only container of a pod if nobody named one.
absl::Status ChooseContainer(const corev1::Pod& pod, std::string& name) {
  std::vector<std::string> all;
  for (const corev1::Container& each : pod.spec.containers) all.emplace_back(each.name);
  const size_t containers = all.size();
  for (const corev1::Container& each : pod.spec.init_containers) all.emplace_back(each.name);
  for (const auto& each : pod.spec.ephemeral_containers) all.emplace_back(each.name);
  const absl::string_view pod_name = pod.metadata.name.view();
  if (name.empty() && containers == 1) name = all[0];
  if (name.empty()) {
    return errors::BadRequest(absl::StrCat("a container name must be specified for pod ", pod_name,
                                           ", choose one of: [", absl::StrJoin(all, " "), "]"));
  }
  if (std::find(all.begin(), all.end(), name) != all.end()) return absl::OkStatus();
  return errors::BadRequest(absl::StrCat("container ", name, " is not valid for pod ", pod_name));
}

Response ServeLog(Core& core, Call& call) {
  Target target = call.target();
  target.subresource.clear();
  KUBE_ASSIGN_OR_RETURN(const ObjectPtr pod, core.registry.Get(target));
  const auto options = queryparams::DecodeParameters<corev1::PodLogOptions>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  std::string container = options->container;
  KUBE_RETURN_IF_ERROR(ChooseContainer(*pod->object().As<corev1::Pod>(), container));
  httpserver::Response response{.status = 200, .headers = {{"content-type", "text/plain"}}};
  base::MutexLock lock(core.mutex);
  auto it = core.logs.find({call.info.namespace_name, call.info.name, container});
  if (it != core.logs.end()) {
    response.body = it->second;
  } else if (pod->object().As<corev1::Pod>()->spec.node_name.empty()) {
    // There is no node yet to ask.
    return httpserver::Response{.status = 204, .headers = {}, .body = {}};
  }
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

Response ServeSelfSubjectReview(Core&, Call& call) {
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authentication.k8s.io/v1", "SelfSubjectReview"));
  auto& review = *body.As<authenticationv1::SelfSubjectReview>();
  review.metadata.creation_timestamp = Time(base::Runtime::Current().WallNow());
  review.status.user_info = UserInfoOf(call.user);
  return RespondAny(201, std::move(body), call);
}

// Exactly one of the two must be there. As upstream, the kind is not said.
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

// The request that a review asks about.
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

// Whoever is asked about: another user, or who asks.
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
Response ServeAccessReview(const Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject body,
                        BodyOf(call, "authorization.k8s.io/v1", call.resource->kind->kind));
  auto& review = *body.As<Review>();
  KUBE_RETURN_IF_ERROR(CheckAttributes(review.spec));
  review.status.allowed = core.allows(UserOf(review.spec, call.user), RequestOf(review.spec));
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

Response ServeTokenReview(Core& core, Call& call) {
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

// ---- component statuses

// Whether a component of the cluster answers, as kube-apiserver asks: of the others there is none,
// so that their ports refuse.
corev1::ComponentStatus StatusOf(absl::string_view name, int port) {
  corev1::ComponentStatus status;
  status.metadata.name = name;
  corev1::ComponentCondition condition;
  condition.type = "Healthy";
  condition.status = port == 0 ? "True" : "False";
  condition.message = port == 0 ? "ok"
                                : absl::StrCat("Get \"https://127.0.0.1:", port,
                                               "/healthz\": dial tcp 127.0.0.1:", port,
                                               ": connect: connection refused");
  status.conditions = {condition};
  return status;
}

Response ServeComponentStatus(Call& call) {
  const corev1::ComponentStatus statuses[] = {StatusOf("controller-manager", 10257),
                                              StatusOf("etcd-0", 0), StatusOf("scheduler", 10259)};
  KUBE_ASSIGN_OR_RETURN(const metav1::ListOptions options, ListOptionsOf(call, /*watch=*/false));
  KUBE_ASSIGN_OR_RETURN(
      const Matcher matcher,
      Matcher::Make(*call.resource, options.label_selector.view(), options.field_selector.view()));
  Page page;
  for (const corev1::ComponentStatus& each : statuses) {
    codec::AnyObject any(*call.resource->kind);
    *any.As<corev1::ComponentStatus>() = each;
    auto object = std::make_shared<const StoredObject>(Object(std::move(any)));
    if (call.info.verb == "get" && each.metadata.name == call.info.name) {
      return RespondObject(200, *object, call);
    }
    if (matcher.Matches(*object)) page.items.push_back(std::move(object));
  }
  if (call.info.verb == "list") return RespondPage(page, call);
  return errors::NotFound({.group = "", .resource = "componentstatus"}, call.info.name);
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
  if (kind.kind == "ComponentStatus") return ServeComponentStatus(call);
  if (kind.kind == "Binding") return ServeBinding(core, call);
  if (kind.kind == "SelfSubjectReview") return ServeSelfSubjectReview(core, call);
  if (kind.kind == "TokenReview") return ServeTokenReview(core, call);
  if (kind.kind == "SubjectAccessReview") {
    return ServeAccessReview<authorizationv1::SubjectAccessReview>(core, call);
  }
  if (kind.kind == "LocalSubjectAccessReview") {
    return ServeAccessReview<authorizationv1::LocalSubjectAccessReview>(core, call);
  }
  if (kind.kind == "SelfSubjectAccessReview") {
    return ServeAccessReview<authorizationv1::SelfSubjectAccessReview>(core, call);
  }
  if (kind.kind == "SelfSubjectRulesReview") {
    return ServeRulesReview(call);
  }
  return std::nullopt;
}

}  // namespace kube::envtest::internal
