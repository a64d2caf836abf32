#include "codegen/crds/crd_schema.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "codegen/crds/crd_rules.h"
#include "codegen/crds/crd_values.h"
#include "codegen/crds/yaml_value.h"
#include "codegen/leaf_types.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

using Type = pb::FieldDescriptor::Type;

constexpr char kPreserve[] = "x-kubernetes-preserve-unknown-fields";
constexpr char kQuantityPattern[] =
    R"(^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$)";

const StructOptions& OptionsOf(const pb::Descriptor& message) {
  return message.options().GetExtension(kube::struct_);
}

const FieldOptions& OptionsOf(const pb::FieldDescriptor& field) {
  return field.options().GetExtension(kube::field);
}

YamlValue Typed(absl::string_view type, absl::string_view format = "") {
  YamlValue schema;
  schema["type"] = YamlValue::String(type);
  if (!format.empty()) schema["format"] = YamlValue::String(format);
  return schema;
}

YamlValue ArrayOf(YamlValue element) {
  YamlValue schema = Typed("array");
  schema["items"] = std::move(element);
  return schema;
}

YamlValue MapOf(YamlValue element) {
  YamlValue schema = Typed("object");
  schema["additionalProperties"] = std::move(element);
  return schema;
}

YamlValue IntOrString() {
  YamlValue schema;
  YamlValue& types = schema["anyOf"] = YamlValue::List();
  types.Add(Typed("integer"));
  types.Add(Typed("string"));
  schema["x-kubernetes-int-or-string"] = YamlValue::Bool(true);
  return schema;
}

