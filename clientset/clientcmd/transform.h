#ifndef CLIENTSET_CLIENTCMD_TRANSFORM_H_
#define CLIENTSET_CLIENTCMD_TRANSFORM_H_

#include "absl/status/statusor.h"
#include "clientset/clientcmd/kubeconfig.h"

// What `kubectl config view` can do to a configuration: --flatten, --minify, and hiding.
// Thread-safe.
namespace kube::clientcmd {

// Certificates, keys and authorities as data instead of files: a configuration that can be carried
// elsewhere. Relative paths begin at the location of origin. INVALID_ARGUMENT where there are data
// and a file; errors of reading. (FlattenConfig)
absl::StatusOr<Kubeconfig> Flatten(Kubeconfig config);

// Only the current context, its cluster and its user. NOT_FOUND where one is missing,
// FAILED_PRECONDITION without a current context. (MinifyConfig)
absl::StatusOr<Kubeconfig> Minify(Kubeconfig config);

// For people: certificates and keys are written as DATA+OMITTED, tokens as REDACTED. Passwords
// stay, as in kubectl: Redact hides them. (ShortenConfig)
Kubeconfig Shorten(Kubeconfig config);

// For logs: tokens, passwords and keys become REDACTED. (RedactSecrets, but for what is in the
// configuration of auth providers and in the environment of plug-ins, which upstream shows)
Kubeconfig Redact(Kubeconfig config);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_TRANSFORM_H_
