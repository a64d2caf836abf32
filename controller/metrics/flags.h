#ifndef CONTROLLER_METRICS_FLAGS_H_
#define CONTROLLER_METRICS_FLAGS_H_

#include <optional>

#include "absl/status/statusor.h"
#include "controller/metrics/metrics_server.h"

// The flags of programs that kubebuilder makes: --metrics-bind-address (default: "0", no metrics),
// --metrics-secure (default: on), --metrics-cert-path, --metrics-cert-name and --metrics-cert-key.
//
// Abseil flags are global: a program has these flags if it links this target.
// clientcmd::ParseCommandLine accepts them with dashes.
namespace kube::metrics {

// Returns `options` with what the flags say, or nullopt if there is to be no metrics endpoint.
// ":8443" means port 8443 on all IPv4 addresses. A secure endpoint asks for tokens
// (MetricsAccess::kTokenReview), unless `options` ask for client certificates; one that is not
// secure is for everybody. Returns INVALID_ARGUMENT, with the name of the flag, if the address has
// no valid port.
absl::StatusOr<std::optional<MetricsOptions>> MetricsOptionsFromFlags(MetricsOptions options = {});

}  // namespace kube::metrics

#endif  // CONTROLLER_METRICS_FLAGS_H_
