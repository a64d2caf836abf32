#ifndef CLIENTSET_CLIENTCMD_KUBECONFIG_FILE_H_
#define CLIENTSET_CLIENTCMD_KUBECONFIG_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "clientset/clientcmd/kubeconfig.h"

// Reads and writes one kubeconfig file. These functions block on the disk. They are thread-safe,
// but writers of the same file must take turns, as ModifyConfig does.
namespace kube::clientcmd {

// Reads a file, or a pipe such as the shell's <(command), of at most 16 MiB. All entries get `path`
// as their location_of_origin. Paths in the file stay as they are: see ResolveLocalPaths.
// (client-go: `clientcmd.LoadFromFile`)
//
// Returns NOT_FOUND if the file does not exist; PERMISSION_DENIED; INVALID_ARGUMENT as
// DecodeKubeconfig; RESOURCE_EXHAUSTED if it is too large; and DEADLINE_EXCEEDED if nothing is
// written to a pipe for a minute.
absl::StatusOr<Kubeconfig> LoadFromFile(const std::string& path);

// Writes all of `config`, whatever the location_of_origin of its entries is. (client-go:
// `clientcmd.WriteToFile`)
//
// Readers see either the old file or the new one: it is written to a temporary file beside it,
// which then replaces it. An existing file keeps its mode, and a symbolic link is followed. A new
// file has mode 0600, because it contains secrets, and a new directory 0700. If the file cannot be
// replaced, or is not a regular file, it is overwritten in place.
absl::Status WriteToFile(const Kubeconfig& config, const std::string& path);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_KUBECONFIG_FILE_H_
