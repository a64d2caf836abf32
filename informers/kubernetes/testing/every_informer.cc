#include "informers/kubernetes/testing/every_informer.h"

#include <utility>
#include <vector>

#include "informers/kubernetes/testing/informer_case.h"

namespace kube::kubernetes {

std::vector<InformerCase> EveryInformer() {
  std::vector<InformerCase> all;
  for (const auto& part :
       {&internal::InformersOfPart1, &internal::InformersOfPart2, &internal::InformersOfPart3,
        &internal::InformersOfPart4, &internal::InformersOfPart5, &internal::InformersOfPart6}) {
    for (InformerCase& each : part()) all.push_back(std::move(each));
  }
  return all;
}

}  // namespace kube::kubernetes
