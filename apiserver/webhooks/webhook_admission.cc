// Two rounds of mutating webhooks. In the first one all that are selected are called. Each change
// makes it necessary to call again those that were called before it and want that, once: they are
// the second round. What the registry itself fills in between the rounds counts as a change, too.

#include "apiserver/webhooks/webhook_admission.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/user.h"
#include "apiserver/webhook.h"
#include "apiserver/webhooks/admission_question.h"
#include "apiserver/webhooks/admitted_object.h"
#include "apiserver/webhooks/webhook_rules.h"
#include "apiserver/webhooks/webhook_set.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
using unstructured::Value;

// How many bytes of warnings a response has, and of one that would exceed it.
constexpr size_t kMaxWarningBytes = 4096;
constexpr size_t kMaxWarningItemBytes = 256;

// Errors without a Status would look like those of the storage.
absl::Status WithStatus(const absl::Status& error) {
  if (error.ok() || errors::StatusOf(error).has_value()) return error;
  return errors::InternalError(error.message());
}

std::optional<AdmittedObject> CopyOf(const Object* object) {
  if (object == nullptr) return std::nullopt;
  return AdmittedObject(object->Copy());
}

std::optional<AdmittedObject> CopyOf(const codec::AnyObject* object) {
  if (object == nullptr) return std::nullopt;
  return AdmittedObject(object->Copy());
}

template <typename T>
T* PointerTo(std::optional<T>& value) {
  return value.has_value() ? &*value : nullptr;
}

// Cuts a text, but not within a character.
absl::string_view Cut(absl::string_view text, size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  return text.substr(0, size);
}

}  // namespace

void WebhookAdmission::Begin(const RequestInfo& info, const User& user,
                             std::shared_ptr<const Resources> resources, const Resource& resource) {
  info_ = info;
  user_ = user;
  resources_ = std::move(resources);
  resource_ = &resource;
}

void WebhookAdmission::SetDeleteOptions(const metav1::DeleteOptions& options) {
  delete_options_ = options;
}

// ---- one question

WebhookAdmission::Question WebhookAdmission::About(absl::string_view operation,
                                                   const AdmittedObject* old,
                                                   AdmittedObject* now) const {
  return {.info = &info_,
          .user = &user_,
          .resources = resources_.get(),
          .resource = resource_,
          .delete_options = delete_options_.has_value() ? &*delete_options_ : nullptr,
          .operation = operation,
          .old = old,
          .now = now};
}

absl::Status WebhookAdmission::ErrorOf(const Webhook& webhook, const Outcome& outcome) const {
  if (!outcome.error.ok()) return outcome.error;
  if (outcome.failure.empty()) return absl::OkStatus();
  const std::string failure =
      absl::StrCat("failed calling webhook ", text::Quoted(webhook.name), ": ", outcome.failure);
  if (!webhook.ignores_failures) return errors::InternalError(failure);
  log::Warning("a webhook could not be called, and its failurePolicy is Ignore",
               {{"configuration", webhook.configuration}, {"error", failure}});
  if (!parts_.ctx.done()) return absl::OkStatus();
  return errors::Timeout("request did not complete within requested timeout", absl::ZeroDuration());
}

void WebhookAdmission::RequireReinvocation() {
  required_.insert(reinvocable_.begin(), reinvocable_.end());
  reinvocable_.clear();
}

absl::StatusOr<bool> WebhookAdmission::RunMutating(const Question& question, bool again) {
  if (IsExempt(*resource_)) return false;
  bool by_policies = false;
  if (parts_.mutating_policies != nullptr && question.now != nullptr) {
    KUBE_ASSIGN_OR_RETURN(by_policies, parts_.mutating_policies->Mutate(question, again));
  }
  KUBE_ASSIGN_OR_RETURN(const bool by_webhooks, RunMutatingWebhooks(question, again));
  return by_policies || by_webhooks;
}

absl::StatusOr<bool> WebhookAdmission::RunMutatingWebhooks(const Question& question, bool again) {
  if (!again) {
    reinvocable_.clear();
    required_.clear();
  } else if (question.now != nullptr) {
    KUBE_ASSIGN_OR_RETURN(const Value value, question.now->ToValue());
    if (!(value == last_output_)) RequireReinvocation();
  }
  bool changed = false;
  for (const std::shared_ptr<const Webhook>& webhook : parts_.webhooks->mutating) {
    KUBE_ASSIGN_OR_RETURN(std::optional<Invocation> invocation, Prepare(*webhook, question));
    // A webhook that was not selected in the first round is not called in the second one.
    if (!invocation.has_value() || (again && required_.count(webhook->uid) == 0)) continue;
    const Outcome outcome = CallMutating(*invocation, question);
    if (outcome.changed) {
      changed = true;
      RequireReinvocation();
    }
    if (webhook->reinvoked) reinvocable_.insert(webhook->uid);
    KUBE_RETURN_IF_ERROR(ErrorOf(*webhook, outcome));
  }
  if (question.now != nullptr) {
    KUBE_ASSIGN_OR_RETURN(last_output_, question.now->ToValue());
  }
  return changed;
}

absl::Status WebhookAdmission::RunBothRounds(const Question& question) {
  KUBE_ASSIGN_OR_RETURN(const bool again, RunMutating(question, /*again=*/false));
  if (!again) return absl::OkStatus();
  return RunMutating(question, /*again=*/true).status();
}

