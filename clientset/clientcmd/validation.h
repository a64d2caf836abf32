#ifndef CLIENTSET_CLIENTCMD_VALIDATION_H_
#define CLIENTSET_CLIENTCMD_VALIDATION_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "clientset/clientcmd/kubeconfig.h"

// What is wrong with a configuration, all of it at once: `invalid configuration: [a, b]`, in
// upstream's words. Errors are INVALID_ARGUMENT and know what they are through the predicates
// below, also behind base::Annotate. Files that are named are opened, and thus block. Thread-safe.
namespace kube::clientcmd {

// Everything in it. (Validate)
absl::Status Validate(const Kubeconfig& config);

// What one context refers to; "" is the current one. (ConfirmUsable)
absl::Status ConfirmUsable(const Kubeconfig& config, absl::string_view context);

// Nothing is configured: the reason to try something else, such as the cluster one runs in.
bool IsEmptyConfig(const absl::Status& status);

// The context that was asked for is not there, or none was.
bool IsContextNotFound(const absl::Status& status);

// One of the errors of this header. (IsConfigurationInvalid)
bool IsConfigurationInvalid(const absl::Status& status);

namespace internal {

// The parts, for whoever chooses a cluster and a user himself. (validateClusterInfo, ...)
std::vector<absl::Status> ValidateCluster(absl::string_view name, const ClusterInfo& cluster);
std::vector<absl::Status> ValidateUser(absl::string_view name, const AuthInfo& user);

absl::Status ContextNotFound(absl::string_view name);
absl::Status NoServer(absl::string_view cluster);
absl::Status EmptyConfig();
bool IsEmptyCluster(const absl::Status& status);

// OK for none. (newErrConfigurationInvalid)
absl::Status ConfigurationInvalid(const std::vector<absl::Status>& errors);

}  // namespace internal
}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_VALIDATION_H_
