#ifndef CLIENTSET_CLIENTCMD_PATHS_H_
#define CLIENTSET_CLIENTCMD_PATHS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "clientset/clientcmd/kubeconfig.h"

// Paths in kubeconfig files: of certificates, keys and tokens, and of a plug-in, unless it is a
// bare name, which is looked up in PATH. Relative ones begin at the directory of their file. These
// functions change what they are given; thread-safe.
namespace kube::clientcmd {

// Makes all paths absolute, each from its own location of origin; what has none stays.
// FAILED_PRECONDITION where there is no working directory, and one is needed. (ResolveLocalPaths)
absl::Status ResolveLocalPaths(Kubeconfig& config);

// Makes paths relative to the location of origin where they are below its directory, and absolute
// otherwise. INVALID_ARGUMENT without a location of origin. (RelativizeClusterLocalPaths,
// RelativizeAuthInfoLocalPaths)
absl::Status RelativizeLocalPaths(ClusterInfo& cluster);
absl::Status RelativizeLocalPaths(AuthInfo& user);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_PATHS_H_
