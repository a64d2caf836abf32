#ifndef CLIENTSET_CLIENTCMD_INTERNAL_REST_CONFIG_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_REST_CONFIG_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/rest/config.h"

namespace kube::clientcmd::internal {

// Returns the configuration for a cluster and a user that have passed validation. `timeout` is as
// ConfigOverrides::timeout.
absl::StatusOr<rest::Config> MakeRestConfig(const ClusterInfo& cluster, absl::string_view user_name,
                                            const AuthInfo& user, absl::string_view timeout);

// Returns whether two configurations are equal in all fields that kubeconfig files set.
// Configurations with a proxy are never equal. (client-go: `reflect.DeepEqual`, for which functions
// such as the proxy always differ)
bool SameConfig(const rest::Config& a, const rest::Config& b);

// Replaces characters that could control a terminal by their names: "\x1b" becomes "U+001B".
// (client-go: `cleanANSIEscapeCodes`)
std::string CleanEscapeCodes(absl::string_view text);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_REST_CONFIG_H_
