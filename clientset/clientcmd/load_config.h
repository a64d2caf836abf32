#ifndef CLIENTSET_CLIENTCMD_LOAD_CONFIG_H_
#define CLIENTSET_CLIENTCMD_LOAD_CONFIG_H_

#include <string>

#include "absl/status/statusor.h"
#include "clientset/clientcmd/client_config.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/overrides.h"
#include "clientset/rest/config.h"

// The short way to a configuration. All functions read files, and block only on the disk.
// Thread-safe unless another thread changes the environment.
namespace kube::clientcmd {

// Returns rest::InClusterConfig with the service account directory of `environment`.
InCluster DefaultInCluster(const Environment& environment = ProcessEnvironment());

struct LoadOptions {
  // A kubeconfig file, which must exist. If empty, each function has its own default.
  std::string kubeconfig = {};
  // The server; replaces that of the file.
  std::string master = {};
  // The context to use instead of the file's current one.
  std::string context = {};
  // Other overrides, such as --namespace, --token and --as. `master` and `context` take precedence
  // over them. They also apply to the configuration of a pod, which is not used if they name a
  // server, a context, a cluster or a user.
  ConfigOverrides overrides = {};
  // How to find out about the pod in which the program runs; for tests.
  InCluster in_cluster = DefaultInCluster();
};

struct LoadedConfig {
  rest::Config config = {};
  ChosenNamespace chosen_namespace = {};
};

// Returns the configuration of a controller that has two flags, like those of Kubernetes itself.
// (client-go: `clientcmd.BuildConfigFromFlags`)
//
//   const absl::StatusOr<rest::Config> config =
//       LoadConfig({.kubeconfig = kubeconfig, .master = master});
//
// If neither a file nor a server nor a context is given, it is that of the cluster in which the
// program runs. KUBECONFIG and the home directory are not used: see LoadDefaultConfig.
//
// Returns NOT_FOUND if the file does not exist; an error for which IsEmptyConfig is true if nothing
// is configured; and the errors of DeferredLoadingClientConfig. They are for the user to correct.
absl::StatusOr<rest::Config> LoadConfig(const LoadOptions& options = {});

// Returns the configuration of a program that runs in a pod or on a desktop. It tries
// options.kubeconfig, then the files of KUBECONFIG, then the cluster in which the program runs,
// then ~/.kube/config. (controller-runtime: `config.GetConfig`)
absl::StatusOr<rest::Config> LoadDefaultConfig(const LoadOptions& options = {});

// Like LoadDefaultConfig, and also returns the namespace to work in, for tools like kubectl. In a
// pod whose own cluster is used, that is the pod's namespace.
absl::StatusOr<LoadedConfig> LoadDefaultConfigAndNamespace(const LoadOptions& options = {});

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_LOAD_CONFIG_H_
