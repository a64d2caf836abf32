#ifndef CLIENTSET_CLIENTCMD_ENVIRONMENT_H_
#define CLIENTSET_CLIENTCMD_ENVIRONMENT_H_

#include <string>

namespace kube::clientcmd {

// The environment variables that affect the configuration; a field is empty if its variable is not
// set. Programs use ProcessEnvironment(); tests fill in their own values.
struct Environment {
  // KUBECONFIG: a list of files, separated by colons.
  std::string kubeconfig = {};
  // HOME: the user's home directory.
  std::string home = {};
  // KUBERNETES_MASTER: the server that kubectl uses without any configuration.
  std::string kubernetes_master = {};
  // POD_NAMESPACE; pods may set it.
  std::string pod_namespace = {};
  // KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, which are set in every pod.
  std::string service_host = {};
  std::string service_port = {};
  // The directory with the token, authorities and namespace of a pod.
  std::string service_account_dir = "/var/run/secrets/kubernetes.io/serviceaccount";
};

// Reads the current environment. Thread-safe unless another thread changes the environment.
Environment ProcessEnvironment();

// Returns "$HOME/.kube/config". (client-go: `clientcmd.RecommendedHomeFile`)
std::string HomeFile(const Environment& environment);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_ENVIRONMENT_H_
