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
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/resources.h"
#include "apiserver/validation/match_condition.h"
#include "apiserver/webhook.h"
#include "apiserver/webhooks/admission_question.h"
#include "apiserver/webhooks/admission_review.h"
#include "apiserver/webhooks/admitted_object.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "apiserver/webhooks/webhook_caller.h"
#include "apiserver/webhooks/webhook_rules.h"
#include "apiserver/webhooks/webhook_set.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admission::v1;
using text::Quoted;
using unstructured::Value;

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

absl::StatusOr<std::optional<WebhookAdmission::Invocation>> WebhookAdmission::Prepare(
    const Webhook& webhook, const Question& question) const {
  // Errors matter only for webhooks that are selected otherwise.
  const absl::StatusOr<bool> in_namespace =
      question.InNamespace(webhook.namespace_selector, *parts_.storage);
  if (in_namespace.ok() && !*in_namespace) return std::optional<Invocation>();
  if (webhook.object_selector.ok() && !question.HasLabels(*webhook.object_selector)) {
    return std::optional<Invocation>();
  }
  const std::string namespace_name = question.NamespaceOf();
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

absl::StatusOr<WebhookAdmission::Invocation> WebhookAdmission::MakeInvocation(
    const Webhook& webhook, const Question& question, const Resource& as) const {
  Invocation made = {.webhook = &webhook, .resource = &as};
  if (question.now != nullptr) {
    KUBE_ASSIGN_OR_RETURN(AdmittedObject now, question.now->In(as));
    made.now.emplace(std::move(now));
    KUBE_ASSIGN_OR_RETURN(made.now_value, made.now->ToValue());
  }
  if (question.old != nullptr) {
    KUBE_ASSIGN_OR_RETURN(const AdmittedObject old, question.old->In(as));
    KUBE_ASSIGN_OR_RETURN(made.old_value, old.ToValue());
  }
  made.request = question.RequestFor(as);
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
    KUBE_ASSIGN_OR_RETURN(*question.now, object.In(*resource_));
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
