#include "apiserver/validation/validate_webhooks.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/meta_v1.h"
#include "apimachinery/validation/webhook_client.h"
#include "apiserver/errors/field_errors.h"
#include "apiserver/object.h"
#include "apiserver/validation/admission_rules.h"
#include "apiserver/validation/match_condition.h"
#include "apiserver/validation/webhook_url.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;
namespace field = validation::field;
using field::ErrorList;
using field::Path;

// What an update may keep because the stored configuration has it already.
struct Tolerance {
  bool side_effects = false;
  bool unknown_versions = false;
  bool same_names = false;
  bool invalid_labels = false;
  bool match_conditions = false;
};

// ---- where the webhook is

void CheckClient(ErrorList& wrong, const admissionv1::WebhookClientConfig& client,
                 const Path& path) {
  if (client.url.has_value() == client.service.has_value()) {
    wrong.push_back(field::Required(path, "exactly one of url or service is required"));
  } else if (client.url.has_value()) {
    field::Append(wrong, ValidateWebhookUrl(client.url->view(), path.Child("url")));
  } else {
    const admissionv1::ServiceReference& service = *client.service;
    validation::WebhookService checked = {.name = service.name.view(),
                                          .namespace_name = service.namespace_.view(),
                                          .port = *service.port};
    if (service.path.has_value()) checked.path = std::string(*service.path);
    field::Append(wrong, validation::ValidateWebhookService(checked, path.Child("service")));
  }
}

// ---- webhooks

bool IsKnownVersion(const String& version) { return version == "v1" || version == "v1beta1"; }

void CheckReviewVersions(ErrorList& wrong, const List<String>& versions, const Path& path,
                         const Tolerance& tolerance) {
  if (versions.empty()) {
    wrong.push_back(field::Required(path, "must specify one of v1, v1beta1"));
    return;
  }
  std::set<std::string> seen;
  bool known = false;
  for (size_t i = 0; i < versions.size(); ++i) {
    const std::string version(versions[i]);
    if (!seen.insert(version).second) {
      wrong.push_back(field::Invalid(path.Index(i), version, "duplicate version"));
      continue;
    }
    AppendInvalid(wrong, path.Index(i), version, validation::IsDns1035Label(version));
    known = known || IsKnownVersion(versions[i]);
  }
  if (known || tolerance.unknown_versions) return;
  wrong.push_back(
      field::Invalid(path, field::JsonOf(versions), "must include at least one of v1, v1beta1"));
}

bool HasNoSideEffects(const Opt<String>& side_effects) {
  return side_effects == "None" || side_effects == "NoneOnDryRun";
}

void CheckSideEffects(ErrorList& wrong, const Opt<String>& side_effects, const Path& path,
                      const Tolerance& tolerance) {
  constexpr absl::string_view kAll[] = {"None", "NoneOnDryRun", "Some", "Unknown"};
  const auto allowed = absl::MakeConstSpan(kAll).subspan(0, tolerance.side_effects ? 4 : 2);
  if (!side_effects.has_value()) {
    wrong.push_back(
        field::Required(path, absl::StrCat("must specify one of ", absl::StrJoin(allowed, ", "))));
  }
  CheckEnum(wrong, path, side_effects, allowed);
}

