#ifndef ENVTEST_SERVER_KUBECONFIG_TEXT_H_
#define ENVTEST_SERVER_KUBECONFIG_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace kube::envtest {

// A kubeconfig file with one context, "envtest": the server at `url`, its authority if it has one
// (PEM), and a user by token, in the namespace "default".
std::string KubeconfigText(absl::string_view url, absl::string_view ca_certificate,
                           absl::string_view token);

}  // namespace kube::envtest

#endif  // ENVTEST_SERVER_KUBECONFIG_TEXT_H_
