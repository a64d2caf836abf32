#include "controller/testing/internal/operator_setup.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/manager_status.h"
#include "envtest/crds.h"
#include "envtest/webhook_host.h"
#include "envtest/webhooks.h"
#include "webhook/manifests.h"
#include "webhook/registration.h"

namespace kube::controller::internal {
namespace {

constexpr absl::Duration kStepTimeout = absl::Minutes(1);

}  // namespace

Context ForAStep() { return WithTimeout(Context(), kStepTimeout); }

ManagerOptions TestedManagerOptions(ManagerOptions options) {
  if (options.name.empty()) options.name = "operator";
  if (options.health.has_value() && options.health->port != 0) options.health.reset();
  options.webhooks.listen = false;
  options.webhooks.self_signed.reset();
  return options;
}

std::string WhatIsMissing(const ManagerStatus& status, bool caches) {
  for (const PhaseStatus& phase : status.phases) {
    if (phase.state == "running") continue;
    return absl::StrCat("phase \"", phase.name, "\" is ", phase.state,
                        phase.waits_for.empty() ? "" : ", it waits for ", phase.waits_for);
  }
  for (const InformerStatus& informer : status.informers) {
    if (!caches || informer.synced) continue;
    return absl::StrCat("informer \"", informer.resource,
                        "\" has not synced: ", informer.why_not_synced);
  }
  return "";
}

absl::StatusOr<envtest::CrdOptions> DefinitionsOf(
    envtest::CrdOptions crds, envtest::WebhookHost* host,
    const std::vector<webhook::Registration>& registrations) {
  if (crds.webhooks == nullptr) crds.webhooks = host;
  if (host == nullptr) return crds;
  KUBE_ASSIGN_OR_RETURN(envtest::CustomResourceDefinitions all,
                        envtest::ReadCrds(crds.paths, crds.manifest));
  all.insert(all.end(), crds.definitions.begin(), crds.definitions.end());
  for (const webhook::Registration& registered : registrations) {
    if (registered.kind != webhook::WebhookKind::kConversion) continue;
    const std::string name = absl::StrCat(registered.gvr.resource, ".", registered.gvr.group);
    const bool is_installed = std::any_of(all.begin(), all.end(), [&name](const auto& definition) {
      return definition.metadata.name == name;
    });
    if (is_installed) crds.converted.push_back(name);
  }
  return crds;
}

absl::StatusOr<envtest::WebhookOptions> ConfigurationsOf(
    const std::vector<webhook::Registration>& registrations) {
  envtest::WebhookOptions derived;
  KUBE_ASSIGN_OR_RETURN(const std::vector<unstructured::Value> configurations,
                        webhook::WebhookConfigurations(registrations));
  for (const unstructured::Value& each : configurations) {
    KUBE_ASSIGN_OR_RETURN(const std::string json, unstructured::EncodeJson(each));
    absl::StrAppend(&derived.manifest, json, "\n");
  }
  return derived;
}

}  // namespace kube::controller::internal
