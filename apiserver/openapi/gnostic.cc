// A table for each message says which member of a JSON object becomes which field, and how. Three
// things that gnostic's messages do need more than a field. A map is a repeated message of name and
// value; members that are not among a message's fields are its map: the paths of Paths, the codes
// of Responses, the names of Definitions. Where JSON has an object or a reference, the message is a
// oneof of both. Members x-… are in a map of their own, the extensions.

#include "apiserver/openapi/gnostic.h"

#include <bit>
#include <cstdint>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::apiserver::internal {
namespace {

using unstructured::Value;

// ---- the wire

constexpr uint64_t kVarint = 0;
constexpr uint64_t kFixed64 = 1;
constexpr uint64_t kBytes = 2;

void AppendVarint(uint64_t value, std::string& out) {
  while (value >= 0x80) {
    out += static_cast<char>((value & 0x7f) | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

void AppendTag(int number, uint64_t type, std::string& out) {
  AppendVarint((static_cast<uint64_t>(number) << 3) | type, out);
}

void AppendBytes(int number, absl::string_view bytes, std::string& out) {
  AppendTag(number, kBytes, out);
  AppendVarint(bytes.size(), out);
  out.append(bytes.data(), bytes.size());
}

void AppendBool(int number, bool value, std::string& out) {
  AppendTag(number, kVarint, out);
  out += value ? '\1' : '\0';
}

void AppendDouble(int number, double value, std::string& out) {
  AppendTag(number, kFixed64, out);
  const auto bits = std::bit_cast<uint64_t>(value);
  for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>((bits >> shift) & 0xff);
}

// ---- the messages

struct MessageSpec;

// How the value of a member is written.
enum class Form : uint8_t {
  kText,
  kTexts,
  kBool,
  kInt,
  kDouble,
  kMessage,
  kMessages,
  kItems,            // a message whose field 1 is the value
  kMessageOrBool,    // a message whose field 1 is the value, or field 2 a bool
  kType,             // a message whose field 1 is a repeated string
  kAny,              // an Any
  kAnys,             // repeated
  kDefault,          // a DefaultType: a number, bool or string
  kParameters,       // repeated; of v2, whose parameters are of a type for each place
  kSecuritySchemes,  // of v2, whose schemes are of a type for each kind
};

struct FieldSpec {
  absl::string_view member;
  int number;
  Form form;
  const MessageSpec* message = nullptr;
};

struct MessageSpec {
  absl::Span<const FieldSpec> fields = {};  // ascending by number
  // The number of the map that has all other members, and their type; 0 if there is none.
  int rest = 0;
  const MessageSpec* rest_message = nullptr;
  int extensions = 0;  // the number of the map of members x-…; 0 if there is none
  // For a oneof of an object, which is field 1, and a reference, field 2; else null.
  const MessageSpec* object = nullptr;
  const MessageSpec* reference = nullptr;
};

// Tables refer to each other.
extern const MessageSpec kSchemaV3;
extern const MessageSpec kSchemaOrReferenceV3;
extern const MessageSpec kSchemaV2;

constexpr FieldSpec kExternalDocsFields[] = {
    {"description", 1, Form::kText},
    {"url", 2, Form::kText},
};
const MessageSpec kExternalDocs = {.fields = kExternalDocsFields, .extensions = 3};

// ---- version 3

constexpr FieldSpec kReferenceV3Fields[] = {
    {"$ref", 1, Form::kText},
    {"summary", 2, Form::kText},
    {"description", 3, Form::kText},
};
const MessageSpec kReferenceV3 = {.fields = kReferenceV3Fields};
const MessageSpec kSchemaOrReferenceV3 = {.object = &kSchemaV3, .reference = &kReferenceV3};
const MessageSpec kSchemasV3 = {.rest = 1, .rest_message = &kSchemaOrReferenceV3};

constexpr FieldSpec kSchemaV3Fields[] = {
    {"nullable", 1, Form::kBool},
    {"readOnly", 3, Form::kBool},
    {"writeOnly", 4, Form::kBool},
    {"externalDocs", 6, Form::kMessage, &kExternalDocs},
    {"example", 7, Form::kAny},
    {"deprecated", 8, Form::kBool},
    {"title", 9, Form::kText},
    {"multipleOf", 10, Form::kDouble},
    {"maximum", 11, Form::kDouble},
    {"exclusiveMaximum", 12, Form::kBool},
    {"minimum", 13, Form::kDouble},
    {"exclusiveMinimum", 14, Form::kBool},
    {"maxLength", 15, Form::kInt},
    {"minLength", 16, Form::kInt},
    {"pattern", 17, Form::kText},
    {"maxItems", 18, Form::kInt},
    {"minItems", 19, Form::kInt},
    {"uniqueItems", 20, Form::kBool},
    {"maxProperties", 21, Form::kInt},
    {"minProperties", 22, Form::kInt},
    {"required", 23, Form::kTexts},
    {"enum", 24, Form::kAnys},
    {"type", 25, Form::kText},
    {"allOf", 26, Form::kMessages, &kSchemaOrReferenceV3},
    {"oneOf", 27, Form::kMessages, &kSchemaOrReferenceV3},
    {"anyOf", 28, Form::kMessages, &kSchemaOrReferenceV3},
    {"not", 29, Form::kMessage, &kSchemaV3},
    {"items", 30, Form::kItems, &kSchemaOrReferenceV3},
    {"properties", 31, Form::kMessage, &kSchemasV3},
    {"additionalProperties", 32, Form::kMessageOrBool, &kSchemaOrReferenceV3},
    {"default", 33, Form::kDefault},
    {"description", 34, Form::kText},
    {"format", 35, Form::kText},
};
const MessageSpec kSchemaV3 = {.fields = kSchemaV3Fields, .extensions = 36};

constexpr FieldSpec kMediaTypeFields[] = {
    {"schema", 1, Form::kMessage, &kSchemaOrReferenceV3},
};
const MessageSpec kMediaType = {.fields = kMediaTypeFields, .extensions = 5};
const MessageSpec kMediaTypes = {.rest = 1, .rest_message = &kMediaType};

constexpr FieldSpec kParameterV3Fields[] = {
    {"name", 1, Form::kText},        {"in", 2, Form::kText},
    {"description", 3, Form::kText}, {"required", 4, Form::kBool},
    {"deprecated", 5, Form::kBool},  {"schema", 10, Form::kMessage, &kSchemaOrReferenceV3},
};
const MessageSpec kParameterV3 = {.fields = kParameterV3Fields, .extensions = 14};
const MessageSpec kParameterOrReferenceV3 = {.object = &kParameterV3, .reference = &kReferenceV3};

constexpr FieldSpec kRequestBodyFields[] = {
    {"description", 1, Form::kText},
    {"content", 2, Form::kMessage, &kMediaTypes},
    {"required", 3, Form::kBool},
};
const MessageSpec kRequestBody = {.fields = kRequestBodyFields, .extensions = 4};
const MessageSpec kRequestBodyOrReference = {.object = &kRequestBody, .reference = &kReferenceV3};

constexpr FieldSpec kResponseV3Fields[] = {
    {"description", 1, Form::kText},
    {"content", 3, Form::kMessage, &kMediaTypes},
};
const MessageSpec kResponseV3 = {.fields = kResponseV3Fields, .extensions = 5};
const MessageSpec kResponseOrReferenceV3 = {.object = &kResponseV3, .reference = &kReferenceV3};
constexpr FieldSpec kResponsesV3Fields[] = {
    {"default", 1, Form::kMessage, &kResponseOrReferenceV3},
};
const MessageSpec kResponsesV3 = {.fields = kResponsesV3Fields,
                                  .rest = 2,
                                  .rest_message = &kResponseOrReferenceV3,
                                  .extensions = 3};

constexpr FieldSpec kOperationV3Fields[] = {
    {"tags", 1, Form::kTexts},
    {"summary", 2, Form::kText},
    {"description", 3, Form::kText},
    {"operationId", 5, Form::kText},
    {"parameters", 6, Form::kMessages, &kParameterOrReferenceV3},
    {"requestBody", 7, Form::kMessage, &kRequestBodyOrReference},
    {"responses", 8, Form::kMessage, &kResponsesV3},
    {"deprecated", 10, Form::kBool},
};
const MessageSpec kOperationV3 = {.fields = kOperationV3Fields, .extensions = 13};

constexpr FieldSpec kPathItemV3Fields[] = {
    {"get", 4, Form::kMessage, &kOperationV3},
    {"put", 5, Form::kMessage, &kOperationV3},
    {"post", 6, Form::kMessage, &kOperationV3},
    {"delete", 7, Form::kMessage, &kOperationV3},
    {"options", 8, Form::kMessage, &kOperationV3},
    {"head", 9, Form::kMessage, &kOperationV3},
    {"patch", 10, Form::kMessage, &kOperationV3},
    {"parameters", 13, Form::kMessages, &kParameterOrReferenceV3},
};
const MessageSpec kPathItemV3 = {.fields = kPathItemV3Fields, .extensions = 14};
const MessageSpec kPathsV3 = {.rest = 1, .rest_message = &kPathItemV3, .extensions = 2};

constexpr FieldSpec kSecuritySchemeFields[] = {
    {"type", 1, Form::kText},
    {"description", 2, Form::kText},
    {"name", 3, Form::kText},
    {"in", 4, Form::kText},
};
const MessageSpec kSecurityScheme = {.fields = kSecuritySchemeFields, .extensions = 9};
const MessageSpec kSecuritySchemeOrReference = {.object = &kSecurityScheme,
                                                .reference = &kReferenceV3};
const MessageSpec kSecuritySchemes = {.rest = 1, .rest_message = &kSecuritySchemeOrReference};

constexpr FieldSpec kComponentsFields[] = {
    {"schemas", 1, Form::kMessage, &kSchemasV3},
    {"securitySchemes", 7, Form::kMessage, &kSecuritySchemes},
};
const MessageSpec kComponents = {.fields = kComponentsFields, .extensions = 10};

constexpr FieldSpec kInfoV3Fields[] = {
    {"title", 1, Form::kText},
    {"description", 2, Form::kText},
    {"version", 6, Form::kText},
};
const MessageSpec kInfoV3 = {.fields = kInfoV3Fields, .extensions = 7};

constexpr FieldSpec kDocumentV3Fields[] = {
    {"openapi", 1, Form::kText},
    {"info", 2, Form::kMessage, &kInfoV3},
    {"paths", 4, Form::kMessage, &kPathsV3},
    {"components", 5, Form::kMessage, &kComponents},
};
const MessageSpec kDocumentV3 = {.fields = kDocumentV3Fields, .extensions = 9};

// ---- version 2

constexpr FieldSpec kReferenceV2Fields[] = {
    {"$ref", 1, Form::kText},
    {"description", 2, Form::kText},
};
const MessageSpec kReferenceV2 = {.fields = kReferenceV2Fields};
const MessageSpec kSchemasV2 = {.rest = 1, .rest_message = &kSchemaV2};

constexpr FieldSpec kSchemaV2Fields[] = {
    {"$ref", 1, Form::kText},
    {"format", 2, Form::kText},
    {"title", 3, Form::kText},
    {"description", 4, Form::kText},
    {"default", 5, Form::kAny},
    {"multipleOf", 6, Form::kDouble},
    {"maximum", 7, Form::kDouble},
    {"exclusiveMaximum", 8, Form::kBool},
    {"minimum", 9, Form::kDouble},
    {"exclusiveMinimum", 10, Form::kBool},
    {"maxLength", 11, Form::kInt},
    {"minLength", 12, Form::kInt},
    {"pattern", 13, Form::kText},
    {"maxItems", 14, Form::kInt},
    {"minItems", 15, Form::kInt},
    {"uniqueItems", 16, Form::kBool},
    {"maxProperties", 17, Form::kInt},
    {"minProperties", 18, Form::kInt},
    {"required", 19, Form::kTexts},
    {"enum", 20, Form::kAnys},
    {"additionalProperties", 21, Form::kMessageOrBool, &kSchemaV2},
    {"type", 22, Form::kType},
    {"items", 23, Form::kItems, &kSchemaV2},
    {"allOf", 24, Form::kMessages, &kSchemaV2},
    {"properties", 25, Form::kMessage, &kSchemasV2},
    {"readOnly", 27, Form::kBool},
    {"externalDocs", 29, Form::kMessage, &kExternalDocs},
    {"example", 30, Form::kAny},
};
const MessageSpec kSchemaV2 = {.fields = kSchemaV2Fields, .extensions = 31};

constexpr FieldSpec kBodyParameterFields[] = {
    {"description", 1, Form::kText},
    {"name", 2, Form::kText},
    {"in", 3, Form::kText},
    {"required", 4, Form::kBool},
    {"schema", 5, Form::kMessage, &kSchemaV2},
};
const MessageSpec kBodyParameter = {.fields = kBodyParameterFields, .extensions = 6};

constexpr FieldSpec kQueryParameterFields[] = {
    {"required", 1, Form::kBool},     {"in", 2, Form::kText},   {"description", 3, Form::kText},
    {"name", 4, Form::kText},         {"type", 6, Form::kText}, {"format", 7, Form::kText},
    {"uniqueItems", 20, Form::kBool},
};
const MessageSpec kQueryParameter = {.fields = kQueryParameterFields, .extensions = 23};

constexpr FieldSpec kPathParameterFields[] = {
    {"required", 1, Form::kBool},     {"in", 2, Form::kText},   {"description", 3, Form::kText},
    {"name", 4, Form::kText},         {"type", 5, Form::kText}, {"format", 6, Form::kText},
    {"uniqueItems", 19, Form::kBool},
};
const MessageSpec kPathParameter = {.fields = kPathParameterFields, .extensions = 22};

constexpr FieldSpec kResponseV2Fields[] = {
    {"description", 1, Form::kText},
    {"schema", 2, Form::kItems, &kSchemaV2},
};
const MessageSpec kResponseV2 = {.fields = kResponseV2Fields, .extensions = 5};
const MessageSpec kResponseOrReferenceV2 = {.object = &kResponseV2, .reference = &kReferenceV2};
const MessageSpec kResponsesV2 = {
    .rest = 1, .rest_message = &kResponseOrReferenceV2, .extensions = 2};

constexpr FieldSpec kOperationV2Fields[] = {
    {"tags", 1, Form::kTexts},
    {"summary", 2, Form::kText},
    {"description", 3, Form::kText},
    {"operationId", 5, Form::kText},
    {"produces", 6, Form::kTexts},
    {"consumes", 7, Form::kTexts},
    {"parameters", 8, Form::kParameters},
    {"responses", 9, Form::kMessage, &kResponsesV2},
    {"schemes", 10, Form::kTexts},
    {"deprecated", 11, Form::kBool},
};
const MessageSpec kOperationV2 = {.fields = kOperationV2Fields, .extensions = 13};

constexpr FieldSpec kPathItemV2Fields[] = {
    {"get", 2, Form::kMessage, &kOperationV2},     {"put", 3, Form::kMessage, &kOperationV2},
    {"post", 4, Form::kMessage, &kOperationV2},    {"delete", 5, Form::kMessage, &kOperationV2},
    {"options", 6, Form::kMessage, &kOperationV2}, {"head", 7, Form::kMessage, &kOperationV2},
    {"patch", 8, Form::kMessage, &kOperationV2},   {"parameters", 9, Form::kParameters},
};
const MessageSpec kPathItemV2 = {.fields = kPathItemV2Fields, .extensions = 10};
const MessageSpec kPathsV2 = {.rest = 2, .rest_message = &kPathItemV2, .extensions = 1};

constexpr FieldSpec kInfoV2Fields[] = {
    {"title", 1, Form::kText},
    {"version", 2, Form::kText},
    {"description", 3, Form::kText},
};
const MessageSpec kInfoV2 = {.fields = kInfoV2Fields, .extensions = 7};

// JSON has a list for it: see AppendMessage.
const MessageSpec kStringArray = {};
const MessageSpec kSecurityRequirement = {.rest = 1, .rest_message = &kStringArray};

constexpr FieldSpec kApiKeyFields[] = {
    {"type", 1, Form::kText},
    {"name", 2, Form::kText},
    {"in", 3, Form::kText},
    {"description", 4, Form::kText},
};
const MessageSpec kApiKey = {.fields = kApiKeyFields, .extensions = 5};

constexpr FieldSpec kDocumentV2Fields[] = {
    {"swagger", 1, Form::kText},
    {"info", 2, Form::kMessage, &kInfoV2},
    {"paths", 8, Form::kMessage, &kPathsV2},
    {"definitions", 9, Form::kMessage, &kSchemasV2},
    {"security", 12, Form::kMessages, &kSecurityRequirement},
    {"securityDefinitions", 13, Form::kSecuritySchemes, &kApiKey},
};
const MessageSpec kDocumentV2 = {.fields = kDocumentV2Fields, .extensions = 16};

// ---- values

void AppendMessage(const Value& value, const MessageSpec& spec, std::string& out);

std::string MessageOf(const Value& value, const MessageSpec& spec) {
  std::string message;
  AppendMessage(value, spec, message);
  return message;
}

std::string AnyOf(const Value& value) {
  std::string any;
  AppendBytes(2, unstructured::EncodeJson(value).value_or("null"), any);
  return any;
}

// Writes an entry of a map.
void AppendNamed(int number, absl::string_view name, absl::string_view value, std::string& out) {
  std::string entry;
  AppendBytes(1, name, entry);
  AppendBytes(2, value, entry);
  AppendBytes(number, entry, out);
}

void AppendTexts(int number, const Value& value, std::string& out) {
  if (value.list() == nullptr) return;
  for (const Value& each : *value.list()) AppendBytes(number, each.text().value_or(""), out);
}

// A default of another type is a message without fields.
std::string DefaultOf(const Value& value) {
  std::string message;
  if (const auto number = value.number()) AppendDouble(1, *number, message);
  if (const auto boolean = value.boolean()) AppendBool(2, *boolean, message);
  if (const auto text = value.text()) AppendBytes(3, *text, message);
  return message;
}

std::string TypeOf(const Value& value) {
  std::string message;
  if (const auto text = value.text()) AppendBytes(1, *text, message);
  AppendTexts(1, value, message);
  return message;
}

// Returns a ParametersItem, whose oneofs are three deep.
std::string ParameterOf(const Value& value) {
  std::string parameter;
  if (value["in"].text() == "body") {
    AppendBytes(1, MessageOf(value, kBodyParameter), parameter);
  } else {
    std::string other;
    const bool in_path = value["in"].text() == "path";
    AppendBytes(in_path ? 4 : 3, MessageOf(value, in_path ? kPathParameter : kQueryParameter),
                other);
    AppendBytes(2, other, parameter);
  }
  std::string item;
  AppendBytes(1, parameter, item);
  return item;
}

// Returns SecurityDefinitions, of which each is an ApiKeySecurity.
std::string SecuritySchemesOf(const Value& value) {
  std::string message;
  if (value.object() == nullptr) return message;
  for (const auto& [name, scheme] : *value.object()) {
    std::string item;
    AppendBytes(2, MessageOf(scheme, kApiKey), item);
    AppendNamed(1, name, item, message);
  }
  return message;
}

// Writes a scalar, unless it is the default of its type, as proto3 does. Returns whether the form
// is one of a scalar.
bool AppendScalar(const FieldSpec& field, const Value& value, std::string& out) {
  switch (field.form) {
    case Form::kText:
      if (!value.text().value_or("").empty()) AppendBytes(field.number, *value.text(), out);
      return true;
    case Form::kBool:
      if (value.boolean() == true) AppendBool(field.number, true, out);
      return true;
    case Form::kInt: {
      // JSON schemas have integers here. As a double, one beyond 2^53 would be another.
      const int64_t integer = value.integer().value_or(0);
      if (integer == 0) return true;
      AppendTag(field.number, kVarint, out);
      AppendVarint(static_cast<uint64_t>(integer), out);
      return true;
    }
    case Form::kDouble:
      if (value.number().value_or(0) != 0) AppendDouble(field.number, *value.number(), out);
      return true;
    default:
      return false;
  }
}

std::string MessageOrBoolOf(const Value& value, const MessageSpec& spec) {
  std::string message;
  if (const auto boolean = value.boolean()) {
    AppendBool(2, *boolean, message);
  } else {
    AppendBytes(1, MessageOf(value, spec), message);
  }
  return message;
}

std::string ItemsOf(const Value& value, const MessageSpec& spec) {
  std::string message;
  AppendBytes(1, MessageOf(value, spec), message);
  return message;
}

// Writes each element of a list.
void AppendElements(const FieldSpec& field, const Value& value, std::string& out) {
  if (value.list() == nullptr) return;
  for (const Value& each : *value.list()) {
    if (field.form == Form::kAnys) {
      AppendBytes(field.number, AnyOf(each), out);
    } else if (field.form == Form::kParameters) {
      AppendBytes(field.number, ParameterOf(each), out);
    } else {
      AppendBytes(field.number, MessageOf(each, *field.message), out);
    }
  }
}

void AppendField(const FieldSpec& field, const Value& value, std::string& out) {
  if (AppendScalar(field, value, out)) return;
  switch (field.form) {
    case Form::kTexts:
      return AppendTexts(field.number, value, out);
    case Form::kMessages:
    case Form::kAnys:
    case Form::kParameters:
      return AppendElements(field, value, out);
    case Form::kMessage:
      return AppendBytes(field.number, MessageOf(value, *field.message), out);
    case Form::kItems:
      return AppendBytes(field.number, ItemsOf(value, *field.message), out);
    case Form::kMessageOrBool:
      return AppendBytes(field.number, MessageOrBoolOf(value, *field.message), out);
    case Form::kType:
      return AppendBytes(field.number, TypeOf(value), out);
    case Form::kAny:
      return AppendBytes(field.number, AnyOf(value), out);
    case Form::kDefault:
      return AppendBytes(field.number, DefaultOf(value), out);
    case Form::kSecuritySchemes:
      return AppendBytes(field.number, SecuritySchemesOf(value), out);
    default:
      return;
  }
}

bool IsField(absl::string_view member, const MessageSpec& spec) {
  for (const FieldSpec& field : spec.fields) {
    if (field.member == member) return true;
  }
  return false;
}

// Writes the fields of a message.
void AppendMessage(const Value& value, const MessageSpec& spec, std::string& out) {
  if (spec.object != nullptr) {
    const bool is_reference = value.Find("$ref") != nullptr;
    AppendBytes(is_reference ? 2 : 1,
                MessageOf(value, is_reference ? *spec.reference : *spec.object), out);
    return;
  }
  if (&spec == &kStringArray) return AppendTexts(1, value, out);
  const Map<Value>* members = value.object();
  if (members == nullptr) return;
  for (const FieldSpec& field : spec.fields) {
    if (const Value* member = members->find(field.member)) AppendField(field, *member, out);
  }
  if (spec.rest == 0 && spec.extensions == 0) return;
  for (const auto& [name, member] : *members) {
    if (absl::StartsWith(name.view(), "x-") && spec.extensions != 0) {
      AppendNamed(spec.extensions, name, AnyOf(member), out);
    } else if (spec.rest != 0 && !IsField(name, spec)) {
      AppendNamed(spec.rest, name, MessageOf(member, *spec.rest_message), out);
    }
  }
}

}  // namespace

std::string EncodeGnosticV3(const Value& document) { return MessageOf(document, kDocumentV3); }

std::string EncodeGnosticV2(const Value& document) { return MessageOf(document, kDocumentV2); }

}  // namespace kube::apiserver::internal
