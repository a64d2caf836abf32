#ifndef CLIENTSET_CLIENTCMD_INTERNAL_ADDRESSES_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_ADDRESSES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Parses the addresses of servers and proxies in kubeconfig files. The result decides whether
// credentials are sent. Pure functions: thread-safe.
namespace kube::clientcmd::internal {

// Removes query and fragment from the address of a server if it has a path; other addresses are
// returned unchanged.
std::string WithoutQuery(absl::string_view server);

// Returns whether a client without TLS settings would use TLS for this server. (client-go:
// `rest.IsConfigTransportTLS`)
bool IsTls(absl::string_view server);

// Hides user and password in an address for messages, even if it is malformed.
std::string WithoutUser(absl::string_view text);

// Parses the address of a proxy and formats it again. Returns INVALID_ARGUMENT with client-go's
// cause, but without user and password, even if the user looks like a scheme, as in "TOKEN:@proxy".
// (client-go: `parseProxyURL`)
absl::StatusOr<std::string> ParseProxyUrl(absl::string_view text);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_ADDRESSES_H_
