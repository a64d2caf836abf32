#include "apiserver/openapi/swagger.h"

#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/openapi/schema_parts.h"

namespace kube::apiserver::internal {
namespace {

using unstructured::Value;

constexpr absl::string_view kDefinitionsV2 = "#/definitions/";

void SetReference(absl::string_view reference, Map<Value>& schema) {
  schema["$ref"] = absl::StrCat(kDefinitionsV2, absl::StripPrefix(reference, kDefinitionsV3));
}

void Convert(Map<Value>& schema) {
  schema.erase("default");
  if (schema.erase("oneOf") && !schema.contains("type")) schema["type"] = "string";
  if (const Value* reference = schema.find("$ref"); reference != nullptr) {
    SetReference(std::string(reference->text().value_or("")), schema);
  }
  const Value* all = schema.find("allOf");
  if (all != nullptr && all->is_list() && all->list()->size() == 1) {
    const Value& only = all->list()->front();
    if (const Value* reference = only.Find("$ref"); reference != nullptr) {
      const std::string text(reference->text().value_or(""));
      schema.erase("allOf");
      SetReference(text, schema);
    }
  }
  ForEachPart(schema, Convert);
}

// Returns the schema of a body, which is the same in all formats.
Value SchemaOf(const Map<Value>& content) {
  if (content.empty()) return Map<Value>::Empty();
  const Value* schema = content.begin()->value.Find("schema");
  if (schema == nullptr || !schema->is_object()) return Map<Value>::Empty();
  return ToSwaggerSchema(*schema->object());
}

List<Value> KeysOf(const Map<Value>& content) {
  List<Value> keys;
  for (const auto& [key, value] : content) keys.push_back(key);
  return keys;
}

// Writes what the schema says beside the other members.
Value ToParameter(const Value& parameter) {
  if (!parameter.is_object()) return parameter;
  Map<Value> converted = *parameter.object();
  converted.erase("schema");
  if (const Map<Value>* schema = parameter["schema"].object(); schema != nullptr) {
    for (const auto& [key, value] : *schema) converted[key] = value;
  }
  return converted;
}

Value ToParameters(const Value& parameters) {
  List<Value> converted;
  if (const List<Value>* list = parameters.list(); list != nullptr) {
    for (const Value& each : *list) converted.push_back(ToParameter(each));
  }
  return converted;
}

Value BodyParameter(const Value& body) {
  Map<Value> parameter;
  parameter["in"] = "body";
  parameter["name"] = "body";
  if (body["required"].boolean() == true) parameter["required"] = true;
  parameter["schema"] = SchemaOf(*body["content"].object());
  return parameter;
}

Value ToResponse(const Value& response) {
  Map<Value> converted;
  converted["description"] = response["description"];
  if (const Map<Value>* content = response["content"].object(); content != nullptr) {
    converted["schema"] = SchemaOf(*content);
  }
  return converted;
}

// Returns what an operation without a body is said to take: anything if it is one of a built-in
// resource, and otherwise, as for custom resources and discovery, what it produces. Only built-in
// resources have both an action and protobuf (kube-apiserver: `registerResourceHandlers`, which
// names no formats, and `builder.buildRoute`, which does).
Value DefaultConsumes(const Map<Value>& operation) {
  const Value* produces = operation.find("produces");
  if (produces == nullptr) return List<Value>{"*/*"};
  const bool is_built_in =
      operation.contains("x-kubernetes-action") &&
      absl::c_linear_search(*produces->list(), Value("application/vnd.kubernetes.protobuf"));
  return is_built_in ? Value(List<Value>{"*/*"}) : *produces;
}

Map<Value> ToOperation(const Map<Value>& operation) {
  Map<Value> converted = operation;
  converted.erase("requestBody");
  converted["schemes"] = List<Value>{"https"};
  Map<Value> responses;
  const Value* found = operation.find("responses");
  if (found != nullptr && found->is_object()) {
    for (const auto& [code, response] : *found->object()) responses[code] = ToResponse(response);
    const Map<Value>* content = (*found)["200"]["content"].object();
    if (content != nullptr) converted["produces"] = KeysOf(*content);
  }
  converted["responses"] = std::move(responses);
  converted["consumes"] = DefaultConsumes(converted);
  const Value* old_parameters = operation.find("parameters");
  Value parameters = ToParameters(old_parameters == nullptr ? Value() : *old_parameters);
  const Value* body = operation.find("requestBody");
  if (body != nullptr && (*body)["content"].is_object()) {
    converted["consumes"] = KeysOf(*(*body)["content"].object());
    parameters.list()->push_back(BodyParameter(*body));
    absl::c_sort(*parameters.list(), [](const Value& a, const Value& b) {
      return a["name"].text() < b["name"].text();
    });
  }
  if (parameters.list()->empty()) {
    converted.erase("parameters");
  } else {
    converted["parameters"] = std::move(parameters);
  }
  return converted;
}

}  // namespace

Map<Value> ToSwaggerSchema(Map<Value> schema) {
  Convert(schema);
  return schema;
}

Map<Value> ToSwaggerPathItem(const Map<Value>& item) {
  Map<Value> converted;
  for (const auto& [key, value] : item) {
    if (key == "parameters") {
      converted[key] = ToParameters(value);
    } else if (value.is_object()) {
      converted[key] = ToOperation(*value.object());
    }
  }
  return converted;
}

}  // namespace kube::apiserver::internal
