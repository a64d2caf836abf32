#ifndef CONTROLLER_TESTING_INTERNAL_OPERATOR_SETUP_H_
#define CONTROLLER_TESTING_INTERNAL_OPERATOR_SETUP_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/manager_status.h"
#include "envtest/crds.h"
#include "envtest/webhook_host.h"
#include "envtest/webhooks.h"
#include "webhook/registration.h"

// What OperatorEnvironment and OperatorWorld do alike to an operator under test.
namespace kube::controller::internal {

// Returns a context for one of the steps before and after the run of the manager: it is done after
// a minute.
Context ForAStep();

// Returns the options of a manager under test: with a name, without a health endpoint of a fixed
// port, and with webhooks that do not listen.
ManagerOptions TestedManagerOptions(ManagerOptions options);

// Returns the first phase that does not run, and what it waits for; "" if all run. With `caches`
// the same for informers that have not synced.
std::string WhatIsMissing(const ManagerStatus& status, bool caches);

// Returns `crds` with `host` for those that are converted, unless they have a host already, and
// with the definitions of registered conversions among the converted ones. `host` may be null: then
// nothing is converted. Returns the errors of envtest::ReadCrds.
absl::StatusOr<envtest::CrdOptions> DefinitionsOf(
    envtest::CrdOptions crds, envtest::WebhookHost* host,
    const std::vector<webhook::Registration>& registrations);

// Returns the configurations of what is registered. Returns the errors of
// webhook::WebhookConfigurations.
absl::StatusOr<envtest::WebhookOptions> ConfigurationsOf(
    const std::vector<webhook::Registration>& registrations);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_OPERATOR_SETUP_H_
