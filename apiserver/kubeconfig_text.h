#ifndef APISERVER_KUBECONFIG_TEXT_H_
#define APISERVER_KUBECONFIG_TEXT_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::apiserver {

// Returns a kubeconfig file with the context "envtest": the server at `url`, its certificate
// authority (PEM) unless empty, and a user with the bearer token, in the namespace "default". Each
// of `users`, pairs of name and token, adds a context with the user's name.
std::string KubeconfigText(absl::string_view url, absl::string_view ca_certificate,
                           absl::string_view token,
                           const std::vector<std::pair<std::string, std::string>>& users = {});

// Returns whether the text was made by KubeconfigText, perhaps edited by kubectl afterwards: its
// only cluster is "envtest", on 127.0.0.1, and its users have tokens and nothing else. So deleting
// such a file cannot lose access to another cluster.
bool IsKubeconfigText(absl::string_view text);

}  // namespace kube::apiserver

#endif  // APISERVER_KUBECONFIG_TEXT_H_
