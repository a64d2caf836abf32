#ifndef CLIENTSET_REST_EXEC_INFO_H_
#define CLIENTSET_REST_EXEC_INFO_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/raw.h"
#include "clientset/rest/config.h"

// For programs that are credential plug-ins themselves; ExecConfig (exec_config.h) is for those
// that run one. (client-go: package `tools/auth/exec`)
namespace kube::rest {

// What a plug-in is told about the cluster for which it is to get a credential.
struct ExecInfo {
  // The version of the ExecCredential that the plug-in must print:
  // "client.authentication.k8s.io/v1" or ".../v1beta1". Its types are in api/clientauthentication.
  std::string api_version = {};
  // Whether the plug-in may ask its user for input.
  bool interactive = false;
  // The configuration of the plug-in for this cluster, in JSON; empty if the kubeconfig
  // has none for it.
  RawExtension cluster_config = {};
  // How to reach the cluster, without any credential.
  Config config = {};
};

// Parses the text of the environment variable KUBERNETES_EXEC_INFO. Returns INVALID_ARGUMENT if it
// is not an ExecCredential of one of the two versions, and FAILED_PRECONDITION if it has no
// information about the cluster: the user must set `provideClusterInfo` in the kubeconfig. Pure
// function: thread-safe. (client-go: `exec.LoadExecCredential`)
absl::StatusOr<ExecInfo> LoadExecInfo(absl::string_view json);

// Does the same with the variable of this process; returns FAILED_PRECONDITION if it is not set.
// (client-go: `exec.LoadExecCredentialFromEnv`)
absl::StatusOr<ExecInfo> LoadExecInfoFromEnvironment();

}  // namespace kube::rest

#endif  // CLIENTSET_REST_EXEC_INFO_H_
