#include "clientset/kubernetes/testing/every_kind.h"

#include <utility>
#include <vector>

#include "clientset/kubernetes/testing/kind_case.h"

namespace kube::kubernetes {

std::vector<KindCase> EveryKind() {
  std::vector<KindCase> all;
  for (const auto& part :
       {&internal::KindsOfPart1, &internal::KindsOfPart2, &internal::KindsOfPart3,
        &internal::KindsOfPart4, &internal::KindsOfPart5, &internal::KindsOfPart6}) {
    for (KindCase& each : part()) all.push_back(std::move(each));
  }
  return all;
}

}  // namespace kube::kubernetes
