// The part of WebhookAdmission that selects one webhook, calls it, and uses its answer.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "api/authentication/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "apiserver/validation/match_condition.h"
#include "apiserver/webhook.h"
#include "apiserver/webhooks/admission_review.h"
#include "apiserver/webhooks/admitted_object.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "apiserver/webhooks/webhook_caller.h"
#include "apiserver/webhooks/webhook_rules.h"
#include "apiserver/webhooks/webhook_set.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admission::v1;
namespace authenticationv1 = api::authentication::v1;
namespace metav1 = api::meta::v1;
using text::Quoted;
using unstructured::Value;

metav1::GroupVersionKind KindOf(const KindInfo& kind) {
  return {.group = kind.group, .version = kind.version, .kind = kind.kind};
}

metav1::GroupVersionResource ResourceOf(const Resource& resource) {
  const KindInfo& kind = *resource.kind;
  return {.group = kind.group, .version = kind.version, .resource = kind.plural};
}

authenticationv1::UserInfo UserInfoOf(const User& user) {
  authenticationv1::UserInfo made;
  made.username = user.name;
  made.uid = user.uid;
  for (const std::string& group : user.groups) made.groups.push_back(group);
  for (const auto& [key, values] : user.extra) {
    List<String>& all = made.extra[key];
    for (const std::string& value : values) all.push_back(value);
  }
  return made;
}

// Returns the JSON of the options in a query, as those of the kind `kind`.
template <typename Options>
std::string QueryOptionsJson(const queryparams::Values& query, absl::string_view kind) {
  absl::StatusOr<Options> options = queryparams::DecodeParameters<Options>(query);
  // A request with other parameters is refused before anybody is asked.
  if (!options.ok()) return "";
  options->kind = kind;
  options->api_version = "meta.k8s.io/v1";
  return codec::EncodeJson(*options).value_or("");
}

bool Selects(const labels::Selector& selector, const AdmittedObject* object) {
  if (object == nullptr) return false;
  const Map<String>* const labels = object->labels();
  return labels != nullptr && selector.Matches(*labels);
}

// Returns the version of reviews to speak, the first of the webhook's that is known here; "" if
// there is none.
std::string ReviewVersion(const Webhook& webhook) {
  for (const std::string& version : webhook.review_versions) {
    if (version == "v1" || version == "v1beta1") return version;
  }
  return "";
}

}  // namespace

// ---- which webhooks are called

std::string WebhookAdmission::NamespaceOf(const Question& question) const {
  if (!info_.namespace_name.empty() || question.now == nullptr) return info_.namespace_name;
  // A namespace that is created counts as being in itself.
  const KindInfo& kind = *resource_->kind;
  const bool is_namespace = kind.group.empty() && kind.plural == "namespaces";
  return is_namespace ? std::string(question.now->name()) : "";
}

absl::StatusOr<bool> WebhookAdmission::InNamespace(const Webhook& webhook,
                                                   const Question& question) const {
  const bool is_namespace = resource_->kind->plural == "namespaces";
  const std::string name = NamespaceOf(question);
  // Objects without a namespace are never left out.
  if (name.empty() && !is_namespace) return true;
  KUBE_RETURN_IF_ERROR(webhook.namespace_selector.status());
  const labels::Selector& selector = *webhook.namespace_selector;
  if (selector.empty()) return true;
  if (is_namespace && info_.subresource.empty() && question.now != nullptr) {
    return Selects(selector, question.now);
  }
  const ObjectPtr found = parts_.storage->Get("/namespaces", name);
  if (found == nullptr) return errors::NotFound({.group = "", .resource = "namespaces"}, name);
  return selector.Matches(found->metadata().labels);
}

absl::StatusOr<std::optional<WebhookAdmission::Invocation>> WebhookAdmission::Prepare(
    const Webhook& webhook, const Question& question) const {
  // Errors matter only for webhooks that are selected otherwise.
  const absl::StatusOr<bool> in_namespace = InNamespace(webhook, question);
  if (in_namespace.ok() && !*in_namespace) return std::optional<Invocation>();
  if (webhook.object_selector.ok() && !webhook.object_selector->empty() &&
      !Selects(*webhook.object_selector, question.now) &&
      !Selects(*webhook.object_selector, question.old)) {
    return std::optional<Invocation>();
  }
  const std::string namespace_name = NamespaceOf(question);
  const Resource* const as = SelectedAs(webhook.rules, webhook.equivalent, *resources_, *resource_,
                                        {.operation = question.operation,
                                         .subresource = info_.subresource,
                                         .namespace_name = namespace_name});
  if (as == nullptr) return std::optional<Invocation>();
  KUBE_RETURN_IF_ERROR(in_namespace.status());
  KUBE_RETURN_IF_ERROR(webhook.object_selector.status());
  KUBE_ASSIGN_OR_RETURN(Invocation invocation, MakeInvocation(webhook, question, *as));
  KUBE_ASSIGN_OR_RETURN(const bool hold, ConditionsHold(invocation));
  if (!hold) return std::optional<Invocation>();
  return std::optional<Invocation>(std::move(invocation));
}

