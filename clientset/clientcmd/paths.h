#ifndef CLIENTSET_CLIENTCMD_PATHS_H_
#define CLIENTSET_CLIENTCMD_PATHS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "clientset/clientcmd/kubeconfig.h"

// Handles the paths in kubeconfig files: those of certificates, keys and tokens, and that of a
// plug-in unless it is a bare name, which is looked up in PATH. Relative paths begin at the
// directory of their file. These functions modify their argument; thread-safe for different
// arguments.
namespace kube::clientcmd {

// Makes all paths absolute, based on the location_of_origin of each entry; entries without one are
// left alone. Returns FAILED_PRECONDITION if the working directory is needed but does not exist.
// (client-go: `clientcmd.ResolveLocalPaths`)
absl::Status ResolveLocalPaths(Kubeconfig& config);

// Make paths relative to the location_of_origin if they are below its directory, and absolute
// otherwise. Return INVALID_ARGUMENT if there is no location_of_origin. (client-go:
// `clientcmd.RelativizeClusterLocalPaths`, `clientcmd.RelativizeAuthInfoLocalPaths`)
absl::Status RelativizeLocalPaths(ClusterInfo& cluster);
absl::Status RelativizeLocalPaths(AuthInfo& user);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_PATHS_H_
