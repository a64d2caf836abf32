#include "codegen/crd_import/internal/schema_type.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "codegen/crds/known_formats.h"

namespace kube::codegen::internal {
namespace {

using unstructured::Value;

constexpr char kPreserve[] = "x-kubernetes-preserve-unknown-fields";
constexpr char kIntOrString[] = "x-kubernetes-int-or-string";
// A struct must not be larger than 64 KiB.
constexpr size_t kMaxProperties = 1000;

SchemaType Leaf(absl::string_view leaf, absl::string_view type, absl::string_view format = "") {
  SchemaType made;
  made.form = Form::kLeaf;
  made.leaf = std::string(leaf);
  made.written["type"] = type;
  if (!format.empty()) made.written["format"] = format;
  return made;
}

SchemaType Holder(Form form, absl::string_view type) {
  SchemaType made;
  made.form = form;
  made.written["type"] = type;
  return made;
}

SchemaType AnyValue() {
  SchemaType made;
  made.written[kPreserve] = true;
  return made;
}

// The server takes "datetime" for "date-time".
SchemaType OfString(absl::string_view format) {
  const std::string name = absl::StrReplaceAll(format, {{"-", ""}});
  if (name == "datetime") return Leaf("kube.Time", "string", "date-time");
  if (name == "byte") return Leaf("bytes", "string", "byte");
  return Leaf("string", "string");
}

SchemaType OfIntOrString(const Map<Value>& schema) {
  const bool is_quantity = TextOf(schema, "pattern") == kQuantityPattern;
  SchemaType made;
  made.form = Form::kLeaf;
  made.leaf = is_quantity ? "kube.Quantity" : "kube.IntOrString";
  Map<Value> integer, text;
  integer["type"] = "integer";
  text["type"] = "string";
  List<Value> types;
  types.push_back(std::move(integer));
  types.push_back(std::move(text));
  made.written["anyOf"] = std::move(types);
  made.written[kIntOrString] = true;
  if (is_quantity) made.written["pattern"] = kQuantityPattern;
  return made;
}

SchemaType OfObject(const Map<Value>& schema) {
  const Value* properties = schema.find("properties");
  const size_t count =
      properties == nullptr || !properties->is_object() ? 0 : properties->object()->size();
  const Value* additional = schema.find("additionalProperties");
  const bool preserves = IsTrue(schema, kPreserve);
  if (IsTrue(schema, "x-kubernetes-embedded-resource") || count > kMaxProperties) {
    return AnyValue();
  }
  if (additional != nullptr) {
    const bool is_map = additional->is_object() || additional->boolean() == true;
    return is_map && !preserves && count == 0 ? Holder(Form::kMap, "object") : AnyValue();
  }
  return count == 0 && preserves ? AnyValue() : Holder(Form::kMessage, "object");
}

}  // namespace

bool IsTrue(const Map<Value>& schema, absl::string_view name) {
  const Value* member = schema.find(name);
  return member != nullptr && member->boolean() == true;
}

absl::string_view TextOf(const Map<Value>& schema, absl::string_view name) {
  const Value* member = schema.find(name);
  return member == nullptr ? absl::string_view() : member->text().value_or(absl::string_view());
}

const Map<Value>* ElementSchemaOf(const Map<Value>& schema) {
  const bool is_list = TextOf(schema, "type") == "array";
  const Value* element = schema.find(is_list ? "items" : "additionalProperties");
  return element == nullptr ? nullptr : element->object();
}

SchemaType TypeOfSchema(const Map<Value>& schema) {
  if (IsTrue(schema, kIntOrString)) return OfIntOrString(schema);
  const absl::string_view type = TextOf(schema, "type");
  const absl::string_view format = TextOf(schema, "format");
  if (type == "string") return OfString(format);
  if (type == "boolean") return Leaf("bool", "boolean");
  if (type == "number") return Leaf("double", "number");
  if (type == "integer") {
    return format == "int32" ? Leaf("int32", type, format) : Leaf("int64", type, "int64");
  }
  if (type == "array" && ElementSchemaOf(schema) != nullptr) return Holder(Form::kList, type);
  return type == "object" ? OfObject(schema) : AnyValue();
}

SchemaType TypeOfElement(const Map<Value>& schema) {
  SchemaType type = TypeOfSchema(schema);
  const bool fits = type.form == Form::kLeaf || type.form == Form::kMessage;
  return fits && !IsTrue(schema, "nullable") ? std::move(type) : AnyValue();
}

}  // namespace kube::codegen::internal
