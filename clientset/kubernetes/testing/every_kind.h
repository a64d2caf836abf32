#ifndef CLIENTSET_KUBERNETES_TESTING_EVERY_KIND_H_
#define CLIENTSET_KUBERNETES_TESTING_EVERY_KIND_H_

#include <vector>

#include "clientset/kubernetes/testing/kind_case.h"

namespace kube::kubernetes {

// Returns all resources of Clientset.
std::vector<KindCase> EveryKind();

namespace internal {

// The parts of the list; every_kind.bzl generates their sources.
std::vector<KindCase> KindsOfPart1();
std::vector<KindCase> KindsOfPart2();
std::vector<KindCase> KindsOfPart3();
std::vector<KindCase> KindsOfPart4();
std::vector<KindCase> KindsOfPart5();
std::vector<KindCase> KindsOfPart6();

}  // namespace internal

}  // namespace kube::kubernetes

#endif  // CLIENTSET_KUBERNETES_TESTING_EVERY_KIND_H_