absl::StatusOr<bool> WebhookAdmission::ConditionsHold(const Invocation& invocation) const {
  const Webhook& webhook = *invocation.webhook;
  if (webhook.conditions.empty()) return true;
  KUBE_ASSIGN_OR_RETURN(Value request, unstructured::ToValue(invocation.request));
  for (absl::string_view member : {"uid", "object", "oldObject"}) {
    request.object()->erase(member);
  }
  const absl::StatusOr<bool> hold = EvaluateMatchConditions(
      parts_.ctx, webhook.conditions,
      {.object = invocation.now_value, .old_object = invocation.old_value, .request = request});
  if (hold.ok()) return *hold;
  if (webhook.ignores_failures) return false;
  return errors::Forbidden(resource_->group_resource(), invocation.request.name.view(),
                           hold.status().message());
}

// ---- what they are told

bool WebhookAdmission::IsDryRun(absl::string_view operation) const {
  if (operation == "CONNECT") return false;
  if (operation == "DELETE" && delete_options_.has_value()) {
    return !delete_options_->dry_run.empty();
  }
  const auto found = info_.query.find("dryRun");
  return found != info_.query.end() && !found->second.empty();
}

std::string WebhookAdmission::OptionsJson(absl::string_view operation) const {
  if (operation == "CREATE") {
    return QueryOptionsJson<metav1::CreateOptions>(info_.query, "CreateOptions");
  }
  if (operation == "UPDATE") {
    return QueryOptionsJson<metav1::UpdateOptions>(info_.query, "UpdateOptions");
  }
  if (operation != "DELETE") return "";
  metav1::DeleteOptions options = delete_options_.value_or(metav1::DeleteOptions());
  options.kind = "DeleteOptions";
  options.api_version = "meta.k8s.io/v1";
  return codec::EncodeJson(options).value_or("");
}

admissionv1::AdmissionRequest WebhookAdmission::RequestFor(const Question& question,
                                                           const Resource& as) const {
  const AdmittedObject& object = question.now != nullptr ? *question.now : *question.old;
  const bool own = object.is_resource();
  admissionv1::AdmissionRequest request;
  request.kind = KindOf(own ? *as.kind : object.kind());
  request.resource = ResourceOf(as);
  request.sub_resource = info_.subresource;
  request.request_kind = KindOf(own ? *resource_->kind : object.kind());
  request.request_resource = ResourceOf(*resource_);
  request.request_sub_resource = info_.subresource;
  request.name = info_.name;
  if (info_.name.empty() && question.operation == "CREATE") request.name = object.name();
  request.namespace_ = NamespaceOf(question);
  request.operation = question.operation;
  request.user_info = UserInfoOf(user_);
  request.dry_run = IsDryRun(question.operation);
  const std::string options = OptionsJson(question.operation);
  if (!options.empty()) request.options = options;
  return request;
}

absl::StatusOr<WebhookAdmission::Invocation> WebhookAdmission::MakeInvocation(
    const Webhook& webhook, const Question& question, const Resource& as) const {
  Invocation made = {.webhook = &webhook, .resource = &as};
  if (question.now != nullptr) {
    made.now.emplace(question.now->In(as));
    KUBE_ASSIGN_OR_RETURN(made.now_value, made.now->ToValue());
  }
  if (question.old != nullptr) {
    KUBE_ASSIGN_OR_RETURN(made.old_value, question.old->In(as).ToValue());
  }
  made.request = RequestFor(question, as);
  return made;
}

// ---- the calls

bool WebhookAdmission::MayAsk(const Invocation& invocation, Outcome& outcome) {
  const Webhook& webhook = *invocation.webhook;
  if (!invocation.request.dry_run.value_or(false)) return true;
  if (!webhook.side_effects.has_value()) {
    outcome.failure = "Webhook SideEffects is nil";
    return false;
  }
  if (*webhook.side_effects == "None" || *webhook.side_effects == "NoneOnDryRun") return true;
  outcome.error = errors::BadRequest(
      absl::StrCat("admission webhook ", Quoted(webhook.name), " does not support dry run"));
  return false;
}

