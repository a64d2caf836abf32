#ifndef CLIENTSET_CLIENTCMD_TRANSFORM_H_
#define CLIENTSET_CLIENTCMD_TRANSFORM_H_

#include "absl/status/statusor.h"
#include "clientset/clientcmd/kubeconfig.h"

// The conversions of `kubectl config view`: --flatten, --minify, and hiding secrets. Thread-safe.
namespace kube::clientcmd {

// Replaces the files of certificates, keys and authorities by their content, so that the
// configuration can be moved to another place. Relative paths begin at the location_of_origin.
// Blocks on the disk. Returns INVALID_ARGUMENT if an entry has both data and a file, and errors of
// reading. (client-go: `clientcmdapi.FlattenConfig`)
absl::StatusOr<Kubeconfig> Flatten(Kubeconfig config);

// Returns only the current context with its cluster and user. Returns NOT_FOUND if one of them does
// not exist, and FAILED_PRECONDITION if there is no current context. (client-go:
// `clientcmdapi.MinifyConfig`)
absl::StatusOr<Kubeconfig> Minify(Kubeconfig config);

// Shortens for people: certificates and keys become DATA+OMITTED, tokens become REDACTED. As in
// kubectl, passwords are kept: Redact hides them. (client-go: `clientcmdapi.ShortenConfig`)
Kubeconfig Shorten(Kubeconfig config);

// Redacts for logs: tokens, passwords and keys become REDACTED. As in client-go, the configuration
// of auth providers and the environment of plug-ins are kept. (client-go:
// `clientcmdapi.RedactSecrets`)
Kubeconfig Redact(Kubeconfig config);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_TRANSFORM_H_
