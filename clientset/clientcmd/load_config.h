#ifndef CLIENTSET_CLIENTCMD_LOAD_CONFIG_H_
#define CLIENTSET_CLIENTCMD_LOAD_CONFIG_H_

#include <string>

#include "absl/status/statusor.h"
#include "clientset/clientcmd/client_config.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/overrides.h"
#include "clientset/rest/config.h"

// The short way to a configuration. All functions read files, and block on the disk alone.
namespace kube::clientcmd {

// rest::InClusterConfig, with the service account that `environment` says.
InCluster DefaultInCluster(const Environment& environment = ProcessEnvironment());

struct LoadOptions {
  // A kubeconfig file, which must be there. Empty: see each function.
  std::string kubeconfig = {};
  // The server, instead of the file's.
  std::string master = {};
  // A context of the file, instead of its current one.
  std::string context = {};
  // What else goes before the file: --namespace, --token, --as. `master` and `context` go before
  // these.
  ConfigOverrides overrides = {};
  // Where the program runs; for tests.
  InCluster in_cluster = DefaultInCluster();
};

struct LoadedConfig {
  rest::Config config = {};
  ChosenNamespace chosen_namespace = {};
};

// For a controller with two flags, as Kubernetes' own have them:
//
//   LoadConfig({.kubeconfig = absl::GetFlag(FLAGS_kubeconfig),
//               .master = absl::GetFlag(FLAGS_master)})
//
// Without a file, a server or a context it is the cluster that the program runs in. KUBECONFIG
// and the home directory are not looked at: see LoadDefaultConfig. (BuildConfigFromFlags)
//
// NOT_FOUND where the file is missing; IsEmptyConfig(status) where there is nothing at all; others
// as DeferredLoadingClientConfig. The user is to correct them.
absl::StatusOr<rest::Config> LoadConfig(const LoadOptions& options = {});

// For a program that runs in a pod or at a desk: the file, else those of KUBECONFIG, else the
// cluster that it runs in, else ~/.kube/config. (controller-runtime's config.GetConfig)
absl::StatusOr<rest::Config> LoadDefaultConfig(const LoadOptions& options = {});

// The same, and the namespace to work in: for tools in the manner of kubectl. Where the cluster one
// runs in counts, that is the pod's own.
absl::StatusOr<LoadedConfig> LoadDefaultConfigAndNamespace(const LoadOptions& options = {});

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_LOAD_CONFIG_H_
