#include "apiserver/defaults/admission_defaults.h"

#include "api/admissionregistration/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/opt.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;
namespace metav1 = api::meta::v1;

template <typename T, typename U>
void Default(Opt<T>& member, U value) {
  if (!member.has_value()) member = value;
}
void Default(Box<metav1::LabelSelector>& selector) {
  if (!selector) selector.emplace();
}

template <typename Rule>
void SetScopes(List<Rule>& rules) {
  for (Rule& rule : rules) Default(rule.scope, "*");
}

template <typename Webhook>
void SetWebhookDefaults(Webhook& webhook) {
  Default(webhook.failure_policy, "Fail");
  Default(webhook.match_policy, "Equivalent");
  Default(webhook.namespace_selector);
  Default(webhook.object_selector);
  Default(webhook.timeout_seconds, 10);
  if (webhook.client_config.service) Default(webhook.client_config.service->port, 443);
  SetScopes(webhook.rules);
}

void SetMatchDefaults(Box<admissionv1::MatchResources>& match) {
  if (!match) return;
  Default(match->match_policy, "Equivalent");
  Default(match->namespace_selector);
  Default(match->object_selector);
  SetScopes(match->resource_rules);
  SetScopes(match->exclude_resource_rules);
}

template <typename Policy>
void SetPolicyDefaults(Policy& policy) {
  Default(policy.spec.failure_policy, "Fail");
  SetMatchDefaults(policy.spec.match_constraints);
}

}  // namespace

void SetAdmissionDefaults(codec::AnyObject& object) {
  if (auto* hooks = object.As<admissionv1::ValidatingWebhookConfiguration>()) {
    for (admissionv1::ValidatingWebhook& webhook : hooks->webhooks) SetWebhookDefaults(webhook);
  } else if (auto* mutating = object.As<admissionv1::MutatingWebhookConfiguration>()) {
    for (admissionv1::MutatingWebhook& webhook : mutating->webhooks) {
      SetWebhookDefaults(webhook);
      Default(webhook.reinvocation_policy, "Never");
    }
  } else if (auto* policy = object.As<admissionv1::ValidatingAdmissionPolicy>()) {
    SetPolicyDefaults(*policy);
  } else if (auto* mutation = object.As<admissionv1::MutatingAdmissionPolicy>()) {
    SetPolicyDefaults(*mutation);
  } else if (auto* binding = object.As<admissionv1::ValidatingAdmissionPolicyBinding>()) {
    SetMatchDefaults(binding->spec.match_resources);
  } else if (auto* bound = object.As<admissionv1::MutatingAdmissionPolicyBinding>()) {
    SetMatchDefaults(bound->spec.match_resources);
  }
}

}  // namespace kube::apiserver::internal
