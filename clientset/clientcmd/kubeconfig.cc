#include "clientset/clientcmd/kubeconfig.h"

namespace kube::clientcmd {

bool IsConfigEmpty(const Kubeconfig& config) { return config == Kubeconfig(); }

}  // namespace kube::clientcmd
