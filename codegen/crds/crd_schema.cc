#include "codegen/crds/crd_schema.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "codegen/crds/crd_rules.h"
#include "codegen/crds/crd_values.h"
#include "codegen/crds/description.h"
#include "codegen/crds/known_formats.h"
#include "codegen/crds/members.h"
#include "codegen/leaf_types.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

using Type = pb::FieldDescriptor::Type;
using unstructured::Value;

constexpr char kPreserve[] = "x-kubernetes-preserve-unknown-fields";

const StructOptions& OptionsOf(const pb::Descriptor& message) {
  return message.options().GetExtension(kube::struct_);
}

const FieldOptions& OptionsOf(const pb::FieldDescriptor& field) {
  return field.options().GetExtension(kube::field);
}

Map<Value> Typed(absl::string_view type, absl::string_view format = "") {
  Map<Value> schema;
  schema["type"] = type;
  if (!format.empty()) schema["format"] = format;
  return schema;
}

Map<Value> ArrayOf(Map<Value> element) {
  Map<Value> schema = Typed("array");
  schema["items"] = std::move(element);
  return schema;
}

Map<Value> MapOf(Map<Value> element) {
  Map<Value> schema = Typed("object");
  schema["additionalProperties"] = std::move(element);
  return schema;
}

Map<Value> IntOrString() {
  return {{"anyOf", List<Value>{Typed("integer"), Typed("string")}},
          {"x-kubernetes-int-or-string", true}};
}

Map<Value> OfScalar(Type type) {
  switch (type) {
    case Type::TYPE_BOOL:
      return Typed("boolean");
    case Type::TYPE_INT32:
      return Typed("integer", "int32");
    case Type::TYPE_INT64:
      return Typed("integer", "int64");
    case Type::TYPE_DOUBLE:
      return Typed("number");
    case Type::TYPE_BYTES:
      return Typed("string", "byte");
    default:
      return Typed("string");
  }
}

// Returns the schema of a message in kube/types.proto.
Map<Value> OfLeafMessage(const std::string& name) {
  if (name == "Time" || name == "MicroTime") return Typed("string", "date-time");
  if (name == "Duration") return Typed("string");
  if (name == "IntOrString") return IntOrString();
  if (name == "Quantity") {
    Map<Value> schema = IntOrString();
    schema["pattern"] = kQuantityPattern;
    return schema;
  }
  // RawJson and Value are anything; RawExtension and FieldsV1 are objects.
  Map<Value> schema = name == "RawJson" || name == "Value" ? Map<Value>() : Typed("object");
  schema[kPreserve] = true;
  return schema;
}

// The API server prunes what the schema of an embedded object does not have. These are the names
// that controller-gen writes with generateEmbeddedObjectMeta.
Map<Value> OfEmbeddedMetadata() {
  Map<Value> schema = Typed("object");
  Map<Value>& properties = ObjectAt(schema, "properties");
  properties["annotations"] = MapOf(Typed("string"));
  properties["finalizers"] = ArrayOf(Typed("string"));
  properties["labels"] = MapOf(Typed("string"));
  properties["name"] = Typed("string");
  properties["namespace"] = Typed("string");
  return schema;
}

template <typename D>
void AddDescription(const D& descriptor, Map<Value>& schema) {
  const std::string text = DescriptionOf(descriptor);
  if (!text.empty()) schema["description"] = text;
}

bool IsRequired(const pb::FieldDescriptor& field) {
  const FieldOptions& options = OptionsOf(field);
  if (options.has_required()) return options.required();
  return !field.has_optional_keyword() && options.omit() == NEVER && !options.has_default_json();
}

bool HasTypeMeta(const pb::Descriptor& message) {
  return message.options().HasExtension(kube::kind) || OptionsOf(message).type_meta();
}

// Returns the schema of a list's elements or of a map's values, or null if there is none.
Map<Value>* ElementOf(Map<Value>& schema) {
  for (const char* key : {"items", "additionalProperties"}) {
    if (Value* element = schema.find(key); element != nullptr) return element->object();
  }
  return nullptr;
}

}  // namespace

// ---- errors

void SchemaWriter::Error(const pb::FieldDescriptor& field, absl::string_view problem) {
  diagnostics_.Error(field, absl::StrCat("field ", field.name(), ": ", problem));
}

void SchemaWriter::ErrorOnPath(absl::string_view problem) {
  const std::string text = absl::StrCat(
      problem, ": write validation: {schemaless: true, preserve_unknown_fields: true}");
  for (auto field = fields_.rbegin(); field != fields_.rend(); ++field) {
    if (own_files_.count((*field)->file()) != 0) return Error(**field, text);
  }
  diagnostics_.Error(*path_.front(), absl::StrCat("message ", path_.front()->name(), ": ", text));
}

