#ifndef CLIENTSET_CLIENTCMD_VALIDATION_H_
#define CLIENTSET_CLIENTCMD_VALIDATION_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "clientset/clientcmd/kubeconfig.h"

// Finds everything that is wrong with a configuration, in one error: `invalid configuration: [a,
// b]`, with client-go's texts. Errors are INVALID_ARGUMENT. The predicates below tell their kind,
// also after base::Annotate. Files that the configuration names are opened, which blocks.
// Thread-safe.
namespace kube::clientcmd {

// Validates all contexts, users and clusters. (client-go: `clientcmd.Validate`)
absl::Status Validate(const Kubeconfig& config);

// Validates one context with its user and cluster; "" means the current one. (client-go:
// `clientcmd.ConfirmUsable`)
absl::Status ConfirmUsable(const Kubeconfig& config, absl::string_view context);

// Returns whether nothing is configured, which is a reason to try something else, such as the
// cluster in which the program runs.
bool IsEmptyConfig(const absl::Status& status);

// Returns whether the requested context does not exist, or no context was chosen.
bool IsContextNotFound(const absl::Status& status);

// Returns whether it is an error of this header. (client-go: `clientcmd.IsConfigurationInvalid`)
bool IsConfigurationInvalid(const absl::Status& status);

namespace internal {

// The parts, for code that chooses cluster and user itself. (client-go: `validateClusterInfo`, ...)
std::vector<absl::Status> ValidateCluster(absl::string_view name, const ClusterInfo& cluster);
std::vector<absl::Status> ValidateUser(absl::string_view name, const AuthInfo& user);

absl::Status ContextNotFound(absl::string_view name);
absl::Status NoServer(absl::string_view cluster);
absl::Status EmptyConfig();
bool IsEmptyCluster(const absl::Status& status);

// Returns OK if there are no errors. (client-go: `newErrConfigurationInvalid`)
absl::Status ConfigurationInvalid(const std::vector<absl::Status>& errors);

}  // namespace internal
}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_VALIDATION_H_
