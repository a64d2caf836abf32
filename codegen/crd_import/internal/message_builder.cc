#include "codegen/crd_import/internal/message_builder.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "codegen/crd_import/internal/idl.h"
#include "codegen/crd_import/internal/idl_comment.h"
#include "codegen/crd_import/internal/idl_names.h"
#include "codegen/crd_import/internal/idl_printer.h"
#include "codegen/crd_import/internal/schema_reader.h"
#include "codegen/crd_import/internal/schema_type.h"

namespace kube::codegen::internal {
namespace {

using unstructured::Value;

constexpr char kPreserve[] = "x-kubernetes-preserve-unknown-fields";
constexpr char kListType[] = "x-kubernetes-list-type";
constexpr char kListMapKeys[] = "x-kubernetes-list-map-keys";
constexpr char kMapType[] = "x-kubernetes-map-type";

constexpr size_t kMaxProperties = 100000;
// Deeper objects become a kube.Value.
constexpr int kMaxDepth = 150;
// What a member takes at most that is not a struct: an optional IntOrString.
constexpr size_t kMemberSize = 32;
// Structs that are larger together are held by pointers, as a struct is limited to 64 KiB.
constexpr size_t kMaxByValue = 20000;
// The maximum of the names of list-map keys, and of their defaults, in a table.
constexpr size_t kMaxKeys = 255;

void Add(IdlOptions& options, absl::string_view name, absl::string_view value) {
  options.push_back({.name = std::string(name), .value = std::string(value)});
}

void AddGroup(IdlOptions& options, absl::string_view name, IdlOptions members) {
  if (members.empty()) return;
  options.push_back({.name = std::string(name), .members = std::move(members)});
}

std::set<std::string> RequiredOf(const Map<Value>& schema) {
  std::set<std::string> names;
  const Value* required = schema.find("required");
  if (required == nullptr || !required->is_list()) return names;
  for (const Value& name : *required->list()) {
    if (name.is_string()) names.emplace(*name.text());
  }
  return names;
}

const Map<Value>* PropertiesOf(const Map<Value>& schema) {
  const Value* properties = schema.find("properties");
  return properties == nullptr ? nullptr : properties->object();
}

// Returns whether a schema of apiVersion, kind or metadata says no more than that the property is
// there.
bool IsUsual(const Map<Value>& schema) {
  return std::all_of(schema.begin(), schema.end(), [](const auto& member) {
    return member.key == "type" || member.key == "description";
  });
}

// Moves the description into a comment, if it can be one.
std::vector<std::string> TakeComment(SchemaReader& reader, const Map<Value>& schema) {
  Comment comment = CommentOf(TextOf(schema, "description"));
  if (comment.is_exact) reader.Take("description");
  return std::move(comment.lines);
}

// Returns whether the table of a list can have these keys.
bool AreTableKeys(const List<Value>& keys, const Map<Value>& element) {
  const Map<Value>* properties = PropertiesOf(element);
  if (properties == nullptr) return false;
  size_t bytes = 0;
  for (const Value& key : keys) {
    const absl::string_view name = key.text().value_or("");
    const Value* property = properties->find(name);
    if (!IsPlainName(name) || absl::StrContains(name, ",") || property == nullptr) return false;
    const Value& of_default = (*property)["default"];
    const absl::string_view text = of_default.text().value_or("");
    if (absl::StrContains(text, ",") || of_default.is_list() || of_default.is_object()) {
      return false;
    }
    // A character takes six bytes at most, as an escape.
    bytes += name.size() + 6 * text.size() + 32;
  }
  return !keys.empty() && bytes <= kMaxKeys;
}

// Turns the type of a list into options of its field, where the IDL allows it.
void TakeListType(const Map<Value>& schema, const Map<Value>& element, Form element_form,
                  SchemaReader& reader, IdlOptions& options) {
  const absl::string_view type = TextOf(schema, kListType);
  const Value* keys = schema.find(kListMapKeys);
  const bool has_keys = keys != nullptr && keys->is_list();
  const bool is_message = element_form == Form::kMessage;
  if (type == "atomic" && !has_keys) {
    Add(options, "list_type", "ATOMIC");
  } else if (type == "set" && !has_keys && (!is_message || TextOf(element, kMapType) == "atomic")) {
    Add(options, "list_type", "SET");
  } else if (type == "map" && has_keys && is_message && AreTableKeys(*keys->list(), element)) {
    Add(options, "list_type", "MAP");
    for (const Value& key : *keys->list()) Add(options, "list_map_key", Quoted(*key.text()));
    reader.Take(kListMapKeys);
  } else {
    return;
  }
  reader.Take(kListType);
}

void TakeMapType(const Map<Value>& schema, SchemaReader& reader, IdlOptions& options) {
  const absl::string_view type = TextOf(schema, kMapType);
  if (type != "atomic" && type != "granular") return;
  Add(options, type, "true");
  reader.Take(kMapType);
}

// Sets what says when a field is written, so that it is written as it was read: absent, null, empty
// or zero. A message has no `omit` unless it is required, as an absent one is a null pointer.
void SetPresence(bool is_required, bool is_nullable, Form form, IdlField& field) {
  const bool is_single = form == Form::kLeaf || form == Form::kMessage;
  if (is_single && (!is_required || is_nullable)) field.label = "optional";
  if (is_required) {
    Add(field.options, "omit", "NEVER");
  } else if (form == Form::kList || form == Form::kMap) {
    Add(field.options, "omit", "ZERO");
  }
}

// Adds the options that come behind `omit` and those of the type: default, required, validation.
void AddLastOptions(bool is_required, std::string default_json, IdlOptions validation,
                    IdlField& field) {
  const bool is_known = field.label != "optional" && default_json.empty();
  if (!default_json.empty()) Add(field.options, "default_json", Quoted(default_json));
  if (is_required && !is_known) Add(field.options, "required", "true");
  AddGroup(field.options, "validation", std::move(validation));
}

}  // namespace

// ---- fields

void MessageBuilder::SetMessage(const Property& property, SchemaReader& reader, IdlField& field,
                                Open& open) {
  const Built built = AddMessage(property.schema, property.name, {}, open);
  field.type = built.name;
  reader.Take(kPreserve);
  if (TextOf(property.schema, kMapType) == "atomic") {
    reader.Take(kMapType);
  } else {
    TakeMapType(property.schema, reader, field.options);
  }
  const bool by_value = field.label.empty() && open.size + built.size <= kMaxByValue;
  if (!by_value) field.label = "optional";
  open.size += by_value ? built.size : kMemberSize;
}

void MessageBuilder::SetElements(const Property& property, const SchemaType& type,
                                 SchemaReader& reader, IdlField& field, Open& open) {
  const Map<Value>* schema = ElementSchemaOf(property.schema);
  const Map<Value> any = {};
  const SchemaType element_type = schema == nullptr ? SchemaType() : TypeOfElement(*schema);
  if (schema == nullptr) schema = &any;
  SchemaReader element(*schema, element_type);
  std::vector<std::string> enum_texts;
  std::string name = "kube.Value";
  const bool is_list = type.form == Form::kList;
  if (is_list) {
    TakeListType(property.schema, *schema, element_type.form, reader, field.options);
  } else {
    TakeMapType(property.schema, reader, field.options);
  }
  if (element_type.form == Form::kLeaf) {
    name = element_type.leaf;
    enum_texts = element.TakeEnumTexts();
  } else if (element_type.form == Form::kMessage) {
    const std::vector<std::string> comment = TakeComment(element, *schema);
    name = AddMessage(*schema, property.name, comment, open).name;
    element.Take(kPreserve);
    if (TextOf(*schema, kMapType) == "atomic") element.Take(kMapType);
  }
  for (const std::string& text : enum_texts) Add(field.options, "enum_value", Quoted(text));
  if (is_list) field.label = "repeated";
  field.type = is_list ? name : absl::StrCat("map<string, ", name, ">");
  IdlOptions items = schema == &any ? IdlOptions() : element.Finish();
  std::string default_json = reader.TakeDefault();
  IdlOptions validation = reader.Finish();
  AddGroup(validation, "items", std::move(items));
  AddLastOptions(property.is_required, std::move(default_json), std::move(validation), field);
  open.size += kMemberSize;
}

void MessageBuilder::AddField(const Property& property, Open& open) {
  ++properties_;
  SchemaType type = TypeOfSchema(property.schema);
  if (open.depth >= kMaxDepth && type.form != Form::kLeaf) {
    type = SchemaType();
    type.written[kPreserve] = true;
  }
  SchemaReader reader(property.schema, type);
  IdlField field;
  field.name = open.names.Add(SnakeCase(property.name));
  field.json_name = std::string(property.name);
  field.number = static_cast<int>(open.message.fields.size()) + 1;
  field.comment = TakeComment(reader, property.schema);
  SetPresence(property.is_required, IsTrue(property.schema, "nullable"), type.form, field);
  if (type.form == Form::kList || type.form == Form::kMap) {
    SetElements(property, type, reader, field, open);
    open.message.fields.push_back(std::move(field));
    return;
  }
  if (type.form == Form::kMessage) {
    SetMessage(property, reader, field, open);
  } else {
    field.type = type.form == Form::kLeaf ? type.leaf : "kube.Value";
    open.size += kMemberSize;
  }
  if (type.form == Form::kLeaf) {
    for (const std::string& text : reader.TakeEnumTexts()) {
      Add(field.options, "enum_value", Quoted(text));
    }
  }
  std::string default_json = reader.TakeDefault();
  AddLastOptions(property.is_required, std::move(default_json), reader.Finish(), field);
  open.message.fields.push_back(std::move(field));
}

// The name is the one thing that a schema can say of metadata.
void MessageBuilder::AddMetadata(const Map<Value>& schema, bool is_required, Open& open) {
  IdlField field;
  field.name = open.names.Add("metadata");
  field.json_name = field.name;
  field.type = "kube.api.meta.v1.ObjectMeta";
  field.number = 1;
  Map<Value> rest = schema;
  rest.erase("type");
  rest.erase("description");
  IdlOptions validation;
  if (!rest.empty()) validation.push_back(SchemaJson(rest));
  if (is_required) Add(field.options, "required", "true");
  AddGroup(field.options, "validation", std::move(validation));
  open.message.fields.push_back(std::move(field));
}

void MessageBuilder::AddUnknownFields(Open& open) {
  IdlField field;
  field.comment = {"The members of the JSON object that no other field has."};
  field.name = open.names.Add("unknown_fields");
  field.json_name = DefaultJsonName(field.name);
  field.type = "map<string, kube.Value>";
  field.number = static_cast<int>(open.message.fields.size()) + 1;
  Add(field.options, "holds_unknown_fields", "true");
  open.size += kMemberSize;
  open.message.fields.push_back(std::move(field));
}

Map<Value> MessageBuilder::AddFields(const Map<Value>& schema, bool is_kind, Open& open) {
  const std::set<std::string> required = RequiredOf(schema);
  std::set<std::string> unsaid = required;
  Map<Value> others;
  bool has_odd_names = false;
  const Map<Value> none = {};
  const Map<Value>* properties = PropertiesOf(schema);
  if (properties == nullptr) properties = &none;
  if (is_kind) {
    const Value* metadata = properties->find("metadata");
    const bool has_schema = metadata != nullptr && metadata->is_object();
    AddMetadata(has_schema ? *metadata->object() : none, required.count("metadata") > 0, open);
    unsaid.erase("metadata");
  }
  for (const auto& [key, value] : *properties) {
    const absl::string_view name = key.view();
    if (is_kind && name == "metadata") continue;
    const bool is_of_kind = is_kind && (name == "apiVersion" || name == "kind");
    if (is_of_kind && value.is_object() && IsUsual(*value.object())) continue;
    if (is_of_kind || !IsPlainName(name) || !value.is_object()) {
      others[name] = value;
      has_odd_names = has_odd_names || !is_of_kind;
      continue;
    }
    const std::string text(name);
    unsaid.erase(text);
    AddField({.name = name, .schema = *value.object(), .is_required = required.count(text) > 0},
             open);
  }
  const bool preserves = IsTrue(schema, kPreserve);
  if (preserves || has_odd_names) AddUnknownFields(open);
  Map<Value> more;
  if (has_odd_names && !preserves) more[kPreserve] = Value();
  if (!others.empty()) more["properties"] = std::move(others);
  if (!unsaid.empty()) {
    List<Value> names;
    for (const std::string& name : required) names.push_back(name);
    more["required"] = std::move(names);
  }
  return more;
}

// ---- messages

MessageBuilder::Built MessageBuilder::AddMessage(const Map<Value>& schema,
                                                 absl::string_view property,
                                                 const std::vector<std::string>& comment,
                                                 const Open& open) {
  Open inner;
  inner.path = absl::StrCat(open.path, "\n", property);
  inner.depth = open.depth + 1;
  inner.message.comment = comment;
  inner.message.name = names_.Add(MessageNameOf(open.message.name, property, inner.path));
  const size_t place = messages_.size();
  messages_.emplace_back();
  const Map<Value> more = AddFields(schema, /*is_kind=*/false, inner);
  if (TextOf(schema, kMapType) == "atomic") Add(inner.message.options, "atomic", "true");
  IdlOptions validation;
  if (!more.empty()) validation.push_back(SchemaJson(more));
  AddGroup(inner.message.options, "validation", std::move(validation));
  const Built built = {inner.message.name, inner.size};
  // Objects of which nothing is known have nothing in common.
  if (!inner.message.fields.empty()) {
    const auto [known, is_new] = bodies_.try_emplace(PrintBody(inner.message), built);
    if (!is_new) {
      aliases_.push_back({inner.message.name, known->second.name});
      return known->second;
    }
  }
  messages_[place] = std::move(inner.message);
  return built;
}

absl::Status MessageBuilder::AddKind(const KindMessages& kind, const Map<Value>& schema) {
  Open open;
  open.message.name = open.path = kind.name;
  open.message.kind = kind.kind;
  // Members of the struct that are no fields of the message.
  open.names.Add("kind");
  open.names.Add("api_version");
  SchemaType type;
  type.form = Form::kMessage;
  type.written["type"] = "object";
  SchemaReader reader(schema, type);
  reader.Take(kPreserve);
  open.message.comment = TakeComment(reader, schema);
  const size_t place = messages_.size();
  messages_.resize(place + 2);
  const Map<Value> more = AddFields(schema, /*is_kind=*/true, open);
  for (const auto& [name, value] : more) reader.Set(name.view(), value);
  AddGroup(open.message.options, "validation", reader.Finish());
  messages_[place] = std::move(open.message);
  IdlMessage& list = messages_[place + 1];
  list.name = kind.list_name;
  list.kind = kind.list_kind;
  list.fields.resize(2);
  list.fields[0] = {.type = "kube.api.meta.v1.ListMeta",
                    .name = "metadata",
                    .json_name = "metadata",
                    .number = 1};
  list.fields[1] = {
      .label = "repeated", .type = kind.name, .name = "items", .json_name = "items", .number = 2};
  Add(list.fields[1].options, "omit", "NEVER");
  if (properties_ <= kMaxProperties) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("more than ", kMaxProperties, " properties in the kinds of one version"));
}

std::vector<IdlMessage> MessageBuilder::TakeMessages() {
  std::vector<IdlMessage> messages;
  for (IdlMessage& message : messages_) {
    if (!message.name.empty()) messages.push_back(std::move(message));
  }
  messages_.clear();
  return messages;
}

}  // namespace kube::codegen::internal