// ---- fields

Map<Value> SchemaWriter::OfType(const pb::FieldDescriptor& type, bool schemaless) {
  if (type.type() != Type::TYPE_MESSAGE) return OfScalar(type.type());
  const pb::Descriptor& message = *type.message_type();
  if (IsLeafMessage(message)) return OfLeafMessage(message.name());
  if (IsListMessage(message)) return ArrayOf(Typed("string"));
  if (!schemaless) return OfMessage(message);
  return OptionsOf(message).json_form() == OBJECT ? Typed("object") : Map<Value>();
}

void SchemaWriter::AddEnum(const pb::FieldDescriptor& field, Map<Value>& schema) {
  const absl::StatusOr<std::vector<std::string>> values = ClosedValuesOf(field);
  if (!values.ok()) return Error(field, std::string(values.status().message()));
  if (values->empty()) return;
  Map<Value>& texts = TypeOf(schema) == "array" ? *ElementOf(schema) : schema;
  if (TypeOf(texts) != "string") return Error(field, "enum_value: applies only to strings");
  texts["enum"] = List<Value>(*values);
}

// Checks that a list-map key is required or has a default, as the API server demands.
void SchemaWriter::CheckListKey(const pb::FieldDescriptor& field, const std::string& key,
                                const Map<Value>& element) {
  const auto report = [&](absl::string_view problem) {
    Error(field, absl::StrCat("list_map_key \"", key, "\": ", problem));
  };
  const Value* properties = element.find("properties");
  const Value* property = properties == nullptr ? nullptr : properties->Find(key);
  if (property == nullptr || !property->is_object()) {
    return report("no such field in the elements, use its JSON name");
  }
  const std::string type = TypeOf(*property->object());
  if (type == "object" || type == "array") {
    return report(absl::StrCat("must be a scalar, got type ", type));
  }
  const Value* required = element.find("required");
  const bool is_required =
      required != nullptr && std::find(required->list()->begin(), required->list()->end(),
                                       Value(key)) != required->list()->end();
  if (!is_required && property->Find("default") == nullptr) {
    report("must be required or have a default: write omit: NEVER or a default_json");
  }
}

void SchemaWriter::AddListType(const pb::FieldDescriptor& field, Map<Value>& schema) {
  const FieldOptions& options = OptionsOf(field);
  if (options.list_map_key_size() > 0 && options.list_type() != MAP) {
    Error(field, "list_map_key: requires list_type MAP");
  }
  if (options.list_type() == LIST_TYPE_UNSET) return;
  if (TypeOf(schema) != "array") return Error(field, "list_type: field is not a list");
  schema["x-kubernetes-list-type"] = options.list_type() == MAP   ? "map"
                                     : options.list_type() == SET ? "set"
                                                                  : "atomic";
  const Map<Value>& element = *ElementOf(schema);
  if (options.list_type() == SET && TypeOf(element) == "object" &&
      !element.contains("x-kubernetes-map-type")) {
    Error(field, "list_type SET: message elements must be atomic, see (kube.struct).atomic");
  }
  if (options.list_type() != MAP) return;
  if (options.list_map_key_size() == 0) {
    return Error(field, "list_type MAP: requires a list_map_key");
  }
  if (TypeOf(element) != "object") return Error(field, "list_type MAP: elements must be messages");
  for (const std::string& key : options.list_map_key()) CheckListKey(field, key, element);
  schema["x-kubernetes-list-map-keys"] =
      List<Value>(options.list_map_key().begin(), options.list_map_key().end());
}

void SchemaWriter::AddMapType(const pb::FieldDescriptor& field, Map<Value>& schema) {
  const FieldOptions& options = OptionsOf(field);
  if (!options.atomic() && !options.granular()) return;
  const char* type = options.atomic() ? "atomic" : "granular";
  if (TypeOf(schema) != "object") {
    Error(field, absl::StrCat(type, ": field must be a map or a message"));
  }
  schema["x-kubernetes-map-type"] = type;
}

// For types of a release, drops formats that have no meaning in CRDs.
void SchemaWriter::AddRules(const pb::FieldDescriptor& field, const Validation& rules,
                            Map<Value>& schema) {
  Validation written = rules;
  const bool of_release = IsOfRelease(*field.file());
  if (of_release && !IsKnownFormat(TypeOf(schema), rules.format())) written.clear_format();
  std::vector<std::string> problems;
  WriteRules(written, schema, problems);
  for (const std::string& problem : problems) Error(field, problem);
  if (!rules.has_items()) return;
  Map<Value>* element = ElementOf(schema);
  if (element == nullptr) return Error(field, "validation.items: field has no elements");
  AddRules(field, rules.items(), *element);
}

