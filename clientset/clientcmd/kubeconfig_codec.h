#ifndef CLIENTSET_CLIENTCMD_KUBECONFIG_CODEC_H_
#define CLIENTSET_CLIENTCMD_KUBECONFIG_CODEC_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "clientset/clientcmd/kubeconfig.h"

namespace kube::clientcmd {

// A kubeconfig from its YAML or JSON. (clientcmd.Load)
//
// As upstream: nothing, or a text without content, is an empty configuration; apiVersion and kind
// may be missing; unknown fields are dropped; of several documents the first one counts; a name
// twice in a list is an error.
//
// INVALID_ARGUMENT with the place: `decode Config: clusters[0].cluster.server: want a string
// (line 4, column 13)`. No part of the text is in the message, names excepted. Thread-safe.
absl::StatusOr<Kubeconfig> DecodeKubeconfig(absl::string_view text);

// The YAML of a kubeconfig, as kubectl writes it: members and lists in order, secrets in clear.
// (clientcmd.Write) INVALID_ARGUMENT where an extension is not JSON. Thread-safe.
absl::StatusOr<std::string> EncodeKubeconfig(const Kubeconfig& config);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_KUBECONFIG_CODEC_H_
