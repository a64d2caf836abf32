#include "apiserver/encoding/restore_error.h"

#include <cmath>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::apiserver::internal {
namespace {

using kube::table::Field;
using kube::table::Kind;
using kube::table::Message;
using kube::table::Shape;
using unstructured::Value;
using unstructured::ValueType;

// Returns Go's kind of a decoded value.
absl::string_view GoKind(const Value& value) {
  switch (value.type()) {
    case ValueType::kBool:
      return "bool";
    case ValueType::kInt:
      return "int64";
    case ValueType::kDouble:
      return "float64";
    case ValueType::kString:
      return "string";
    case ValueType::kList:
      return "slice";
    case ValueType::kObject:
      return "map";
    default:
      return "invalid";
  }
}

std::string ListError(const Value& value) {
  return absl::StrCat("cannot restore slice from ", GoKind(value));
}

// Go reports numbers differently depending on whether they can be converted to the type.
std::string ScalarError(const Value& value, Kind kind) {
  const auto unrecognized = [](absl::string_view type) {
    return absl::StrCat("unrecognized type: ", type);
  };
  switch (kind) {
    case Kind::kString:
      if (value.is_string()) return "";
      return value.is_int() ? "cannot convert int64 to string" : unrecognized("string");
    case Kind::kBool:
      return value.is_bool() ? "" : unrecognized("bool");
    case Kind::kInt32:
    case Kind::kInt64: {
      const absl::string_view type = kind == Kind::kInt32 ? "int32" : "int64";
      if (value.is_int()) return "";
      if (!value.is_double()) return unrecognized(type);
      const double number = *value.number();
      if (number == std::trunc(number)) return "";
      return absl::StrCat("cannot convert float64 to ", type);
    }
    case Kind::kDouble:
      return value.is_number() ? "" : unrecognized("float64");
    case Kind::kBytes:
      return value.is_string() ? "" : ListError(value);
    default:
      // These types have a decoder of their own.
      return "";
  }
}

std::string StructError(const Value& value, const Message& message, int depth);

std::string ElementError(const Value& value, const Message& message, const Field& field,
                         int depth) {
  // Null is the zero value of any type.
  if (value.is_null()) return "";
  if (field.kind == Kind::kMessage) return StructError(value, message.sub_message(field), depth);
  if (field.kind == Kind::kStringList) {
    if (!value.is_list()) return ListError(value);
    for (const Value& each : *value.list()) {
      std::string error = each.is_null() ? "" : ScalarError(each, Kind::kString);
      if (!error.empty()) return error;
    }
    return "";
  }
  return ScalarError(value, field.kind);
}

std::string FieldError(const Value& value, const Message& message, const Field& field, int depth) {
  if (value.is_null()) return "";
  if (field.shape == Shape::kList) {
    if (!value.is_list()) return ListError(value);
    for (const Value& each : *value.list()) {
      std::string error = ElementError(each, message, field, depth);
      if (!error.empty()) return error;
    }
    return "";
  }
  if (field.shape == Shape::kMap) {
    if (!value.is_object()) return absl::StrCat("cannot restore map from ", GoKind(value));
    for (const auto& [key, each] : *value.object()) {
      std::string error = ElementError(each, message, field, depth);
      if (!error.empty()) return error;
    }
    return "";
  }
  return ElementError(value, message, field, depth);
}

// `depth` is the number of enclosing structs.
std::string StructError(const Value& value, const Message& message, int depth) {
  // Other forms have functions of their own.
  if (message.json_form != kube::table::JsonForm::kObject) return "";
  if (!value.is_object()) return absl::StrCat("cannot restore struct from: ", GoKind(value));
  // The decoder rejects deeper structs, and a client must not be able to exhaust the stack.
  if (depth >= codec::DecodeOptions().max_depth) return "";
  for (size_t i = 0; i < message.field_count; ++i) {
    const Field& field = message.fields[i];
    const Value* const member = value.Find(message.field_name(field));
    if (member == nullptr) continue;
    std::string error = FieldError(*member, message, field, depth + 1);
    if (!error.empty()) return error;
  }
  return "";
}

}  // namespace

std::string RestoreError(const Value& value, const Message& message) {
  return StructError(value, message, 0);
}

}  // namespace kube::apiserver::internal
