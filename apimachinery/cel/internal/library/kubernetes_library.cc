#include "apimachinery/cel/internal/library/kubernetes_library.h"

#include "apimachinery/base/no_destructor.h"
#include "apimachinery/cel/internal/library/extensions.h"
#include "apimachinery/cel/internal/library/standard_library.h"

namespace kube::cel::internal {
namespace {

Functions MakeFunctions() {
  Functions functions;
  AddStandardLibrary(functions);
  AddStringExtensions(functions);
  AddListExtensions(functions);
  AddSetExtensions(functions);
  AddOptionalExtensions(functions);
  AddRegexExtensions(functions);
  AddMapExtensions(functions);
  AddUrlFunctions(functions);
  AddQuantityFunctions(functions);
  AddAddressFunctions(functions);
  AddFormatFunctions(functions);
  AddSemverFunctions(functions);
  AddAuthorizerFunctions(functions);
  AddJsonPatchFunctions(functions);
  return functions;
}

}  // namespace

const Functions& KubernetesFunctions() {
  static base::NoDestructor<const Functions> functions(MakeFunctions());
  return *functions;
}

bool IsOpaque(const Value& value, absl::string_view type_name) {
  return value.kind() == ValueKind::kOpaque && value.opaque().type()->name == type_name;
}

}  // namespace kube::cel::internal
