#include "controller/manager/internal/ca_targets.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "webhook/ca_bundle.h"
#include "webhook/registration.h"
#include "webhook/self_signed.h"

namespace kube::controller::internal {
namespace {

bool Has(const std::vector<webhook::Registration>& registered, webhook::WebhookKind kind) {
  return std::any_of(registered.begin(), registered.end(),
                     [kind](const webhook::Registration& one) { return one.kind == kind; });
}

}  // namespace

bool HasCaTargets(const webhook::SelfSignedOptions& options) {
  return !(options.mutating_configurations.empty() && options.validating_configurations.empty() &&
           options.definitions.empty());
}

webhook::CaBundleTargets CaBundleTargetsOf(absl::string_view program,
                                           const webhook::SelfSignedOptions& options,
                                           const std::vector<webhook::Registration>& registered) {
  if (!HasCaTargets(options)) return {};
  webhook::CaBundleTargets targets = {
      .mutating_configurations = options.mutating_configurations,
      .validating_configurations = options.validating_configurations,
      .definitions = options.definitions};
  if (!Has(registered, webhook::WebhookKind::kMutating)) {
    std::erase(targets.mutating_configurations,
               absl::StrCat(program, "-mutating-webhook-configuration"));
  }
  if (!Has(registered, webhook::WebhookKind::kValidating)) {
    std::erase(targets.validating_configurations,
               absl::StrCat(program, "-validating-webhook-configuration"));
  }
  for (const webhook::Registration& one : registered) {
    if (one.kind != webhook::WebhookKind::kConversion) continue;
    std::string name = absl::StrCat(one.gvr.resource, ".", one.gvr.group);
    const auto known = std::find(targets.definitions.begin(), targets.definitions.end(), name);
    if (known == targets.definitions.end()) targets.definitions.push_back(std::move(name));
  }
  return targets;
}

}  // namespace kube::controller::internal
