#include "apimachinery/cel/type.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/no_destructor.h"

namespace kube::cel {
namespace {

using base::NoDestructor;

constexpr absl::string_view kOptional = "optional_type";

TypePtr Make(TypeKind kind, absl::string_view name, std::vector<TypePtr> parameters = {}) {
  return std::make_shared<const Type>(
      Type{.kind = kind, .name = std::string(name), .parameters = std::move(parameters)});
}

}  // namespace

const TypePtr& ErrorType() {
  static NoDestructor<const TypePtr> type(Make(TypeKind::kError, "error"));
  return *type;
}

const TypePtr& DynType() {
  static NoDestructor<const TypePtr> type(Make(TypeKind::kDyn, "dyn"));
  return *type;
}

const TypePtr& NullType() {
  static NoDestructor<const TypePtr> type(Make(TypeKind::kNull, "null_type"));
  return *type;
}

const TypePtr& BoolType() {
  static NoDestructor<const TypePtr> type(Make(TypeKind::kBool, "bool"));
  return *type;
}

const TypePtr& IntType() {
  static NoDestructor<const TypePtr> type(Make(TypeKind::kInt, "int"));
  return *type;
}

const TypePtr& UintType() {
  static NoDestructor<const TypePtr> type(Make(TypeKind::kUint, "uint"));
  return *type;
}

const TypePtr& DoubleType() {
  static NoDestructor<const TypePtr> type(Make(TypeKind::kDouble, "double"));
  return *type;
}

const TypePtr& StringType() {
  static NoDestructor<const TypePtr> type(Make(TypeKind::kString, "string"));
  return *type;
}

const TypePtr& BytesType() {
  static NoDestructor<const TypePtr> type(Make(TypeKind::kBytes, "bytes"));
  return *type;
}

const TypePtr& DurationType() {
  static NoDestructor<const TypePtr> type(Make(TypeKind::kDuration, "google.protobuf.Duration"));
  return *type;
}

const TypePtr& TimestampType() {
  static NoDestructor<const TypePtr> type(Make(TypeKind::kTimestamp, "google.protobuf.Timestamp"));
  return *type;
}

TypePtr ListType(TypePtr element) { return Make(TypeKind::kList, "list", {std::move(element)}); }

TypePtr MapType(TypePtr key, TypePtr value) {
  return Make(TypeKind::kMap, "map", {std::move(key), std::move(value)});
}

TypePtr OptionalType(TypePtr value) { return OpaqueType(kOptional, {std::move(value)}); }

TypePtr StructType(absl::string_view name) { return Make(TypeKind::kStruct, name); }

TypePtr OpaqueType(absl::string_view name, std::vector<TypePtr> parameters) {
  return Make(TypeKind::kOpaque, name, std::move(parameters));
}

TypePtr TypeOfType(TypePtr type) { return Make(TypeKind::kType, "type", {std::move(type)}); }

TypePtr TypeParameter(absl::string_view name) { return Make(TypeKind::kParam, name); }

bool SameType(const Type& a, const Type& b) {
  return &a == &b || (a.kind == b.kind && a.name == b.name &&
                      std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(),
                                 b.parameters.end(), [](const TypePtr& x, const TypePtr& y) {
                                   return SameType(*x, *y);
                                 }));
}

bool IsOptional(const Type& type) {
  return type.kind == TypeKind::kOpaque && type.name == kOptional;
}

std::string FormatType(const Type& type) {
  switch (type.kind) {
    case TypeKind::kError:
      return "!error!";
    case TypeKind::kNull:
      return "null";
    case TypeKind::kDuration:
      return "duration";
    case TypeKind::kTimestamp:
      return "timestamp";
    default:
      break;
  }
  if (type.parameters.empty()) return type.name;
  std::string out = type.name;
  for (size_t i = 0; i < type.parameters.size(); ++i) {
    absl::StrAppend(&out, i == 0 ? "(" : ", ", FormatType(*type.parameters[i]));
  }
  return out + ")";
}

}  // namespace kube::cel
