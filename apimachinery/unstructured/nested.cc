#include "apimachinery/unstructured/nested.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/go_format.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured {
namespace {

// Returns ".spec.replicas", from the first `size` names.
std::string PathText(FieldPath path, size_t size) {
  return absl::StrCat(".", absl::StrJoin(path.subspan(0, size), "."));
}
std::string PathText(FieldPath path) { return PathText(path, path.size()); }

// Unlike upstream's, the message does not contain the value, because it may be a secret.
absl::Status AccessorError(absl::string_view path, const Value& value, absl::string_view expected,
                           absl::string_view what = "") {
  return absl::InvalidArgumentError(absl::StrCat(path, " accessor error: ", what,
                                                 "the value is of the type ", GoType(value),
                                                 ", expected ", expected));
}

absl::Status EmptyPathError() { return absl::InvalidArgumentError("field path is empty"); }

// Returns what `get` returns for the value at the path, or an error if `get` returns nullopt.
template <typename T, typename Get>
absl::StatusOr<std::optional<T>> Scalar(const Map<Value>& object, FieldPath path,
                                        absl::string_view expected, Get get) {
  KUBE_ASSIGN_OR_RETURN(const Value* value, NestedField(object, path));
  if (value == nullptr) return std::optional<T>();
  std::optional<T> scalar = get(*value);
  if (!scalar.has_value()) return AccessorError(PathText(path), *value, expected);
  return scalar;
}

constexpr absl::string_view kGoMap = "map[string]interface{}";

absl::StatusOr<std::optional<Map<String>>> StringMap(const Map<Value>& object, FieldPath path,
                                                     bool takes_null) {
  KUBE_ASSIGN_OR_RETURN(const Value* value, NestedField(object, path));
  if (value == nullptr) return std::optional<Map<String>>();
  if (value->is_null() && takes_null) return std::optional(Map<String>());
  if (!value->is_object()) return AccessorError(PathText(path), *value, kGoMap);
  Map<String> strings = Map<String>::Empty();
  for (const auto& [key, member] : *value->object()) {
    if (!member.is_string() && !(member.is_null() && takes_null)) {
      std::string what = "contains non-string value in the map under key ";
      text::AppendQuoted(what, key);
      return AccessorError(PathText(path), member, "string", absl::StrCat(what, ": "));
    }
    strings[key] = member.text().value_or("");
  }
  return std::optional(std::move(strings));
}

}  // namespace

absl::StatusOr<const Value*> NestedField(const Map<Value>& object, FieldPath path) {
  if (path.empty()) return EmptyPathError();
  const Map<Value>* members = &object;
  const Value* value = nullptr;
  for (size_t i = 0; i < path.size(); ++i) {
    if (value != nullptr) {
      if (value->is_null()) return nullptr;
      members = value->object();
      if (members == nullptr) return AccessorError(PathText(path, i + 1), *value, kGoMap);
    }
    value = members->find(path[i]);
    if (value == nullptr) return nullptr;
  }
  return value;
}

absl::StatusOr<std::optional<absl::string_view>> NestedString(const Map<Value>& object,
                                                              FieldPath path) {
  return Scalar<absl::string_view>(object, path, "string",
                                   [](const Value& value) { return value.text(); });
}

absl::StatusOr<std::optional<bool>> NestedBool(const Map<Value>& object, FieldPath path) {
  return Scalar<bool>(object, path, "bool", [](const Value& value) { return value.boolean(); });
}

absl::StatusOr<std::optional<int64_t>> NestedInt64(const Map<Value>& object, FieldPath path) {
  return Scalar<int64_t>(object, path, "int64", [](const Value& value) { return value.integer(); });
}

absl::StatusOr<std::optional<double>> NestedFloat64(const Map<Value>& object, FieldPath path) {
  return Scalar<double>(object, path, "float64", [](const Value& value) {
    return value.is_double() ? value.number() : std::nullopt;
  });
}

