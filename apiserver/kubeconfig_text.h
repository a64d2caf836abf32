#ifndef APISERVER_KUBECONFIG_TEXT_H_
#define APISERVER_KUBECONFIG_TEXT_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::apiserver {

// A kubeconfig file with the context "envtest": the server at `url`, its authority if it has one
// (PEM), and a user by token, in the namespace "default". Each of `users`, a name and a token, adds
// a context of the user's name.
std::string KubeconfigText(absl::string_view url, absl::string_view ca_certificate,
                           absl::string_view token,
                           const std::vector<std::pair<std::string, std::string>>& users = {});

// Whether KubeconfigText made the text, or kubectl changed one that it made: its only cluster is
// "envtest", on 127.0.0.1, and its users have tokens and nothing else. A caller who deletes such a
// file takes nobody's access to another cluster away.
bool IsKubeconfigText(absl::string_view text);

}  // namespace kube::apiserver

#endif  // APISERVER_KUBECONFIG_TEXT_H_
