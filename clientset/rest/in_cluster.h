#ifndef CLIENTSET_REST_IN_CLUSTER_H_
#define CLIENTSET_REST_IN_CLUSTER_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "clientset/rest/config.h"

namespace kube::rest {

struct InClusterOptions {
  // The folder with the service account's token, ca.crt and namespace. For tests.
  std::string service_account_folder = "/var/run/secrets/kubernetes.io/serviceaccount";
};

// The configuration of a program that runs in a pod: as the pod's service account, with the API
// server of its cluster. Its token and its authorities are files that are replaced now and then;
// clients read them again. (rest.InClusterConfig)
//
// Reads files. FAILED_PRECONDITION: not in a pod, see IsNotInCluster. INVALID_ARGUMENT: the token
// cannot be read, as in a pod with automountServiceAccountToken=false. Authorities that cannot be
// read are logged, and then the system's are trusted.
absl::StatusOr<Config> InClusterConfig(const InClusterOptions& options = {});

// Whether InClusterConfig failed because the environment has no KUBERNETES_SERVICE_HOST and
// KUBERNETES_SERVICE_PORT. (errors.Is(err, rest.ErrNotInCluster))
bool IsNotInCluster(const absl::Status& status);

}  // namespace kube::rest

#endif  // CLIENTSET_REST_IN_CLUSTER_H_
