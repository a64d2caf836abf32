#include "clientset/clientcmd/environment.h"

#include <cstdlib>
#include <string>

#include "clientset/clientcmd/internal/go_path.h"

namespace kube::clientcmd {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Environment ProcessEnvironment() {
  return {
      .kubeconfig = Variable("KUBECONFIG"),
      .home = Variable("HOME"),
      .kubernetes_master = Variable("KUBERNETES_MASTER"),
      .pod_namespace = Variable("POD_NAMESPACE"),
      .service_host = Variable("KUBERNETES_SERVICE_HOST"),
      .service_port = Variable("KUBERNETES_SERVICE_PORT"),
  };
}

std::string HomeFile(const Environment& environment) {
  return internal::JoinPath(environment.home, ".kube/config");
}

}  // namespace kube::clientcmd