absl::Status WebhookAdmission::RunValidating(const Question& question) {
  if (IsExempt(*resource_)) return absl::OkStatus();
  if (parts_.policies != nullptr) {
    const ValidationStep::Result result = parts_.policies->Validate(question);
    for (const std::string& warning : result.warnings) AddWarning(warning);
    KUBE_RETURN_IF_ERROR(result.error);
  }
  std::vector<Invocation> invocations;
  for (const std::shared_ptr<const Webhook>& webhook : parts_.webhooks->validating) {
    KUBE_ASSIGN_OR_RETURN(std::optional<Invocation> invocation, Prepare(*webhook, question));
    if (invocation.has_value()) invocations.push_back(*std::move(invocation));
  }
  if (invocations.empty()) return absl::OkStatus();
  if (parts_.ctx.done()) {
    return errors::Timeout("request did not complete within requested timeout",
                           absl::ZeroDuration());
  }
  absl::Status first;
  for (Invocation& invocation : invocations) {
    const absl::Status error = ErrorOf(*invocation.webhook, CallValidating(invocation));
    if (first.ok()) first = error;
  }
  return first;
}

// ---- objects of the resource

absl::StatusOr<bool> WebhookAdmission::MutateObject(const Object* old, Object& object, bool again) {
  std::optional<AdmittedObject> before = CopyOf(old);
  AdmittedObject now(object.Copy());
  const Question question = About(old == nullptr ? "CREATE" : "UPDATE", PointerTo(before), &now);
  KUBE_ASSIGN_OR_RETURN(const bool changed, RunMutating(question, again));
  if (!changed) return false;
  Object made = std::move(now).TakeObject();
  // A webhook that breaks them would make the next apply fail (kube-apiserver:
  // `managedFieldsValidatingAdmissionController`).
  List<metav1::ManagedFieldsEntry>& entries = made.metadata().managed_fields;
  if (!(entries == object.metadata().managed_fields)) {
    const absl::Status valid = managedfields::DecodeManagedFields(entries).status();
    if (!valid.ok()) {
      entries = object.metadata().managed_fields;
      AddWarning(absl::StrCat(
          ".metadata.managedFields was in an invalid state after admission; this could be caused "
          "by an outdated mutating admission controller; please fix your requests: ",
          valid.message()));
    }
  }
  object = std::move(made);
  return true;
}

absl::StatusOr<bool> WebhookAdmission::Mutate(const Object* old, Object& object) {
  absl::StatusOr<bool> changed = MutateObject(old, object, /*again=*/false);
  if (!changed.ok()) return WithStatus(changed.status());
  return changed;
}

absl::Status WebhookAdmission::MutateAgain(const Object* old, Object& object) {
  return WithStatus(MutateObject(old, object, /*again=*/true).status());
}

absl::Status WebhookAdmission::Validate(const Object* old, const Object& object) {
  std::optional<AdmittedObject> before = CopyOf(old);
  std::optional<AdmittedObject> now = CopyOf(&object);
  return WithStatus(RunValidating(
      About(old == nullptr ? "CREATE" : "UPDATE", PointerTo(before), PointerTo(now))));
}

absl::Status WebhookAdmission::Delete(const Object& old) {
  std::optional<AdmittedObject> before = CopyOf(&old);
  const Question question = About("DELETE", PointerTo(before), nullptr);
  KUBE_RETURN_IF_ERROR(WithStatus(RunBothRounds(question)));
  return WithStatus(RunValidating(question));
}

// ---- other objects

absl::Status WebhookAdmission::MutateOther(const codec::AnyObject* old, codec::AnyObject& object) {
  std::optional<AdmittedObject> before = CopyOf(old);
  AdmittedObject now(object.Copy());
  KUBE_RETURN_IF_ERROR(WithStatus(
      RunBothRounds(About(old == nullptr ? "CREATE" : "UPDATE", PointerTo(before), &now))));
  object = std::move(now).TakeOther();
  return absl::OkStatus();
}

absl::Status WebhookAdmission::ValidateOther(const codec::AnyObject* old,
                                             const codec::AnyObject& object) {
  std::optional<AdmittedObject> before = CopyOf(old);
  std::optional<AdmittedObject> now = CopyOf(&object);
  return WithStatus(RunValidating(
      About(old == nullptr ? "CREATE" : "UPDATE", PointerTo(before), PointerTo(now))));
}

absl::Status WebhookAdmission::Connect(codec::AnyObject& options) {
  AdmittedObject now(options.Copy());
  const Question question = About("CONNECT", nullptr, &now);
  KUBE_RETURN_IF_ERROR(WithStatus(RunBothRounds(question)));
  KUBE_RETURN_IF_ERROR(WithStatus(RunValidating(question)));
  options = std::move(now).TakeOther();
  return absl::OkStatus();
}

// ---- what is told of it

void WebhookAdmission::AddWarning(absl::string_view text) {
  size_t bytes = 0;
  for (const std::string& each : warnings_) {
    if (each == text) return;
    bytes += each.size();
  }
  if (bytes + text.size() > kMaxWarningBytes) text = Cut(text, kMaxWarningItemBytes);
  if (text.empty() || bytes + text.size() > kMaxWarningBytes) return;
  warnings_.push_back(std::string(text));
}

void WebhookAdmission::AddCall(const Webhook& webhook, WebhookOutcome outcome) {
  calls_.push_back(
      {.configuration = webhook.configuration, .webhook = webhook.name, .outcome = outcome});
}

}  // namespace kube::apiserver::internal
