#ifndef CLIENTSET_CLIENTCMD_INTERNAL_REST_CONFIG_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_REST_CONFIG_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/rest/config.h"

namespace kube::clientcmd::internal {

// The configuration of a cluster and a user that validation has nothing against. `timeout` as
// ConfigOverrides::timeout.
absl::StatusOr<rest::Config> MakeRestConfig(const ClusterInfo& cluster, absl::string_view user_name,
                                            const AuthInfo& user, absl::string_view timeout);

// Whether the two are the same as far as kubeconfig files decide; of two with proxies, no.
// (reflect.DeepEqual, for which functions differ)
bool SameConfig(const rest::Config& a, const rest::Config& b);

// What could make a terminal do things is spelt out: "\x1b" is "U+001B". (cleanANSIEscapeCodes)
std::string CleanEscapeCodes(absl::string_view text);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_REST_CONFIG_H_
