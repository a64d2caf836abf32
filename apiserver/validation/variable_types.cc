#include "apiserver/validation/variable_types.h"

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/cel/type.h"
#include "apiserver/validation/admission_environment.h"

namespace kube::apiserver::internal {
namespace {

using cel::TypeKind;
using cel::TypePtr;

constexpr char kVariables[] = "kubernetes.variables";

TypePtr DeclaredType(const TypePtr& type) {
  switch (type->kind) {
    case TypeKind::kNull:
    case TypeKind::kBool:
    case TypeKind::kInt:
    case TypeKind::kUint:
    case TypeKind::kDouble:
    case TypeKind::kString:
    case TypeKind::kBytes:
    case TypeKind::kDuration:
    case TypeKind::kTimestamp:
      return type;
    case TypeKind::kList:
      if (type->parameters.size() != 1) return cel::DynType();
      return cel::ListType(DeclaredType(type->parameters[0]));
    case TypeKind::kMap:
      if (type->parameters.size() != 2) return cel::DynType();
      return cel::MapType(DeclaredType(type->parameters[0]), DeclaredType(type->parameters[1]));
    default:
      return cel::DynType();
  }
}

}  // namespace

TypePtr VariableTypes::Self() { return cel::StructType(kVariables); }

void VariableTypes::Add(absl::string_view name, const TypePtr& type) {
  variables_.insert_or_assign(std::string(name),
                              type == nullptr ? cel::DynType() : DeclaredType(type));
}

bool VariableTypes::HasStruct(absl::string_view name) const {
  return name == kVariables || AdmissionTypes()->HasStruct(name);
}

TypePtr VariableTypes::FindField(absl::string_view struct_name, absl::string_view field) const {
  if (struct_name != kVariables) return AdmissionTypes()->FindField(struct_name, field);
  const auto found = variables_.find(field);
  return found == variables_.end() ? nullptr : found->second;
}

}  // namespace kube::apiserver::internal