absl::StatusOr<std::optional<double>> NestedNumberAsFloat64(const Map<Value>& object,
                                                            FieldPath path) {
  KUBE_ASSIGN_OR_RETURN(const std::optional<double> number,
                        Scalar<double>(object, path, "float64 or int64",
                                       [](const Value& value) { return value.number(); }));
  KUBE_ASSIGN_OR_RETURN(const Value* value, NestedField(object, path));
  if (value == nullptr || !value->is_int()) return number;
  // 2^63 is not an int64_t, so converting it would be undefined behaviour.
  if (*number < std::ldexp(1, 63) && static_cast<int64_t>(*number) == *value->integer()) {
    return number;
  }
  return absl::InvalidArgumentError(
      absl::StrCat(PathText(path),
                   " accessor error: the int64 value cannot be losslessly converted to float64"));
}

absl::StatusOr<const List<Value>*> NestedSlice(const Map<Value>& object, FieldPath path) {
  KUBE_ASSIGN_OR_RETURN(const Value* value, NestedField(object, path));
  if (value == nullptr) return nullptr;
  if (!value->is_list()) return AccessorError(PathText(path), *value, "[]interface{}");
  return value->list();
}

absl::StatusOr<const Map<Value>*> NestedMap(const Map<Value>& object, FieldPath path) {
  KUBE_ASSIGN_OR_RETURN(const Value* value, NestedField(object, path));
  if (value == nullptr) return nullptr;
  if (!value->is_object()) return AccessorError(PathText(path), *value, kGoMap);
  return value->object();
}

absl::StatusOr<std::optional<List<String>>> NestedStringSlice(const Map<Value>& object,
                                                              FieldPath path) {
  KUBE_ASSIGN_OR_RETURN(const List<Value>* list, NestedSlice(object, path));
  if (list == nullptr) return std::optional<List<String>>();
  List<String> strings = List<String>::Empty();
  for (const Value& element : *list) {
    if (!element.is_string()) {
      return AccessorError(PathText(path), element, "string",
                           "contains non-string key in the slice: ");
    }
    strings.emplace_back(*element.text());
  }
  return std::optional(std::move(strings));
}

absl::StatusOr<std::optional<Map<String>>> NestedStringMap(const Map<Value>& object,
                                                           FieldPath path) {
  return StringMap(object, path, false);
}

absl::StatusOr<std::optional<Map<String>>> NestedNullCoercingStringMap(const Map<Value>& object,
                                                                       FieldPath path) {
  return StringMap(object, path, true);
}

absl::Status SetNestedField(Map<Value>& object, Value value, FieldPath path) {
  if (path.empty()) return EmptyPathError();
  Map<Value>* members = &object;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    Value* next = members->find(path[i]);
    if (next == nullptr) next = &((*members)[path[i]] = Map<Value>::Empty());
    members = next->object();
    if (members == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("value cannot be set because ",
                                                     PathText(path, i + 1), " is not a ", kGoMap));
    }
  }
  (*members)[path[path.size() - 1]] = std::move(value);
  return absl::OkStatus();
}

absl::Status SetNestedStringSlice(Map<Value>& object, const List<String>& value, FieldPath path) {
  return SetNestedField(object, List<Value>(value.begin(), value.end()), path);
}

absl::Status SetNestedStringMap(Map<Value>& object, const Map<String>& value, FieldPath path) {
  Map<Value> members;
  for (const auto& [key, text] : value) members[key] = text;
  return SetNestedField(object, std::move(members), path);
}

void RemoveNestedField(Map<Value>& object, FieldPath path) {
  if (path.empty()) return;
  Map<Value>* members = &object;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    Value* next = members->find(path[i]);
    members = next == nullptr ? nullptr : next->object();
    if (members == nullptr) return;
  }
  members->erase(path[path.size() - 1]);
}

}  // namespace kube::unstructured
