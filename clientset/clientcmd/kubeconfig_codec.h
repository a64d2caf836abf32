#ifndef CLIENTSET_CLIENTCMD_KUBECONFIG_CODEC_H_
#define CLIENTSET_CLIENTCMD_KUBECONFIG_CODEC_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "clientset/clientcmd/kubeconfig.h"

namespace kube::clientcmd {

// Decodes a kubeconfig from YAML or JSON. (client-go: `clientcmd.Load`)
//
// As in client-go, an empty text is an empty configuration; apiVersion and kind may be missing;
// unknown fields are ignored; of several documents the first one is read; a duplicate name in a
// list is an error.
//
// Returns INVALID_ARGUMENT with the place: `decode Config: clusters[0].cluster.server: expected a
// string (line 4, column 13)`. The message contains no part of the text except names. Thread-safe.
absl::StatusOr<Kubeconfig> DecodeKubeconfig(absl::string_view text);

// Encodes a kubeconfig as YAML in kubectl's format: fields and lists are sorted, and secrets are
// readable. Returns INVALID_ARGUMENT if an extension is not JSON. Thread-safe. (client-go:
// `clientcmd.Write`)
absl::StatusOr<std::string> EncodeKubeconfig(const Kubeconfig& config);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_KUBECONFIG_CODEC_H_