YamlValue OfScalar(Type type) {
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

// Of a message of kube/types.proto.
YamlValue OfLeafMessage(const std::string& name) {
  if (name == "Time" || name == "MicroTime") return Typed("string", "date-time");
  if (name == "Duration") return Typed("string");
  if (name == "IntOrString") return IntOrString();
  if (name == "Quantity") {
    YamlValue schema = IntOrString();
    schema["pattern"] = YamlValue::String(kQuantityPattern);
    return schema;
  }
  // RawJson is anything; RawExtension and FieldsV1 are objects.
  YamlValue schema = name == "RawJson" ? YamlValue() : Typed("object");
  schema[kPreserve] = YamlValue::Bool(true);
  return schema;
}

// Of an object in an object the API server keeps what a schema names, and no more; these are the
// names that controller-gen gives with generateEmbeddedObjectMeta.
YamlValue OfEmbeddedMetadata() {
  YamlValue schema = Typed("object");
  YamlValue& properties = schema["properties"];
  properties["annotations"] = MapOf(Typed("string"));
  properties["finalizers"] = ArrayOf(Typed("string"));
  properties["labels"] = MapOf(Typed("string"));
  properties["name"] = Typed("string");
  properties["namespace"] = Typed("string");
  return schema;
}

// What a comment says, down to a line "---": what follows is not for users.
template <typename D>
std::string DescriptionOf(const D& descriptor) {
  pb::SourceLocation place;
  if (!descriptor.GetSourceLocation(&place)) return "";
  std::vector<std::string> lines;
  for (absl::string_view line : absl::StrSplit(
           place.leading_comments.empty() ? place.trailing_comments : place.leading_comments,
           '\n')) {
    line = absl::StripTrailingAsciiWhitespace(line);
    if (line == " ---" || line == "---") break;
    lines.emplace_back(line.substr(line.substr(0, 1) == " " ? 1 : 0));
  }
  return std::string(absl::StripAsciiWhitespace(absl::StrJoin(lines, "\n")));
}

template <typename D>
void AddDescription(const D& descriptor, YamlValue& schema) {
  const std::string text = DescriptionOf(descriptor);
  if (!text.empty()) schema["description"] = YamlValue::String(text);
}

bool IsRequired(const pb::FieldDescriptor& field) {
  const FieldOptions& options = OptionsOf(field);
  if (options.has_required()) return options.required();
  return !field.has_optional_keyword() && options.omit() == NEVER && !options.has_default_json();
}

bool HasTypeMeta(const pb::Descriptor& message) {
  return message.options().HasExtension(kube::kind) || OptionsOf(message).type_meta();
}

std::string TypeOf(const YamlValue& schema) {
  const YamlValue* type = schema.Find("type");
  return type == nullptr ? "" : type->text;
}

// The schema of a list's elements, or of a map's values. Null if it has none.
YamlValue* ElementOf(YamlValue& schema) {
  for (const char* key : {"items", "additionalProperties"}) {
    const auto found = schema.members.find(key);
    if (found != schema.members.end()) return &found->second;
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

YamlValue SchemaWriter::OfType(const pb::FieldDescriptor& type, bool schemaless) {
  if (type.type() != Type::TYPE_MESSAGE) return OfScalar(type.type());
  const pb::Descriptor& message = *type.message_type();
  if (IsLeafMessage(message)) return OfLeafMessage(message.name());
  if (IsListMessage(message)) return ArrayOf(Typed("string"));
  if (!schemaless) return OfMessage(message);
  return OptionsOf(message).json_form() == OBJECT ? Typed("object") : YamlValue();
}

void SchemaWriter::AddEnum(const pb::FieldDescriptor& field, YamlValue& schema) {
  const absl::StatusOr<std::vector<std::string>> values = ClosedValuesOf(field);
  if (!values.ok()) return Error(field, std::string(values.status().message()));
  if (values->empty()) return;
  YamlValue& texts = TypeOf(schema) == "array" ? schema["items"] : schema;
  if (TypeOf(texts) != "string") return Error(field, "enum_value: it is of no strings");
  YamlValue& list = texts["enum"] = YamlValue::List();
  for (const std::string& value : *values) list.Add(YamlValue::String(value));
}

// The API server takes a key that is required, or has a default.
void SchemaWriter::CheckListKey(const pb::FieldDescriptor& field, const std::string& key,
                                const YamlValue& element) {
  const auto report = [&](absl::string_view problem) {
    Error(field, absl::StrCat("list_map_key \"", key, "\": ", problem));
  };
  const YamlValue* properties = element.Find("properties");
  const YamlValue* property = properties == nullptr ? nullptr : properties->Find(key);
  if (property == nullptr) return report("the elements have no such field; it is a JSON name");
  const std::string type = TypeOf(*property);
  if (type == "object" || type == "array") return report(absl::StrCat("its type is ", type));
  const YamlValue* required = element.Find("required");
  const bool is_required =
      required != nullptr && std::any_of(required->items.begin(), required->items.end(),
                                         [&](const YamlValue& name) { return name.text == key; });
  if (!is_required && property->Find("default") == nullptr) {
    report("the field is not required: write omit: NEVER or a default_json");
  }
}

void SchemaWriter::AddListType(const pb::FieldDescriptor& field, YamlValue& schema) {
  const FieldOptions& options = OptionsOf(field);
  if (options.list_map_key_size() > 0 && options.list_type() != MAP) {
    Error(field, "list_map_key: its list_type is not MAP");
  }
  if (options.list_type() == LIST_TYPE_UNSET) return;
  if (TypeOf(schema) != "array") return Error(field, "list_type: it is no list");
  schema["x-kubernetes-list-type"] = YamlValue::String(options.list_type() == MAP   ? "map"
                                                       : options.list_type() == SET ? "set"
                                                                                    : "atomic");
  const YamlValue& element = schema["items"];
  if (options.list_type() == SET && TypeOf(element) == "object" &&
      element.Find("x-kubernetes-map-type") == nullptr) {
    Error(field, "list_type SET: its elements are messages: they need (kube.struct).atomic");
  }
  if (options.list_type() != MAP) return;
  if (options.list_map_key_size() == 0) return Error(field, "list_type MAP: write a list_map_key");
  if (TypeOf(element) != "object")
    return Error(field, "list_type MAP: its elements are no messages");
  YamlValue& keys = schema["x-kubernetes-list-map-keys"] = YamlValue::List();
  for (const std::string& key : options.list_map_key()) {
    CheckListKey(field, key, element);
    keys.Add(YamlValue::String(key));
  }
}

// Of a release's own types, formats are left out that it has no meaning for in CRDs.
void SchemaWriter::AddRules(const pb::FieldDescriptor& field, const Validation& rules,
                            YamlValue& schema) {
  Validation written = rules;
  const bool of_release = IsOfRelease(*field.file());
  if (of_release && !IsKnownFormat(TypeOf(schema), rules.format())) written.clear_format();
  std::vector<std::string> problems;
  WriteRules(written, schema, problems);
  for (const std::string& problem : problems) Error(field, problem);
  if (!rules.has_items()) return;
  YamlValue* element = ElementOf(schema);
  if (element == nullptr) return Error(field, "validation.items: it has no elements");
  AddRules(field, rules.items(), *element);
}

YamlValue SchemaWriter::OfField(const pb::FieldDescriptor& field) {
  const FieldOptions& options = OptionsOf(field);
  const Validation& rules = options.validation();
  const bool is_plain = !field.is_repeated();
  const bool schemaless = is_plain ? rules.schemaless() : rules.items().schemaless();
  fields_.push_back(&field);
  YamlValue schema =
      OfType(field.is_map() ? *field.message_type()->map_value() : field, schemaless);
  AddEnum(field, schema);
  if (field.is_map()) {
    schema = MapOf(std::move(schema));
  } else if (!is_plain) {
    schema = ArrayOf(std::move(schema));
  }
  AddDescription(field, schema);
  AddListType(field, schema);
  if (options.atomic()) {
    schema["x-kubernetes-map-type"] = YamlValue::String("atomic");
    if (TypeOf(schema) != "object") Error(field, "atomic: it is no map and no message");
  }
  AddRules(field, rules, schema);
  std::vector<std::string> problems;
  if (options.has_default_json()) WriteDefault(options.default_json(), schema, problems);
  for (const std::string& problem : problems) Error(field, problem);
  fields_.pop_back();
  return schema;
}

// ---- messages

void SchemaWriter::AddField(const pb::FieldDescriptor& field, YamlValue& schema) {
  if (OptionsOf(field).no_json()) return;
  if (!OptionsOf(field).inline_()) {
    schema["properties"][field.json_name()] = OfField(field);
    if (!IsRequired(field)) return;
    YamlValue& required = schema["required"];
    required.kind = YamlValue::Kind::kList;
    required.Add(YamlValue::String(field.json_name()));
    return;
  }
  if (OptionsOf(field).has_validation()) {
    Error(field, "(kube.field).inline: validation is of its members");
  }
  fields_.push_back(&field);
  AddFields(*field.message_type(), schema);
  fields_.pop_back();
}

void SchemaWriter::AddFields(const pb::Descriptor& message, YamlValue& schema) {
  for (int i = 0; i < message.field_count(); ++i) AddField(*message.field(i), schema);
  std::vector<std::string> problems;
  WriteRules(OptionsOf(message).validation(), schema, problems);
  for (const std::string& problem : problems) {
    diagnostics_.Error(message, absl::StrCat("message ", message.name(), ": ", problem));
  }
}

YamlValue SchemaWriter::OfStruct(const pb::Descriptor& message) {
  YamlValue schema = Typed("object");
  AddDescription(message, schema);
  if (HasTypeMeta(message)) {
    schema["properties"]["apiVersion"] = Typed("string");
    schema["properties"]["kind"] = Typed("string");
  }
  AddFields(message, schema);
  if (OptionsOf(message).atomic()) schema["x-kubernetes-map-type"] = YamlValue::String("atomic");
  if (const auto required = schema.members.find("required"); required != schema.members.end()) {
    std::sort(required->second.items.begin(), required->second.items.end(),
              [](const YamlValue& a, const YamlValue& b) { return a.text < b.text; });
  }
  return schema;
}

YamlValue SchemaWriter::OfMessage(const pb::Descriptor& message) {
  if (message.full_name() == "kube.api.meta.v1.ObjectMeta") return OfEmbeddedMetadata();
  if (OptionsOf(message).json_form() != OBJECT) {
    ErrorOnPath(
        absl::StrCat("JSON of ", message.name(), " has two forms, which no schema can say"));
    return {};
  }
  const auto begin = std::find(path_.begin(), path_.end(), &message);
  if (begin != path_.end()) {
    std::vector<std::string> names;
    for (auto each = begin; each != path_.end(); ++each) names.push_back((*each)->name());
    ErrorOnPath(absl::StrCat(absl::StrJoin(names, " holds "), " holds ", message.name(),
                             ", and a schema has an end"));
    return {};
  }
  const auto [done, is_new] = done_.try_emplace(&message);
  if (!is_new) return done->second;
  path_.push_back(&message);
  YamlValue schema = OfStruct(message);
  path_.pop_back();
  done_[&message] = schema;
  return schema;
}

YamlValue SchemaWriter::OfKind(const pb::Descriptor& kind) {
  path_ = {&kind};
  fields_.clear();
  YamlValue schema = OfStruct(kind);
  // The API server's own; a schema may not say more of it.
  schema["properties"]["metadata"] = Typed("object");
  return schema;
}

}  // namespace kube::codegen