template <typename Webhook>
void CheckWebhook(ErrorList& wrong, const Webhook& webhook, const Path& path,
                  const Tolerance& tolerance) {
  constexpr absl::string_view kFailurePolicies[] = {"Fail", "Ignore"};
  constexpr absl::string_view kMatchPolicies[] = {"Equivalent", "Exact"};
  field::Append(wrong, validation::IsFullyQualifiedName(path.Child("name"), webhook.name.view()));
  for (size_t i = 0; i < webhook.rules.size(); ++i) {
    CheckRule(wrong, webhook.rules[i], path.Child("rules").Index(i));
  }
  CheckEnum(wrong, path.Child("failurePolicy"), webhook.failure_policy, kFailurePolicies);
  CheckEnum(wrong, path.Child("matchPolicy"), webhook.match_policy, kMatchPolicies);
  CheckSideEffects(wrong, webhook.side_effects, path.Child("sideEffects"), tolerance);
  if (webhook.timeout_seconds.has_value() &&
      (*webhook.timeout_seconds > 30 || *webhook.timeout_seconds < 1)) {
    wrong.push_back(field::Invalid(path.Child("timeoutSeconds"), int64_t{*webhook.timeout_seconds},
                                   "the timeout value must be between 1 and 30 seconds"));
  }
  const validation::LabelSelectorValidationOptions labels = {.allow_invalid_label_value =
                                                                 tolerance.invalid_labels};
  if (webhook.namespace_selector) {
    field::Append(wrong, validation::ValidateLabelSelector(
                             *webhook.namespace_selector, path.Child("namespaceSelector"), labels));
  }
  if (webhook.object_selector) {
    field::Append(wrong, validation::ValidateLabelSelector(*webhook.object_selector,
                                                           path.Child("objectSelector"), labels));
  }
  if constexpr (requires { webhook.reinvocation_policy; }) {
    constexpr absl::string_view kReinvocationPolicies[] = {"IfNeeded", "Never"};
    CheckEnum(wrong, path.Child("reinvocationPolicy"), webhook.reinvocation_policy,
              kReinvocationPolicies);
  }
  CheckClient(wrong, webhook.client_config, path.Child("clientConfig"));
  if (!tolerance.match_conditions) {
    CheckConditions(wrong, webhook.match_conditions, path.Child("matchConditions"),
                    CompileMatchCondition);
  }
}

template <typename Webhook>
void CheckAll(ErrorList& wrong, const List<Webhook>& webhooks, const Tolerance& tolerance) {
  std::set<std::string> names;
  for (size_t i = 0; i < webhooks.size(); ++i) {
    const Webhook& webhook = webhooks[i];
    const Path path = Path("webhooks").Index(i);
    CheckWebhook(wrong, webhook, path, tolerance);
    CheckReviewVersions(wrong, webhook.admission_review_versions,
                        path.Child("admissionReviewVersions"), tolerance);
    if (tolerance.same_names || webhook.name.empty()) continue;
    if (!names.insert(std::string(webhook.name)).second) {
      wrong.push_back(field::Duplicate(path.Child("name"), std::string(webhook.name)));
    }
  }
}

template <typename Webhook>
bool HasInvalidLabels(const Webhook& webhook) {
  const auto invalid = [](const auto& selector) {
    return selector && !validation::ValidateLabelSelector(*selector, Path()).empty();
  };
  return invalid(webhook.namespace_selector) || invalid(webhook.object_selector);
}

// Returns what an update of `old` to `now` may keep.
template <typename Webhook>
Tolerance ToleranceOf(const List<Webhook>& now, const List<Webhook>& old) {
  Tolerance tolerance;
  std::set<std::string> names;
  tolerance.match_conditions = now.size() == old.size();
  for (size_t i = 0; i < old.size(); ++i) {
    const Webhook& each = old[i];
    if (!names.insert(std::string(each.name)).second) tolerance.same_names = true;
    if (!HasNoSideEffects(each.side_effects)) tolerance.side_effects = true;
    if (HasInvalidLabels(each)) tolerance.invalid_labels = true;
    bool known = each.admission_review_versions.empty();
    for (const String& version : each.admission_review_versions) {
      known = known || IsKnownVersion(version);
    }
    if (!known) tolerance.unknown_versions = true;
    if (tolerance.match_conditions && !(now[i].match_conditions == each.match_conditions)) {
      tolerance.match_conditions = false;
    }
  }
  return tolerance;
}

template <typename Configuration>
void CheckConfiguration(ErrorList& wrong, const Object& object, const Object* old) {
  const auto* const now = object.As<Configuration>();
  if (now == nullptr) return;
  const auto* const before = old == nullptr ? nullptr : old->As<Configuration>();
  CheckAll(wrong, now->webhooks,
           before == nullptr ? Tolerance() : ToleranceOf(now->webhooks, before->webhooks));
}

}  // namespace

void CheckWebhooks(ErrorList& wrong, const Object& object, const Object* old) {
  CheckConfiguration<admissionv1::MutatingWebhookConfiguration>(wrong, object, old);
  CheckConfiguration<admissionv1::ValidatingWebhookConfiguration>(wrong, object, old);
}

}  // namespace kube::apiserver::internal