std::optional<admissionv1::AdmissionResponse> WebhookAdmission::Ask(Invocation& invocation,
                                                                    bool mutating,
                                                                    Outcome& outcome) {
  if (!MayAsk(invocation, outcome)) return std::nullopt;
  const Webhook& webhook = *invocation.webhook;
  admissionv1::AdmissionRequest& request = invocation.request;
  const std::string version = ReviewVersion(webhook);
  if (version.empty()) {
    outcome.failure =
        "could not create admission objects: webhook does not accept known AdmissionReview "
        "versions (v1, v1beta1)";
    return std::nullopt;
  }
  request.uid = base::RandomUuid();
  absl::StatusOr<std::string> body = EncodeQuestion(version, invocation);
  if (!body.ok()) {
    outcome.error = errors::InternalError(body.status().message());
    return std::nullopt;
  }
  const Context ctx =
      webhook.timeout.has_value() ? WithTimeout(parts_.ctx, *webhook.timeout) : parts_.ctx;
  const absl::StatusOr<std::string> answer =
      parts_.caller->Call(ctx, webhook.target, *std::move(body));
  if (!answer.ok()) {
    outcome.failure = absl::StrCat("failed to call webhook: ", answer.status().message());
    AddCall(webhook, WebhookOutcome::kFailed);
    return std::nullopt;
  }
  absl::StatusOr<admissionv1::AdmissionResponse> response = ReadReview(
      {.version = version, .uid = std::string(request.uid), .mutating = mutating}, *answer);
  if (!response.ok()) {
    outcome.failure = std::string(response.status().message());
    AddCall(webhook, WebhookOutcome::kFailed);
    return std::nullopt;
  }
  for (const String& warning : response->warnings) AddWarning(warning.view());
  if (response->allowed) return *std::move(response);
  outcome.error = Refusal(webhook.name, response->status);
  AddCall(webhook, WebhookOutcome::kRefused);
  return std::nullopt;
}

absl::StatusOr<std::string> WebhookAdmission::EncodeQuestion(absl::string_view version,
                                                             Invocation& invocation) {
  admissionv1::AdmissionRequest& request = invocation.request;
  if (!invocation.now_value.is_null()) {
    KUBE_ASSIGN_OR_RETURN(request.object, unstructured::EncodeJson(invocation.now_value));
  }
  if (!invocation.old_value.is_null()) {
    KUBE_ASSIGN_OR_RETURN(request.old_object, unstructured::EncodeJson(invocation.old_value));
  }
  return EncodeReview(version, request);
}

void WebhookAdmission::ApplyPatch(Invocation& invocation,
                                  const admissionv1::AdmissionResponse& response,
                                  const Question& question, Outcome& outcome) {
  const absl::StatusOr<patch::JsonPatch> operations = patch::ParseJsonPatch(response.patch.view());
  if (!operations.ok()) {
    outcome.failure = absl::StrCat("received undecodable patch in webhook response: ",
                                   operations.status().message());
    return;
  }
  if (operations->empty()) return;
  if (question.now == nullptr) {
    outcome.error = errors::InternalError(
        absl::StrCat("admission webhook ", Quoted(invocation.webhook->name),
                     " attempted to modify the object, which is not supported for this operation"));
    return;
  }
  if (response.patch_type != "JSONPatch") {
    outcome.failure = absl::StrCat("unsupported patch type ", Quoted(response.patch_type->view()));
    return;
  }
  const auto changed = [&]() -> absl::StatusOr<bool> {
    KUBE_ASSIGN_OR_RETURN(Value patched, patch::ApplyJsonPatch(invocation.now_value, *operations));
    KUBE_ASSIGN_OR_RETURN(AdmittedObject object,
                          invocation.now->FromValue(std::move(patched), *invocation.resource));
    KUBE_ASSIGN_OR_RETURN(const Value value, object.ToValue());
    if (value == invocation.now_value) return false;
    *question.now = object.In(*resource_);
    return true;
  }();
  if (changed.ok()) {
    outcome.changed = *changed;
  } else {
    outcome.error = errors::InternalError(changed.status().message());
  }
}

WebhookAdmission::Outcome WebhookAdmission::CallMutating(Invocation& invocation,
                                                         const Question& question) {
  Outcome outcome;
  const std::optional<admissionv1::AdmissionResponse> response =
      Ask(invocation, /*mutating=*/true, outcome);
  if (!response.has_value()) return outcome;
  if (!response->patch.empty()) ApplyPatch(invocation, *response, question, outcome);
  const bool failed = !outcome.failure.empty() || !outcome.error.ok();
  AddCall(*invocation.webhook, failed            ? WebhookOutcome::kFailed
                               : outcome.changed ? WebhookOutcome::kChanged
                                                 : WebhookOutcome::kAllowed);
  return outcome;
}

WebhookAdmission::Outcome WebhookAdmission::CallValidating(Invocation& invocation) {
  Outcome outcome;
  if (Ask(invocation, /*mutating=*/false, outcome).has_value()) {
    AddCall(*invocation.webhook, WebhookOutcome::kAllowed);
  }
  return outcome;
}

}  // namespace kube::apiserver::internal
