#ifndef CLIENTSET_CLIENTCMD_OVERRIDES_H_
#define CLIENTSET_CLIENTCMD_OVERRIDES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/kubeconfig.h"

namespace kube::clientcmd {

// What goes before the files: a program's flags. Empty fields override nothing. (ConfigOverrides)
struct ConfigOverrides {
  // Over the chosen user. A key or certificate here puts away both the file and the data there.
  AuthInfo auth_info = {};
  // Under the chosen cluster: what counts where it says nothing.
  ClusterInfo cluster_defaults = {};
  // Over the chosen cluster. Authorities, or skipping verification, put away all of these there; a
  // server puts away tls_server_name there.
  ClusterInfo cluster_info = {};
  // Over the chosen context: another cluster, user or namespace.
  ContextInfo context = {};
  // Which context, instead of current-context. It must exist.
  std::string current_context = {};
  // Of each request: "30", in seconds, or "1m30s". "0": none.
  std::string timeout = {};
};

// What kubectl talks to where nothing is configured: KUBERNETES_MASTER, or http://localhost:8080.
// (clientcmd.ClusterDefaults)
ClusterInfo LegacyClusterDefaults(const Environment& environment = ProcessEnvironment());

// "30": seconds; otherwise as "1m30s". INVALID_ARGUMENT for anything else. (ParseTimeout)
absl::StatusOr<absl::Duration> ParseTimeout(absl::string_view text);

// "ns/web", "Namespaces/web": "web". (RemoveNamespacesPrefix)
std::string RemoveNamespacesPrefix(absl::string_view text);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_OVERRIDES_H_
