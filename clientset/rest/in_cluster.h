#ifndef CLIENTSET_REST_IN_CLUSTER_H_
#define CLIENTSET_REST_IN_CLUSTER_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "clientset/rest/config.h"

namespace kube::rest {

struct InClusterOptions {
  // The folder with the service account's `token` and `ca.crt`. Set it in tests.
  std::string service_account_folder = "/var/run/secrets/kubernetes.io/serviceaccount";
};

// Returns the configuration of a program that runs in a pod: it talks to the API server of its
// cluster as the pod's service account. The token and the authorities are files that the kubelet
// replaces; clients read them again. (client-go: `rest.InClusterConfig`)
//
// Blocks while it reads files. Returns FAILED_PRECONDITION if the program does not run in a pod
// (see IsNotInCluster), and INVALID_ARGUMENT if the token cannot be read, as in a pod with
// automountServiceAccountToken=false. If ca.crt cannot be read, that is logged, and the system's
// authorities are trusted. Thread-safe unless another thread changes the environment.
absl::StatusOr<Config> InClusterConfig(const InClusterOptions& options = {});

// Returns whether InClusterConfig failed because KUBERNETES_SERVICE_HOST and
// KUBERNETES_SERVICE_PORT are not set. (client-go: `errors.Is(err, rest.ErrNotInCluster)`)
bool IsNotInCluster(const absl::Status& status);

}  // namespace kube::rest

#endif  // CLIENTSET_REST_IN_CLUSTER_H_
