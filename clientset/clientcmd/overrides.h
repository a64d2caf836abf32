#ifndef CLIENTSET_CLIENTCMD_OVERRIDES_H_
#define CLIENTSET_CLIENTCMD_OVERRIDES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/kubeconfig.h"

namespace kube::clientcmd {

// Values that take precedence over the files, usually a program's flags. Empty fields override
// nothing. (client-go: `clientcmd.ConfigOverrides`)
struct ConfigOverrides {
  // Overrides the chosen user. A key or certificate here replaces both the file and the data there.
  AuthInfo auth_info = {};
  // Used for fields that the chosen cluster does not set.
  ClusterInfo cluster_defaults = {};
  // Overrides the chosen cluster. Authorities or insecure_skip_tls_verify here replace all of these
  // there; a server here removes tls_server_name there.
  ClusterInfo cluster_info = {};
  // Overrides the chosen context: its cluster, user and namespace.
  ContextInfo context = {};
  // The context to use instead of current-context. It must exist.
  std::string current_context = {};
  // The time limit of each request: "30" (seconds) or "1m30s". "0" means no limit.
  std::string timeout = {};
};

// Returns the cluster that kubectl uses if nothing is configured: KUBERNETES_MASTER, or
// http://localhost:8080. (client-go: `clientcmd.ClusterDefaults`)
ClusterInfo LegacyClusterDefaults(const Environment& environment = ProcessEnvironment());

// Parses an integer as seconds ("30"), or a duration such as "1m30s". Returns INVALID_ARGUMENT for
// anything else. (client-go: `clientcmd.ParseTimeout`)
absl::StatusOr<absl::Duration> ParseTimeout(absl::string_view text);

// Returns "web" for "ns/web", "Namespaces/web" and the like. (client-go: `RemoveNamespacesPrefix`)
std::string RemoveNamespacesPrefix(absl::string_view text);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_OVERRIDES_H_
