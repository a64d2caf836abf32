#ifndef CLIENTSET_CLIENTCMD_ENVIRONMENT_H_
#define CLIENTSET_CLIENTCMD_ENVIRONMENT_H_

#include <string>

namespace kube::clientcmd {

// What of the process' environment decides about the configuration; empty where it is not set.
// Programs take ProcessEnvironment(), tests write what they mean.
struct Environment {
  // KUBECONFIG: files, separated by colons.
  std::string kubeconfig = {};
  // HOME.
  std::string home = {};
  // KUBERNETES_MASTER: what kubectl talks to without any configuration.
  std::string kubernetes_master = {};
  // POD_NAMESPACE, for pods that set it.
  std::string pod_namespace = {};
  // KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT: set in every pod.
  std::string service_host = {};
  std::string service_port = {};
  // Where a pod finds its token, authorities and namespace.
  std::string service_account_dir = "/var/run/secrets/kubernetes.io/serviceaccount";
};

// Reads the environment now. Thread-safe unless somebody changes it meanwhile.
Environment ProcessEnvironment();

// "$HOME/.kube/config". (RecommendedHomeFile)
std::string HomeFile(const Environment& environment);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_ENVIRONMENT_H_
