#ifndef APISERVER_CALL_REQUEST_ADMISSION_H_
#define APISERVER_CALL_REQUEST_ADMISSION_H_

#include <memory>

#include "apimachinery/base/context.h"
#include "apiserver/call/core.h"
#include "apiserver/policies/policy_set.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "apiserver/webhooks/webhook_set.h"

namespace kube::apiserver::internal {

// The webhooks and policies that a request may be for, as they were at one moment. Copyable.
struct AdmissionPlugins {
  // Null if the request is for none of them.
  std::shared_ptr<const WebhookSet> webhooks = {};
  std::shared_ptr<const PolicySet> policies = {};
  std::shared_ptr<const PolicySet> mutating_policies = {};

  bool empty() const {
    return webhooks == nullptr && policies == nullptr && mutating_policies == nullptr;
  }
};

// Costs next to nothing while nothing is configured. Thread-safe.
AdmissionPlugins PluginsFor(Core& core, const RequestInfo& info, const Resources& resources);

// Returns what asks them about the request. `ctx` ends the calls; the core must outlive the result.
std::unique_ptr<WebhookAdmission> MakeAdmission(const Context& ctx, Core& core,
                                                AdmissionPlugins plugins);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_REQUEST_ADMISSION_H_
