#include "apiserver/call/request_admission.h"

#include <memory>
#include <utility>

#include "apimachinery/base/context.h"
#include "apiserver/call/core.h"
#include "apiserver/policies/mutating_admission.h"
#include "apiserver/policies/policy_admission.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "apiserver/webhooks/webhook_set.h"

namespace kube::apiserver::internal {

AdmissionPlugins PluginsFor(Core& core, const RequestInfo& info, const Resources& resources) {
  return {.webhooks = core.webhooks.For(info, resources),
          .policies = core.admission_policies.For(info, resources),
          .mutating_policies = core.mutating_policies.For(info, resources)};
}

std::unique_ptr<WebhookAdmission> MakeAdmission(const Context& ctx, Core& core,
                                                AdmissionPlugins plugins) {
  WebhookAdmission::Parts parts = {.ctx = ctx,
                                   .webhooks = std::move(plugins.webhooks),
                                   .caller = core.webhook_caller.get(),
                                   .storage = &core.storage};
  if (parts.webhooks == nullptr) parts.webhooks = std::make_shared<const WebhookSet>();
  if (plugins.mutating_policies != nullptr) {
    parts.mutating_policies = std::make_shared<MutatingAdmission>(
        MutatingAdmission::Parts{.ctx = ctx,
                                 .policies = std::move(plugins.mutating_policies),
                                 .authorize = core.authorize,
                                 .storage = &core.storage});
  }
  if (plugins.policies != nullptr) {
    parts.policies = std::make_shared<PolicyAdmission>(
        PolicyAdmission::Parts{.ctx = ctx,
                               .policies = std::move(plugins.policies),
                               .authorize = core.authorize,
                               .storage = &core.storage});
  }
  return std::make_unique<WebhookAdmission>(std::move(parts));
}

}  // namespace kube::apiserver::internal
