#include "codegen/crd_import/internal/kind_options.h"

#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "codegen/crd_import/internal/idl.h"
#include "codegen/crd_import/internal/idl_printer.h"

namespace kube::codegen::internal {
namespace {

namespace crd = api::apiextensions::v1;

// Written by kubectl, with all of the definition in it.
constexpr absl::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

// What the subresource takes and gives.
constexpr absl::string_view kScale = "autoscaling/v1 Scale";

void AddText(IdlOptions& options, absl::string_view name, absl::string_view text) {
  if (text.empty()) return;
  options.push_back({.name = std::string(name), .value = Quoted(text)});
}

void AddValue(IdlOptions& options, absl::string_view name, absl::string_view value) {
  options.push_back({.name = std::string(name), .value = std::string(value)});
}

void AddTexts(IdlOptions& options, absl::string_view name, const Map<String>& texts) {
  for (const auto& [key, value] : texts) {
    if (key == kLastApplied) continue;
    IdlOption& option = options.emplace_back();
    option.name = std::string(name);
    AddValue(option.members, "key", Quoted(key.view()));
    AddValue(option.members, "value", Quoted(value.view()));
  }
}

void AddNames(IdlOptions& options, const crd::CustomResourceDefinitionNames& names) {
  AddText(options, "plural", names.plural.view());
  if (names.singular != absl::AsciiStrToLower(names.kind.view())) {
    AddText(options, "singular", names.singular.view());
  }
  for (const String& name : names.short_names) AddText(options, "short_name", name.view());
  for (const String& name : names.categories) AddText(options, "category", name.view());
}

void AddSubresources(IdlOptions& options, const crd::CustomResourceSubresources& subresources) {
  if (subresources.status) {
    IdlOption& status = options.emplace_back();
    status.name = "subresource";
    AddText(status.members, "name", "status");
  }
  if (!subresources.scale) return;
  IdlOption& scale = options.emplace_back();
  scale.name = "subresource";
  AddText(scale.members, "name", "scale");
  for (const char* verb : {"get", "update", "patch"}) AddText(scale.members, "verb", verb);
  AddText(scale.members, "input", kScale);
  AddText(scale.members, "result", kScale);
  AddText(scale.members, "spec_replicas_path", subresources.scale->spec_replicas_path.view());
  AddText(scale.members, "status_replicas_path", subresources.scale->status_replicas_path.view());
  if (!subresources.scale->label_selector_path.has_value()) return;
  AddText(scale.members, "label_selector_path", subresources.scale->label_selector_path->view());
}

void AddColumns(IdlOptions& options, const crd::CustomResourceDefinitionVersion& version) {
  for (const crd::CustomResourceColumnDefinition& column : version.additional_printer_columns) {
    IdlOption& option = options.emplace_back();
    option.name = "printer_column";
    AddText(option.members, "name", column.name.view());
    AddText(option.members, "type", column.type.view());
    AddText(option.members, "json_path", column.json_path.view());
    AddText(option.members, "format", column.format.view());
    AddText(option.members, "description", column.description.view());
    if (column.priority != 0) {
      AddValue(option.members, "priority", absl::StrCat(column.priority));
    }
  }
  for (const crd::SelectableField& field : version.selectable_fields) {
    AddText(options, "selectable_field", field.json_path.view());
  }
}

void AddDeprecation(IdlOptions& options, const crd::CustomResourceDefinitionVersion& version) {
  if (!version.deprecated) return;
  // No release of Kubernetes deprecates it.
  AddValue(options, "deprecated", "\"\"");
  if (!version.deprecation_warning.has_value()) return;
  AddText(options, "deprecation_warning", version.deprecation_warning->view());
}

void AddConversion(IdlOptions& options, const crd::CustomResourceDefinition& definition) {
  if (!definition.spec.conversion || definition.spec.conversion->strategy == "None") return;
  const std::string json = codec::EncodeJson(*definition.spec.conversion).value_or("{}");
  AddText(options, "crd_spec_json", absl::StrCat("{\"conversion\":", json, "}"));
}

}  // namespace

IdlOptions KindOptionsOf(const crd::CustomResourceDefinition& definition,
                         const crd::CustomResourceDefinitionVersion& version,
                         absl::string_view message, bool is_stored) {
  IdlOptions options;
  if (definition.spec.names.kind != message) {
    AddText(options, "name", definition.spec.names.kind.view());
  }
  AddValue(options, "scope", definition.spec.scope == "Cluster" ? "CLUSTER" : "NAMESPACED");
  AddNames(options, definition.spec.names);
  if (version.subresources) AddSubresources(options, *version.subresources);
  AddColumns(options, version);
  if (is_stored) AddValue(options, "storage", "true");
  if (!version.served) AddValue(options, "served", "false");
  AddDeprecation(options, version);
  AddTexts(options, "crd_annotation", definition.metadata.annotations);
  AddTexts(options, "crd_label", definition.metadata.labels);
  AddValue(options, "imported", "true");
  AddConversion(options, definition);
  return options;
}

IdlOptions ListOptionsOf(const crd::CustomResourceDefinition& definition,
                         absl::string_view list_message, absl::string_view message) {
  IdlOptions options;
  if (definition.spec.names.list_kind != list_message) {
    AddText(options, "name", definition.spec.names.list_kind.view());
  }
  AddText(options, "list_of", message);
  return options;
}

}  // namespace kube::codegen::internal
