#include "apimachinery/crd_schema/differential/random_schema.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/value.h"
#include "tests/dice.h"

namespace kube::oracle {
namespace {

using unstructured::Value;

constexpr absl::string_view kNames[] = {"a", "b", "c", "d.e", "name"};
constexpr absl::string_view kTypes[] = {"object", "object",  "array",  "array",   "string",
                                        "string", "integer", "number", "boolean", "integer"};
constexpr absl::string_view kTexts[] = {
    "",      "a",      "abc",        "Abc-1", "10.0.0.1", "2006-01-02",
    "1h30m", "\u00e4", "2020-02-30", "x y",   "null",     "2014-12-15T19:30:20.000Z",
    "AAA=",  "<b>&",   "::1",        "a@b.c", "12",       "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"};
constexpr absl::string_view kPatterns[] = {"^[a-z]+$", "a|b", "^.{1,3}$", "(",   "^(?<x>a)b",
                                           "\\d+",     "[a",  "a**",      "\\pL"};
constexpr absl::string_view kTextFormats[] = {"date", "date-time", "ipv4",     "uuid",
                                              "byte", "duration",  "hostname", "made-up"};
constexpr absl::string_view kNumberFormats[] = {"int32", "int64", "float", "double", "made-up"};
constexpr int64_t kIntegers[] = {0, 1, 2, 3, 10, -1, 7, 2147483648, 9007199254740993, -5};
constexpr double kDoubles[] = {0.5, 1.0, 2.5, -1.5, 1e21, 0.1, 3.0, 1e300, 9007199254740994.0,
                               1e-7};

List<Value> ListOf(std::initializer_list<absl::string_view> texts) {
  List<Value> list = List<Value>::Empty();
  for (const absl::string_view text : texts) list.push_back(Value(text));
  return list;
}

}  // namespace

absl::string_view SchemaMaker::Pick(absl::Span<const absl::string_view> texts) {
  return texts[dice_.Below(texts.size())];
}

Value SchemaMaker::Number() {
  if (OneIn(2)) return Value(kIntegers[dice_.Below(std::size(kIntegers))]);
  return Value(kDoubles[dice_.Below(std::size(kDoubles))]);
}

Value SchemaMaker::Anything(int depth) {
  switch (dice_.Below(depth > 0 ? 7 : 5)) {
    case 0:
      return Value();
    case 1:
      return Value(OneIn(2));
    case 2:
      return Number();
    case 3:
    case 4:
      return Value(Pick(kTexts));
    case 5: {
      List<Value> list = List<Value>::Empty();
      for (size_t i = dice_.Below(4); i > 0; --i) list.push_back(Anything(depth - 1));
      return Value(std::move(list));
    }
    default: {
      Map<Value> object = Map<Value>::Empty();
      for (size_t i = dice_.Below(4); i > 0; --i) object[Pick(kNames)] = Anything(depth - 1);
      return Value(std::move(object));
    }
  }
}

// ---- values

Value SchemaMaker::TextOf(const Value& schema) {
  const Value* allowed = schema.Find("enum");
  if (allowed != nullptr && allowed->is_list() && !allowed->list()->empty() && !OneIn(3)) {
    return (*allowed->list())[dice_.Below(allowed->list()->size())];
  }
  return Value(Pick(kTexts));
}

Value SchemaMaker::NumberOf(const Value& schema, bool integer) {
  const Value* bound = schema.Find(OneIn(2) ? "maximum" : "minimum");
  if (bound != nullptr && bound->is_int() && OneIn(2)) {
    return Value(*bound->integer() + static_cast<int64_t>(dice_.Below(3)) - 1);
  }
  if (integer && !OneIn(5)) return Value(kIntegers[dice_.Below(std::size(kIntegers))]);
  return Number();
}

Value SchemaMaker::ValueOf(const Value& schema, int depth) {
  if (depth <= 0 || !schema.is_object() || OneIn(14)) return Anything(1);
  if (OneIn(20)) return Value();
  const Value* type_value = schema.Find("type");
  const absl::string_view type =
      type_value == nullptr ? "" : type_value->text().value_or(absl::string_view());
  if (type == "string") return TextOf(schema);
  if (type == "integer" || type == "number") return NumberOf(schema, type == "integer");
  if (type == "boolean") return Value(OneIn(2));
  if (type == "array") {
    List<Value> list = List<Value>::Empty();
    const Value* items = schema.Find("items");
    for (size_t i = dice_.Below(4); i > 0; --i) {
      if (!list.empty() && OneIn(3)) {
        list.push_back(Value(list[0]));
      } else {
        list.push_back(items == nullptr ? Anything(1) : ValueOf(*items, depth - 1));
      }
    }
    return Value(std::move(list));
  }
  if (type != "object") return Anything(2);
  Map<Value> object = Map<Value>::Empty();
  if (const Value* properties = schema.Find("properties"); properties != nullptr) {
    for (const auto& [name, property] : *properties->object()) {
      if (!OneIn(3)) object[name] = ValueOf(property, depth - 1);
    }
  }
  const Value* additional = schema.Find("additionalProperties");
  if (additional != nullptr || OneIn(4)) {
    for (size_t i = dice_.Below(3); i > 0; --i) {
      object[Pick(kNames)] = additional == nullptr ? Anything(2) : ValueOf(*additional, depth - 1);
    }
  }
  if (const Value* resource = schema.Find("x-kubernetes-embedded-resource"); resource != nullptr) {
    if (!OneIn(5)) object["apiVersion"] = OneIn(8) ? "a/b/c" : "v1";
    if (!OneIn(5)) object["kind"] = OneIn(8) ? Value("no kind") : Value("Pod");
    if (!OneIn(3)) object["metadata"] = Metadata();
  }
  return Value(std::move(object));
}

Value SchemaMaker::Metadata() {
  Map<Value> metadata = Map<Value>::Empty();
  if (OneIn(2)) metadata["name"] = OneIn(5) ? "a/b" : "web";
  if (OneIn(3)) metadata["labels"] = Map<Value>{{"app", "web"}, {OneIn(5) ? "-" : "tier", "x"}};
  if (OneIn(4)) metadata["unknown"] = Anything(1);
  if (OneIn(4)) metadata["creationTimestamp"] = Value();
  return Value(std::move(metadata));
}

Value SchemaMaker::MakeValue(const Value& schema) { return ValueOf(schema, 5); }

Map<Value> SchemaMaker::MakeObject(const Value& schema) {
  Value value = ValueOf(schema, 5);
  Map<Value> object = value.is_object() ? std::move(*value.object()) : Map<Value>::Empty();
  object["apiVersion"] = "example.com/v1";
  object["kind"] = "Thing";
  object["metadata"] = Map<Value>{{"name", "x"}};
  return object;
}

Value SchemaMaker::Change(const Value& schema, const Value& value) {
  if (OneIn(8)) return MakeValue(schema);
  Value changed = value;
  if (Map<Value>* object = changed.object(); object != nullptr) {
    const Value* properties = schema.Find("properties");
    for (auto& [name, member] : *object) {
      const Value* property = properties == nullptr ? nullptr : properties->Find(name);
      if (property != nullptr && OneIn(2)) member = Change(*property, member);
    }
  } else if (List<Value>* list = changed.list(); list != nullptr && list->size() > 1 && OneIn(2)) {
    std::swap((*list)[0], (*list)[1]);
  }
  return changed;
}

// ---- schemas

void SchemaMaker::AddObject(Map<Value>& schema, int depth, bool nested) {
  if (OneIn(4) && !nested) {
    schema["additionalProperties"] = OneIn(4) ? Value(OneIn(2)) : Value(Schema(depth - 1));
  } else if (!nested && !OneIn(8)) {
    Map<Value> properties = Map<Value>::Empty();
    for (size_t i = 1 + dice_.Below(3); i > 0; --i) properties[Pick(kNames)] = Schema(depth - 1);
    schema["properties"] = std::move(properties);
  }
  if (OneIn(3)) schema["required"] = ListOf({Pick(kNames), Pick(kNames)});
  if (OneIn(6)) schema["maxProperties"] = static_cast<int64_t>(dice_.Below(4));
  if (OneIn(8)) schema["minProperties"] = static_cast<int64_t>(dice_.Below(3));
  if (nested) return;
  if (OneIn(6)) schema["x-kubernetes-preserve-unknown-fields"] = true;
  if (OneIn(12)) schema["x-kubernetes-map-type"] = OneIn(2) ? "atomic" : "granular";
  if (OneIn(8)) {
    schema["x-kubernetes-embedded-resource"] = true;
    if (OneIn(2)) schema["x-kubernetes-preserve-unknown-fields"] = true;
  }
}

void SchemaMaker::AddArray(Map<Value>& schema, int depth, bool nested) {
  if (!nested && !OneIn(30)) schema["items"] = Schema(depth - 1);
  if (OneIn(5)) schema["maxItems"] = static_cast<int64_t>(dice_.Below(4));
  if (OneIn(5)) schema["minItems"] = static_cast<int64_t>(dice_.Below(4));
  if (OneIn(12)) schema["uniqueItems"] = true;
  if (nested || OneIn(2)) return;
  if (OneIn(3)) {
    schema["x-kubernetes-list-type"] = "set";
  } else {
    Value items = Schema(depth - 1);
    At(items, {"type"}) = "object";
    At(items, {"properties", "a"}) = Map<Value>{{"type", "string"}};
    schema["items"] = std::move(items);
    schema["x-kubernetes-list-type"] = "map";
    schema["x-kubernetes-list-map-keys"] = OneIn(3) ? ListOf({"a", "b"}) : ListOf({"a"});
  }
}

void SchemaMaker::AddText(Map<Value>& schema) {
  if (OneIn(4)) schema["maxLength"] = static_cast<int64_t>(dice_.Below(6));
  if (OneIn(4)) schema["minLength"] = static_cast<int64_t>(dice_.Below(4));
  if (OneIn(4)) {
    // Only the first three are valid patterns.
    schema["pattern"] = kPatterns[dice_.Below(shape_.mistakes > 0 ? std::size(kPatterns) : 3)];
  }
  if (OneIn(3)) schema["format"] = Pick(kTextFormats);
  if (OneIn(5)) schema["enum"] = ListOf({Pick(kTexts), Pick(kTexts)});
}

void SchemaMaker::AddNumber(Map<Value>& schema) {
  if (OneIn(3)) schema["maximum"] = Number();
  if (OneIn(3)) schema["minimum"] = Number();
  if (OneIn(5)) schema["exclusiveMaximum"] = true;
  if (OneIn(5)) schema["exclusiveMinimum"] = true;
  if (OneIn(4)) schema["multipleOf"] = Number();
  if (OneIn(3)) schema["format"] = Pick(kNumberFormats);
  if (OneIn(6)) {
    List<Value> allowed = List<Value>::Empty();
    allowed.push_back(Number());
    allowed.push_back(Anything(0));
    schema["enum"] = std::move(allowed);
  }
}

// Returns a schema that only restricts the values of `schema`, for allOf, anyOf, oneOf and not.
Map<Value> SchemaMaker::Nested(const Map<Value>& schema, int depth) {
  Map<Value> nested = Map<Value>::Empty();
  const Value* type_value = schema.find("type");
  const absl::string_view type =
      type_value == nullptr ? "" : type_value->text().value_or(absl::string_view());
  if (type == "object") AddObject(nested, depth, /*nested=*/true);
  if (type == "array") AddArray(nested, depth, /*nested=*/true);
  if (type == "string") AddText(nested);
  if (type == "integer" || type == "number") AddNumber(nested);
  const Value* properties = schema.find("properties");
  if (properties != nullptr && OneIn(2)) {
    for (const auto& [name, property] : *properties->object()) {
      if (OneIn(2)) At(nested, {"properties", name}) = Nested(*property.object(), depth - 1);
    }
  }
  if (const Value* items = schema.find("items");
      items != nullptr && items->is_object() && OneIn(2)) {
    nested["items"] = Nested(*items->object(), depth - 1);
  }
  if (depth > 1 && OneIn(5)) {
    nested["not"] = Nested(schema, depth - 2);
  }
  if (shape_.mistakes > 0 && OneIn(static_cast<size_t>(shape_.mistakes))) AddMistake(nested);
  return nested;
}

void SchemaMaker::AddJunctors(Map<Value>& schema, int depth) {
  for (const absl::string_view name : {"allOf", "anyOf", "oneOf"}) {
    if (!OneIn(7)) continue;
    List<Value> list = List<Value>::Empty();
    for (size_t i = 1 + dice_.Below(3); i > 0; --i) list.push_back(Nested(schema, depth));
    schema[name] = std::move(list);
  }
  if (OneIn(10)) schema["not"] = Nested(schema, depth);
}

void SchemaMaker::AddMistake(Map<Value>& schema) {
  constexpr absl::string_view kFlags[] = {"nullable", "x-kubernetes-int-or-string",
                                          "x-kubernetes-preserve-unknown-fields",
                                          "x-kubernetes-embedded-resource", "additionalProperties"};
  constexpr absl::string_view kWords[] = {
      "title", "description", "type", "x-kubernetes-map-type", "x-kubernetes-list-type", "pattern"};
  switch (dice_.Below(7)) {
    case 0:
      schema[Pick(kFlags)] = true;
      break;
    case 1:
      schema[Pick(kWords)] = "string";
      break;
    case 2:
      schema["default"] = Anything(1);
      break;
    case 3:
      schema["properties"] =
          Map<Value>{{OneIn(2) ? "metadata" : "kind", Map<Value>{{"type", "integer"}}}};
      break;
    case 4:
      schema[OneIn(2) ? "$ref" : "id"] = "x";
      break;
    case 5:
      schema["items"] = OneIn(2) ? Value(List<Value>{Value(Map<Value>{{"type", "string"}})})
                                 : Value(Map<Value>::Empty());
      break;
    default:
      schema["x-kubernetes-validations"] = List<Value>{Value(Map<Value>{{"rule", "true"}})};
  }
}

Map<Value> SchemaMaker::Schema(int depth) {
  Map<Value> schema = Map<Value>::Empty();
  if (OneIn(14)) {
    schema["x-kubernetes-int-or-string"] = true;
    if (OneIn(2)) {
      schema["anyOf"] = List<Value>{Value(Map<Value>{{"type", "integer"}}),
                                    Value(Map<Value>{{"type", "string"}})};
    }
    if (OneIn(3)) AddText(schema);
  } else if (OneIn(20)) {
    schema["x-kubernetes-preserve-unknown-fields"] = true;
  } else {
    const absl::string_view type = depth > 0 ? Pick(kTypes) : kTypes[4 + dice_.Below(6)];
    schema["type"] = type;
    if (type == "object") AddObject(schema, depth, /*nested=*/false);
    if (type == "array") AddArray(schema, depth, /*nested=*/false);
    if (type == "string") AddText(schema);
    if (type == "integer" || type == "number") AddNumber(schema);
    if (OneIn(2)) AddJunctors(schema, depth);
  }
  if (OneIn(6)) schema["nullable"] = true;
  if (OneIn(5)) schema["default"] = MakeValue(schema);
  if (shape_.mistakes > 0 && OneIn(static_cast<size_t>(shape_.mistakes))) AddMistake(schema);
  return schema;
}

Map<Value> SchemaMaker::MakeSchema(const SchemaShape& shape) {
  shape_ = shape;
  Map<Value> schema = Map<Value>::Empty();
  schema["type"] = "object";
  Map<Value> properties = Map<Value>::Empty();
  for (size_t i = 1 + dice_.Below(3); i > 0; --i) properties[Pick(kNames)] = Schema(3);
  if (OneIn(10)) {
    properties["metadata"] =
        Map<Value>{{"type", "object"},
                   {"properties", Map<Value>{{OneIn(5) ? "labels" : "name",
                                              Map<Value>{{"type", "string"}, {"maxLength", 3}}}}}};
  }
  schema["properties"] = std::move(properties);
  if (OneIn(4)) schema["required"] = ListOf({Pick(kNames)});
  if (OneIn(3)) AddJunctors(schema, 3);
  if (OneIn(10)) schema["x-kubernetes-preserve-unknown-fields"] = true;
  if (shape_.mistakes > 0 && OneIn(static_cast<size_t>(shape_.mistakes))) AddMistake(schema);
  return schema;
}

bool HasPropertiesAndOthers(const Value& schema) {
  const Map<Value>* properties = schema["properties"].object();
  if (properties != nullptr) {
    if (!properties->empty() && schema["additionalProperties"].is_object()) return true;
    for (const auto& [name, property] : *properties) {
      if (HasPropertiesAndOthers(property)) return true;
    }
  }
  return (schema["items"].is_object() && HasPropertiesAndOthers(schema["items"])) ||
         (schema["additionalProperties"].is_object() &&
          HasPropertiesAndOthers(schema["additionalProperties"]));
}

}  // namespace kube::oracle
