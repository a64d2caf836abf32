#ifndef CLIENTSET_KUBERNETES_TESTING_EVERY_KIND_H_
#define CLIENTSET_KUBERNETES_TESTING_EVERY_KIND_H_

#include <vector>

#include "clientset/kubernetes/testing/kind_case.h"

namespace kube::kubernetes {

// Every resource that Clientset has.
std::vector<KindCase> EveryKind();

}  // namespace kube::kubernetes

#endif  // CLIENTSET_KUBERNETES_TESTING_EVERY_KIND_H_
