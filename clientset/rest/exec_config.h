#ifndef CLIENTSET_REST_EXEC_CONFIG_H_
#define CLIENTSET_REST_EXEC_CONFIG_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "apimachinery/types/raw.h"

namespace kube::rest {

// Whether an exec plug-in may ask its user for input. (client-go:
// `clientcmdapi.ExecInteractiveMode`)
enum class ExecInteractiveMode {
  kUnset,        // an error for v1; kIfAvailable for v1beta1
  kNever,        // the plug-in has no stdin
  kIfAvailable,  // the plug-in has stdin if that is a terminal
  kAlways,       // it is an error if stdin is not a terminal
};

// A credential plug-in: a program that prints credentials. It is run directly, without a shell.
// (client-go: `clientcmdapi.ExecConfig`)
struct ExecConfig {
  // A path, or a name that is looked up in PATH.
  std::string command = {};
  std::vector<std::string> args = {};
  // Added to the environment of this process; replaces variables of the same name.
  std::vector<std::pair<std::string, std::string>> env = {};
  // "client.authentication.k8s.io/v1" or ".../v1beta1".
  std::string api_version = {};
  // Logged if the command is not found.
  std::string install_hint = {};
  // Passes information about the cluster in KUBERNETES_EXEC_INFO.
  bool provide_cluster_info = false;
  // Configuration of the plug-in for this cluster, in JSON: the cluster's extension
  // "client.authentication.k8s.io/exec". Passed with the cluster information.
  RawExtension cluster_config = {};
  ExecInteractiveMode interactive_mode = ExecInteractiveMode::kUnset;
  // Set it if the program needs stdin for itself. The message tells the user why a plug-in cannot
  // be interactive.
  bool stdin_unavailable = false;
  std::string stdin_unavailable_message = {};
  // A plug-in that takes longer is killed. Default: infinite, as in client-go: only the context
  // limits it.
  absl::Duration timeout = absl::InfiniteDuration();
};

// Which exec plug-ins may be run. (client-go: `clientcmdapi.PluginPolicy`)
struct ExecPolicy {
  enum class Type { kAllowAll, kDenyAll, kAllowlist };
  Type type = Type::kAllowAll;
  // For kAllowlist only: program names or absolute paths. Must not be empty then.
  std::vector<std::string> allowlist = {};
};

}  // namespace kube::rest

#endif  // CLIENTSET_REST_EXEC_CONFIG_H_
