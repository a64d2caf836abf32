#include "apimachinery/restmapper/rest_mapper.h"

namespace kube::restmapper {

void MaybeResetRestMapper(RestMapper& mapper) {
  if (auto* resettable = dynamic_cast<ResettableRestMapper*>(&mapper)) resettable->Reset();
}

}  // namespace kube::restmapper
