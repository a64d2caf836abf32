#include "apimachinery/cel/schema.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "apimachinery/base/text/base64.h"
#include "apimachinery/cel/escape.h"
#include "apimachinery/cel/internal/objects/object_values.h"
#include "apimachinery/cel/internal/time.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/go_format.h"

namespace kube::cel {
namespace {

using internal::ObjectList;
using internal::ObjectMap;
using internal::PreservedValue;

Value Wrong(absl::string_view expected, const unstructured::Value& value) {
  return Value::Error(
      absl::StrCat("invalid data, expected ", expected, ", got ", unstructured::GoType(value)));
}

Value WrongFormat(absl::string_view what, absl::string_view text) {
  return Value::Error(absl::StrCat("Invalid ", what, " ", text));
}

// Decodes the alphabet with "-" and "_". (Go: `base64.URLEncoding`)
Value FromBase64(absl::string_view text) {
  const std::string standard = absl::StrReplaceAll(text, {{"-", "+"}, {"_", "/"}});
  std::string bytes(text::MaxBase64DecodedSize(standard.size()), '\0');
  std::optional<size_t> size;
  if (text.find_first_of("+/") == absl::string_view::npos) {
    size = text::DecodeBase64(standard, bytes.data());
  }
  if (!size.has_value()) return WrongFormat("byte formatted string", text);
  bytes.resize(*size);
  return Value::FromBytes(std::move(bytes));
}

Value FromTime(const std::optional<TimestampValue>& time, absl::string_view what,
               absl::string_view text) {
  return time.has_value() ? Value::FromTimestamp(*time) : WrongFormat(what, text);
}

Value FromText(const unstructured::Value& value, SchemaKind kind) {
  if (!value.is_string()) return Wrong("string", value);
  const absl::string_view text = *value.text();
  switch (kind) {
    case SchemaKind::kByte:
      return FromBase64(text);
    case SchemaKind::kDuration: {
      const std::optional<int64_t> duration = internal::ParseAnyDuration(text);
      return duration.has_value() ? Value::FromDuration(*duration) : WrongFormat("duration", text);
    }
    case SchemaKind::kDate:
      return FromTime(internal::ParseDate(text), "date formatted string", text);
    case SchemaKind::kDateTime:
      return FromTime(internal::ParseDateTime(text), "date-time formatted string", text);
    default:
      return Value::FromView(text);
  }
}

Value FromIntOrString(const unstructured::Value& value) {
  if (value.is_string()) return Value::FromView(*value.text());
  if (value.is_int()) return Value::FromInt(*value.integer());
  return Value::Error("invalid data, expected XIntOrString value to be either a string or integer");
}

Value FromObject(const unstructured::Value& value, const Schema& schema) {
  if (!value.is_object()) {
    return Value::Error("invalid data, expected a map for the provided schema with type=object");
  }
  return Value::FromMap(std::make_shared<const ObjectMap>(*value.object(), &schema));
}

Value FromArray(const unstructured::Value& value, const Schema& schema) {
  if (!value.is_list()) {
    return Value::Error("invalid data, expected an array for the provided schema with type=array");
  }
  if (schema.element == nullptr) {
    return Value::Error("invalid array type, expected Items with a non-empty Schema");
  }
  return Value::FromList(std::make_shared<const ObjectList>(*value.list(), &schema));
}

}  // namespace

Value ToValue(const unstructured::Value& value) {
  switch (value.type()) {
    case unstructured::ValueType::kNull:
      return Value();
    case unstructured::ValueType::kBool:
      return Value::FromBool(*value.boolean());
    case unstructured::ValueType::kInt:
      return Value::FromInt(*value.integer());
    case unstructured::ValueType::kDouble:
      return Value::FromDouble(*value.number());
    case unstructured::ValueType::kString:
      return Value::FromView(*value.text());
    case unstructured::ValueType::kList:
      return Value::FromList(std::make_shared<const ObjectList>(*value.list(), nullptr));
    case unstructured::ValueType::kObject:
      return Value::FromMap(std::make_shared<const ObjectMap>(*value.object(), nullptr));
  }
  return Value();
}

Value ToValue(const unstructured::Value& value, const Schema& schema) {
  if (schema.kind == SchemaKind::kAny) return ToValue(value);
  if (value.is_null()) {
    return schema.nullable ? Value()
                           : Value::Error("invalid data, got null for schema with nullable=false");
  }
  switch (schema.kind) {
    case SchemaKind::kIntOrString:
      return FromIntOrString(value);
    case SchemaKind::kObject:
    case SchemaKind::kMap:
      return FromObject(value, schema);
    case SchemaKind::kList:
      return FromArray(value, schema);
    case SchemaKind::kInteger:
      return value.is_int() ? Value::FromInt(*value.integer()) : Wrong("int", value);
    case SchemaKind::kNumber:
      return value.is_number() ? Value::FromDouble(*value.number()) : Wrong("float", value);
    case SchemaKind::kBoolean:
      return value.is_bool() ? Value::FromBool(*value.boolean()) : Wrong("bool", value);
    case SchemaKind::kPreserved:
      return Value::FromOpaque(std::make_shared<const PreservedValue>(value));
    default:
      return FromText(value, schema.kind);
  }
}

bool IsVisible(const Schema& schema) {
  switch (schema.kind) {
    case SchemaKind::kPreserved:
      return false;
    case SchemaKind::kList:
    case SchemaKind::kMap:
      return schema.element != nullptr && IsVisible(*schema.element);
    default:
      return true;
  }
}

SchemaTypes::SchemaTypes(const Schema& schema, absl::string_view name)
    : root_(Declare(schema, std::string(name))) {}

TypePtr SchemaTypes::Declare(const Schema& schema, const std::string& name) {
  switch (schema.kind) {
    case SchemaKind::kAny:
    case SchemaKind::kIntOrString:
      return DynType();
    case SchemaKind::kMap:
    case SchemaKind::kList: {
      const bool is_map = schema.kind == SchemaKind::kMap;
      if (schema.element == nullptr) return nullptr;
      TypePtr element = Declare(*schema.element, absl::StrCat(name, is_map ? ".@elem" : ".@idx"));
      if (element == nullptr) return nullptr;
      return is_map ? MapType(StringType(), std::move(element)) : ListType(std::move(element));
    }
    case SchemaKind::kString:
      return StringType();
    case SchemaKind::kByte:
      return BytesType();
    case SchemaKind::kDuration:
      return DurationType();
    case SchemaKind::kDate:
    case SchemaKind::kDateTime:
      return TimestampType();
    case SchemaKind::kInteger:
      return IntType();
    case SchemaKind::kNumber:
      return DoubleType();
    case SchemaKind::kBoolean:
      return BoolType();
    case SchemaKind::kPreserved:
      return nullptr;
    case SchemaKind::kObject:
      break;
  }
  Fields fields;
  for (const auto& [property, property_schema] : schema.properties) {
    std::optional<std::string> identifier = EscapeIdentifier(property);
    if (!identifier.has_value() || property_schema == nullptr) continue;
    TypePtr type = Declare(*property_schema, absl::StrCat(name, ".", *identifier));
    if (type != nullptr) fields.emplace(*std::move(identifier), std::move(type));
  }
  structs_.insert_or_assign(name, std::move(fields));
  return StructType(name);
}

bool SchemaTypes::HasStruct(absl::string_view name) const { return structs_.contains(name); }

TypePtr SchemaTypes::FindField(absl::string_view struct_name, absl::string_view field) const {
  const auto found = structs_.find(struct_name);
  if (found == structs_.end()) return nullptr;
  const Fields& fields = found->second;
  auto type = fields.find(field);
  if (type == fields.end()) {
    // A reserved word can stand behind a dot: self.namespace is self.__namespace__. Of other names
    // only the escaped form is one of a field.
    const std::string escaped = absl::StrCat("__", field, "__");
    if (EscapeIdentifier(field) != escaped) return nullptr;
    type = fields.find(escaped);
  }
  return type == fields.end() ? nullptr : type->second;
}

}  // namespace kube::cel
