#ifndef CLIENTSET_CLIENTCMD_INTERNAL_ADDRESSES_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_ADDRESSES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Addresses of servers and proxies in kubeconfig files: what they are taken for decides whether
// credentials are sent. Pure functions: thread-safe.
namespace kube::clientcmd::internal {

// Of a server's address with a path: without query and fragment. Others stay as they are.
std::string WithoutQuery(absl::string_view server);

// Whether a client without any settings of TLS would speak TLS to this server.
// (rest.IsConfigTransportTLS)
bool IsTls(absl::string_view server);

// For messages: the name and password in an address, even a malformed one, are hidden.
std::string WithoutUser(absl::string_view text);

// A proxy's address, written anew. INVALID_ARGUMENT with upstream's cause, but without a name or a
// password, also where a user is taken for the scheme, as in "TOKEN:@proxy". (parseProxyURL)
absl::StatusOr<std::string> ParseProxyUrl(absl::string_view text);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_ADDRESSES_H_
