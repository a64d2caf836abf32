#ifndef CLIENTSET_CLIENTCMD_KUBECONFIG_FILE_H_
#define CLIENTSET_CLIENTCMD_KUBECONFIG_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "clientset/clientcmd/kubeconfig.h"

// One kubeconfig file. These functions block on the disk; thread-safe, but writers of one file must
// take turns: ModifyConfig does.
namespace kube::clientcmd {

// Reads one file, or a pipe such as the shell's <(command), of at most 16 MiB; everything in it
// knows `path` as its location_of_origin. Paths in it stay as they are: see ResolveLocalPaths.
// (LoadFromFile)
//
// NOT_FOUND where there is no such file, PERMISSION_DENIED, INVALID_ARGUMENT as DecodeKubeconfig,
// RESOURCE_EXHAUSTED for what is larger, DEADLINE_EXCEEDED for a pipe without a writer for a
// minute.
absl::StatusOr<Kubeconfig> LoadFromFile(const std::string& path);

// Writes all of `config`, whatever its locations of origin are. (WriteToFile)
//
// A reader sees the old file or the new one, never half of it: it is written beside, and takes the
// old one's place. What is there keeps its mode, and a symbolic link stays one; a new file has mode
// 0600, for it has secrets in it, and a new directory 0700. Where no file can be made beside it,
// and where it is no regular file, it is overwritten.
absl::Status WriteToFile(const Kubeconfig& config, const std::string& path);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_KUBECONFIG_FILE_H_
