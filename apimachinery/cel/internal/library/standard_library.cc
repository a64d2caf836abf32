#include "apimachinery/cel/internal/library/standard_library.h"

namespace kube::cel::internal {

void AddStandardLibrary(Functions& functions) {
  AddOperators(functions);
  AddConversions(functions);
  AddStringFunctions(functions);
  AddTimeFunctions(functions);
}

}  // namespace kube::cel::internal
