#ifndef CLIENTSET_REST_EXEC_CONFIG_H_
#define CLIENTSET_REST_EXEC_CONFIG_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "apimachinery/types/raw.h"

namespace kube::rest {

// Whether a plug-in may ask its user something. (clientcmdapi.ExecInteractiveMode)
enum class ExecInteractiveMode {
  kUnset,        // an error for v1; kIfAvailable for v1beta1
  kNever,        // it has no stdin
  kIfAvailable,  // it has stdin where that is a terminal
  kAlways,       // without a terminal it is an error
};

// A program that prints credentials. (clientcmdapi.ExecConfig) It is run as it
// is, without a shell.
struct ExecConfig {
  // A path, or a name to look up in PATH.
  std::string command = {};
  std::vector<std::string> args = {};
  // Besides the process' own, instead of those of the same name.
  std::vector<std::pair<std::string, std::string>> env = {};
  // "client.authentication.k8s.io/v1" or ".../v1beta1".
  std::string api_version = {};
  // Printed where the command is not there.
  std::string install_hint = {};
  // Tells it about the cluster in KUBERNETES_EXEC_INFO.
  bool provide_cluster_info = false;
  // Of the cluster: the extension "client.authentication.k8s.io/exec", for the plug-in. JSON.
  RawExtension cluster_config = {};
  ExecInteractiveMode interactive_mode = ExecInteractiveMode::kUnset;
  // Said to the user where stdin is not at hand, and why.
  bool stdin_unavailable = false;
  std::string stdin_unavailable_message = {};
  // A plug-in that takes longer is killed. Default: none but the context's, as upstream.
  absl::Duration timeout = absl::InfiniteDuration();
};

// Which plug-ins may be run. (clientcmdapi.PluginPolicy)
struct ExecPolicy {
  enum class Type { kAllowAll, kDenyAll, kAllowlist };
  Type type = Type::kAllowAll;
  // With kAllowlist: names of programs, or absolute paths.
  std::vector<std::string> allowlist = {};
};

}  // namespace kube::rest

#endif  // CLIENTSET_REST_EXEC_CONFIG_H_
