#include "apiserver/custom_kind.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/crd_schema/custom_resource.h"
#include "apimachinery/jsonpath/printer_column.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/version/api_version.h"
#include "apiserver/custom_converter.h"

namespace kube::apiserver {
namespace {

namespace metav1 = api::meta::v1;
using api::apiextensions::v1::CustomResourceColumnDefinition;
using api::apiextensions::v1::CustomResourceDefinition;
using api::apiextensions::v1::CustomResourceDefinitionVersion;

// In the order of kube-apiserver's discovery.
constexpr absl::string_view kVerbs[] = {"delete", "deletecollection", "get",    "list",
                                        "patch",  "create",           "update", "watch"};
constexpr absl::string_view kPartVerbs[] = {"get", "patch", "update"};

metav1::TableColumnDefinition DefinitionOf(const CustomResourceColumnDefinition& column) {
  metav1::TableColumnDefinition definition;
  definition.name = column.name;
  definition.type = column.type;
  definition.format = column.format;
  definition.priority = column.priority;
  definition.description = column.description;
  if (definition.description.empty()) {
    definition.description = absl::StrCat(
        "Custom resource definition column (in JSONPath format): ", column.json_path.view());
  }
  return definition;
}

// The only column of a version without columns (kube-apiserver: `serveDefaultColumnsIfEmpty`).
CustomResourceColumnDefinition AgeColumn() {
  CustomResourceColumnDefinition age;
  age.name = "Age";
  age.type = "date";
  age.json_path = ".metadata.creationTimestamp";
  age.description = "The time since the object was created.";
  return age;
}

}  // namespace

struct CustomKind::Family {
  CustomResourceDefinition definition;
  std::shared_ptr<const CustomConverter> converter;
  std::vector<std::unique_ptr<CustomKind>> versions;
};

CustomKind::CustomKind(Key, const CustomResourceDefinition& definition,
                       const CustomResourceDefinitionVersion& version)
    : definition_(definition), version_(version) {}

absl::StatusOr<std::vector<std::shared_ptr<const CustomKind>>> CustomKind::MakeAll(
    const CustomResourceDefinition& definition, std::shared_ptr<const CustomConverter> converter) {
  const auto family = std::make_shared<Family>();
  family->definition = definition;
  family->converter = std::move(converter);
  for (const CustomResourceDefinitionVersion& version : family->definition.spec.versions) {
    family->versions.push_back(std::make_unique<CustomKind>(Key(), family->definition, version));
  }
  std::vector<std::shared_ptr<const CustomKind>> all;
  for (const std::unique_ptr<CustomKind>& each : family->versions) {
    KUBE_RETURN_IF_ERROR(each->Fill(*family));
    all.emplace_back(family, each.get());
  }
  return all;
}

absl::Status CustomKind::Fill(const Family& family) {
  family_ = &family;
  for (const std::unique_ptr<CustomKind>& each : family.versions) {
    if (each->version_.storage) stored_ = each.get();
  }
  if (stored_ == nullptr) return absl::InvalidArgumentError("no storage version");
  KUBE_ASSIGN_OR_RETURN(rules_,
                        crd_schema::CustomResource::Make(definition_, version_.name.view()));
  AddColumns();
  FillKinds();
  FillDeprecation();
  for (const auto& field : version_.selectable_fields) {
    selectable_.emplace_back(absl::StripPrefix(field.json_path.view(), "."));
  }
  return absl::OkStatus();
}

const api::apiextensions::v1::JSONSchemaProps* CustomKind::schema() const {
  if (!version_.schema || !version_.schema->open_api_v3_schema) return nullptr;
  return &*version_.schema->open_api_v3_schema;
}

const CustomKind* CustomKind::Find(absl::string_view version) const {
  for (const std::unique_ptr<CustomKind>& each : family_->versions) {
    if (each->version_.name == version) return each.get();
  }
  return nullptr;
}

const CustomConverter* CustomKind::converter() const { return family_->converter.get(); }

void CustomKind::AddColumns() {
  List<CustomResourceColumnDefinition> columns = version_.additional_printer_columns;
  if (columns.empty()) columns.push_back(AgeColumn());
  for (const CustomResourceColumnDefinition& each : columns) {
    absl::StatusOr<jsonpath::PrinterColumn> printer =
        jsonpath::PrinterColumn::Make(each.type.view(), each.json_path.view());
    // As in kube-apiserver, an invalid column hides itself and all that follow.
    if (!printer.ok()) return;
    columns_.push_back({DefinitionOf(each), *std::move(printer)});
  }
}

// kube-apiserver: `defaultDeprecationWarning`.
void CustomKind::FillDeprecation() {
  if (!version_.deprecated) return;
  if (version_.deprecation_warning.has_value()) {
    deprecation_ = std::string(*version_.deprecation_warning);
    return;
  }
  const absl::string_view kind = definition_.spec.names.kind.view();
  deprecation_ = absl::StrCat(kind_.group, "/", version_.name.view(), " ", kind, " is deprecated");
  absl::string_view best;
  for (const CustomResourceDefinitionVersion& each : definition_.spec.versions) {
    if (!each.served || each.deprecated) continue;
    const absl::string_view than = best.empty() ? version_.name.view() : best;
    if (version::CompareKubeAwareVersionStrings(each.name.view(), than) > 0) {
      best = each.name.view();
    }
  }
  if (!best.empty()) absl::StrAppend(&deprecation_, "; use ", kind_.group, "/", best, " ", kind);
}

void CustomKind::FillKinds() {
  const auto& names = definition_.status.accepted_names;
  for (const String& name : names.short_names) short_names_.push_back(name.view());
  for (const String& name : names.categories) categories_.push_back(name.view());
  if (rules_->has_status()) subresources_.push_back({.name = "status", .verbs = kPartVerbs});
  if (rules_->scale().has_value()) {
    subresources_.push_back({.name = "scale",
                             .verbs = kPartVerbs,
                             .input = "autoscaling/v1 Scale",
                             .result = "autoscaling/v1 Scale"});
  }
  kind_ = {.group = definition_.spec.group.view(),
           .version = version_.name.view(),
           .kind = names.kind.view(),
           .scope = definition_.spec.scope == "Namespaced" ? Scope::kNamespaced : Scope::kCluster,
           .plural = names.plural.view(),
           .singular = names.singular.view(),
           .short_names = short_names_,
           .categories = categories_,
           .verbs = kVerbs,
           .subresources = subresources_,
           .message = &unstructured::Unstructured::kMessage};
  list_kind_ = {.group = kind_.group,
                .version = kind_.version,
                .kind = names.list_kind.view(),
                .list_of = kind_.kind,
                .message = &unstructured::Unstructured::kMessage};
}

}  // namespace kube::apiserver
