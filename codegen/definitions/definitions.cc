#include "codegen/definitions/definitions.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "codegen/crds/crd_values.h"
#include "codegen/crds/description.h"
#include "codegen/diagnostics.h"
#include "codegen/kinds.h"
#include "codegen/leaf_types.h"
#include "codegen/names.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

using unstructured::Value;

const FieldOptions& OptionsOf(const pb::FieldDescriptor& field) {
  return field.options().GetExtension(kube::field);
}

// The string types of files, by their full names: "kube.api.core.v1.Protocol".
using StringTypes = std::map<std::string, const kube::StringType*, std::less<>>;

StringTypes TypesOf(const std::vector<const pb::FileDescriptor*>& files) {
  StringTypes types;
  for (const pb::FileDescriptor* file : files) {
    for (int i = 0; i < file->options().ExtensionSize(kube::string_type); ++i) {
      const kube::StringType& type = file->options().GetExtension(kube::string_type, i);
      types[absl::StrCat(file->package(), ".", type.name())] = &type;
    }
  }
  return types;
}

// Returns the string type of a field, or null. A file need not import the one that has the type:
// nothing else of that may be used.
const kube::StringType* TypeOf(const pb::FieldDescriptor& field, const StringTypes& types) {
  const kube::StringType* type = StringTypeOf(field);
  if (type != nullptr) return type;
  const auto found = types.find(OptionsOf(field).string_type());
  return found != types.end() ? found->second : nullptr;
}

// Returns the values of a closed string type that a field may have, sorted, each once. A field that
// lists its values does not list the empty one, which it may have if the type has it.
std::vector<std::string> ValuesOf(const kube::StringType& type, const FieldOptions& options) {
  std::vector<std::string> values(options.enum_value().begin(), options.enum_value().end());
  const bool all = values.empty();
  for (const kube::Constant& constant : type.constant()) {
    if (all || constant.value().empty()) values.push_back(constant.value());
  }
  std::sort(values.begin(), values.end());
  // Two constants may have the same value, one of them under an older name.
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Lists the values with the comments of their constants (kube-openapi:
// `enumType.DescriptionLines`).
std::string TextOf(const std::vector<std::string>& values, const kube::StringType& type) {
  std::string text = "Possible enum values:";
  for (const std::string& value : values) {
    absl::StrAppend(&text, "\n - `\"", value, "\"`");
    for (const kube::Constant& constant : type.constant()) {
      if (constant.value() != value || constant.comment().empty()) continue;
      absl::StrAppend(&text, " ", constant.comment());
      break;
    }
  }
  return text;
}

bool IsRequired(const pb::FieldDescriptor& field) {
  const FieldOptions& options = OptionsOf(field);
  if (options.has_required()) return options.required();
  return options.omit() == NEVER && !field.has_optional_keyword();
}

// Returns what the table of a message says: a message that is a list is never in an Opt.
bool IsRequiredInTable(const pb::FieldDescriptor& field) {
  const bool is_list = field.message_type() != nullptr && IsListMessage(*field.message_type());
  return OptionsOf(field).omit() == NEVER && (!field.has_optional_keyword() || is_list);
}

Map<Value> FactsOf(const pb::FieldDescriptor& field, const StringTypes& types,
                   Diagnostics& diagnostics) {
  const FieldOptions& options = OptionsOf(field);
  Map<Value> facts;
  std::string description = DescriptionOf(field);
  const kube::StringType* type = TypeOf(field, types);
  if (type != nullptr && type->closed()) {
    const std::vector<std::string> values = ValuesOf(*type, options);
    absl::StrAppend(&description, description.empty() ? "" : "\n\n", TextOf(values, *type));
    facts["enum"] = List<Value>(values);
  }
  if (!description.empty()) facts["description"] = description;
  if (options.has_default_json()) {
    absl::StatusOr<Value> value = unstructured::ParseJson(options.default_json());
    if (value.ok()) {
      facts["default"] = *std::move(value);
    } else {
      diagnostics.Error(field, absl::StrCat("field ", field.name(), ": default_json: ",
                                            std::string(value.status().message())));
    }
  }
  const bool required = IsRequired(field);
  if (required != IsRequiredInTable(field)) facts["required"] = required;
  return facts;
}

// Adds the facts of the fields, and of those of inlined messages, which are fields of the struct.
void AddFields(const pb::Descriptor& message, const StringTypes& types, Map<Value>& properties,
               Diagnostics& diagnostics) {
  for (int i = 0; i < message.field_count(); ++i) {
    const pb::FieldDescriptor& field = *message.field(i);
    if (OptionsOf(field).no_json()) continue;
    if (OptionsOf(field).inline_()) {
      AddFields(*field.message_type(), types, properties, diagnostics);
      continue;
    }
    Map<Value> facts = FactsOf(field, types, diagnostics);
    if (!facts.empty()) properties[field.json_name()] = std::move(facts);
  }
}

std::string LineOf(const pb::Descriptor& message, const StringTypes& types,
                   Diagnostics& diagnostics) {
  Map<Value> facts;
  const StructOptions& options = message.options().GetExtension(kube::struct_);
  if (options.has_go_name()) facts["name"] = options.go_name();
  const std::string description = DescriptionOf(message);
  if (!description.empty()) facts["description"] = description;
  Map<Value> properties;
  AddFields(message, types, properties, diagnostics);
  if (!properties.empty()) facts["properties"] = std::move(properties);
  if (facts.empty()) return "";
  return absl::StrCat(message.name(), " ", unstructured::EncodeJson(std::move(facts)).value(),
                      "\n");
}

std::string LinesOf(const pb::FileDescriptor& file, const StringTypes& types,
                    Diagnostics& diagnostics) {
  const std::vector<KindEntry> kinds = BuildKinds(file, diagnostics);
  if (kinds.empty()) {
    diagnostics.Error(file, {}, "definitions: no message is a kind");
    return "";
  }
  const KindEntry& kind = kinds.front();
  const GroupVersion& of_file = file.options().GetExtension(kube::group_version);
  std::string lines = absl::StrCat(
      "= ", DefinitionPrefix(of_file.go_package(), of_file.group(), of_file.version()), " ",
      kind.group, kind.group.empty() ? "" : "/", kind.version, " ", kind.kind, "\n");
  for (int i = 0; i < file.message_type_count(); ++i) {
    const pb::Descriptor& message = *file.message_type(i);
    if (!IsListMessage(message)) absl::StrAppend(&lines, LineOf(message, types, diagnostics));
  }
  return lines;
}

}  // namespace

std::string PrintDefinitions(const std::vector<const pb::FileDescriptor*>& files,
                             Diagnostics& diagnostics) {
  const StringTypes types = TypesOf(files);
  std::string text;
  for (const pb::FileDescriptor* file : files) {
    absl::StrAppend(&text, LinesOf(*file, types, diagnostics));
  }
  return text;
}

}  // namespace kube::codegen
