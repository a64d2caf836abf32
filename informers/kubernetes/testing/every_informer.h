#ifndef INFORMERS_KUBERNETES_TESTING_EVERY_INFORMER_H_
#define INFORMERS_KUBERNETES_TESTING_EVERY_INFORMER_H_

#include <vector>

#include "informers/kubernetes/testing/informer_case.h"

namespace kube::kubernetes {

// Returns a case for every kind that SharedInformerFactory has.
std::vector<InformerCase> EveryInformer();

namespace internal {

// Defined in sources that every_informer.bzl generates.
std::vector<InformerCase> InformersOfPart1();
std::vector<InformerCase> InformersOfPart2();
std::vector<InformerCase> InformersOfPart3();
std::vector<InformerCase> InformersOfPart4();
std::vector<InformerCase> InformersOfPart5();
std::vector<InformerCase> InformersOfPart6();

}  // namespace internal

}  // namespace kube::kubernetes

#endif  // INFORMERS_KUBERNETES_TESTING_EVERY_INFORMER_H_