Map<Value> SchemaWriter::OfField(const pb::FieldDescriptor& field) {
  const FieldOptions& options = OptionsOf(field);
  const Validation& rules = options.validation();
  const bool is_plain = !field.is_repeated();
  const bool schemaless = is_plain ? rules.schemaless() : rules.items().schemaless();
  fields_.push_back(&field);
  Map<Value> schema =
      OfType(field.is_map() ? *field.message_type()->map_value() : field, schemaless);
  AddEnum(field, schema);
  if (field.is_map()) {
    schema = MapOf(std::move(schema));
  } else if (!is_plain) {
    schema = ArrayOf(std::move(schema));
  }
  AddDescription(field, schema);
  AddListType(field, schema);
  AddMapType(field, schema);
  AddRules(field, rules, schema);
  std::vector<std::string> problems;
  if (options.has_default_json()) WriteDefault(options.default_json(), schema, problems);
  for (const std::string& problem : problems) Error(field, problem);
  fields_.pop_back();
  return schema;
}

// ---- messages

void SchemaWriter::AddField(const pb::FieldDescriptor& field, Map<Value>& schema) {
  if (OptionsOf(field).no_json()) return;
  if (OptionsOf(field).holds_unknown_fields()) {
    schema[kPreserve] = true;
    return;
  }
  if (!OptionsOf(field).inline_()) {
    ObjectAt(schema, "properties")[field.json_name()] = OfField(field);
    if (IsRequired(field)) ListAt(schema, "required").push_back(field.json_name());
    return;
  }
  if (OptionsOf(field).has_validation()) {
    Error(field, "(kube.field).inline: validation must be set on its members");
  }
  fields_.push_back(&field);
  AddFields(*field.message_type(), schema);
  fields_.pop_back();
}

void SchemaWriter::AddFields(const pb::Descriptor& message, Map<Value>& schema) {
  for (int i = 0; i < message.field_count(); ++i) AddField(*message.field(i), schema);
  std::vector<std::string> problems;
  WriteRules(OptionsOf(message).validation(), schema, problems);
  for (const std::string& problem : problems) {
    diagnostics_.Error(message, absl::StrCat("message ", message.name(), ": ", problem));
  }
}

Map<Value> SchemaWriter::OfStruct(const pb::Descriptor& message) {
  Map<Value> schema = Typed("object");
  AddDescription(message, schema);
  if (HasTypeMeta(message)) {
    schema["properties"] = Map<Value>{{"apiVersion", Typed("string")}, {"kind", Typed("string")}};
  }
  AddFields(message, schema);
  if (OptionsOf(message).atomic()) schema["x-kubernetes-map-type"] = "atomic";
  if (Value* required = schema.find("required"); required != nullptr) {
    std::sort(required->list()->begin(), required->list()->end(),
              [](const Value& a, const Value& b) { return a.text() < b.text(); });
  }
  return schema;
}

Map<Value> SchemaWriter::OfMessage(const pb::Descriptor& message) {
  if (message.full_name() == "kube.api.meta.v1.ObjectMeta") return OfEmbeddedMetadata();
  if (OptionsOf(message).json_form() != OBJECT) {
    ErrorOnPath(
        absl::StrCat("JSON of ", message.name(), " has two forms, which a schema cannot express"));
    return {};
  }
  const auto begin = std::find(path_.begin(), path_.end(), &message);
  if (begin != path_.end()) {
    std::vector<std::string> names;
    for (auto each = begin; each != path_.end(); ++each) names.push_back((*each)->name());
    ErrorOnPath(absl::StrCat(absl::StrJoin(names, " holds "), " holds ", message.name(),
                             ", but a schema cannot be recursive"));
    return {};
  }
  const auto [done, is_new] = done_.try_emplace(&message);
  if (!is_new) return done->second;
  path_.push_back(&message);
  Map<Value> schema = OfStruct(message);
  path_.pop_back();
  done_[&message] = schema;
  return schema;
}

Map<Value> SchemaWriter::OfKind(const pb::Descriptor& kind) {
  path_ = {&kind};
  fields_.clear();
  Map<Value> schema = OfStruct(kind);
  // The API server validates metadata itself; a schema can only restrict the name further, which
  // imported ones do.
  Map<Value> metadata = Typed("object");
  const pb::FieldDescriptor* field = kind.FindFieldByName("metadata");
  if (field != nullptr && OptionsOf(*field).validation().has_schema_json()) {
    Validation rules;
    rules.set_schema_json(OptionsOf(*field).validation().schema_json());
    AddRules(*field, rules, metadata);
  }
  ObjectAt(schema, "properties")["metadata"] = std::move(metadata);
  return schema;
}

}  // namespace kube::codegen
