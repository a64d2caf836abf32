#include "codegen/crd_import/internal/read_definitions.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"
#include "apimachinery/crd_schema/crd_validation.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"

namespace kube::codegen::internal {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using unstructured::Value;

using Definitions = std::vector<CustomResourceDefinition>;

constexpr size_t kMaxBytes = size_t{64} << 20;
constexpr absl::string_view kApiVersion = "apiextensions.k8s.io/v1";
constexpr absl::string_view kKind = "CustomResourceDefinition";
// Limits of an error, which may show values of the definition.
constexpr size_t kMaxErrors = 5;
constexpr size_t kMaxErrorBytes = 500;

// Returns the beginning of a text, in one line.
std::string Shown(absl::string_view text) {
  std::string shown(text.substr(0, kMaxErrorBytes));
  std::replace_if(
      shown.begin(), shown.end(),
      [](char c) { return absl::ascii_iscntrl(static_cast<unsigned char>(c)); }, ' ');
  return text.size() <= kMaxErrorBytes ? shown : shown + "...";
}

absl::Status Refused(absl::string_view name, const validation::field::ErrorList& errors) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(errors.size(), kMaxErrors); ++i) {
    texts.push_back(Shown(errors[i].ToString()));
  }
  const std::string more = errors.size() <= kMaxErrors
                               ? ""
                               : absl::StrCat("; and ", errors.size() - kMaxErrors, " more errors");
  return absl::InvalidArgumentError(
      absl::StrCat(kKind, " \"", Shown(name), "\": ", absl::StrJoin(texts, "; "), more));
}

// Removes what is filled in when a chart is rendered, and is not valid before.
void DropTemplates(Map<String>& texts) {
  std::vector<std::string> templates;
  for (const auto& [name, text] : texts) {
    if (absl::StrContains(text.view(), "{{")) templates.emplace_back(name);
  }
  for (const std::string& name : templates) texts.erase(name);
}

// Adds a definition that was decoded.
absl::Status Add(CustomResourceDefinition definition, Definitions& definitions) {
  definition.status = {};
  DropTemplates(definition.metadata.annotations);
  DropTemplates(definition.metadata.labels);
  crd_schema::SetDefaults(definition);
  const validation::field::ErrorList errors = crd_schema::ValidateDefinition(definition);
  if (!errors.empty()) return Refused(definition.metadata.name.view(), errors);
  definitions.push_back(std::move(definition));
  return absl::OkStatus();
}

// Returns whether an object is a definition. Returns INVALID_ARGUMENT if it is one of another
// version, which has other fields.
absl::StatusOr<bool> IsDefinition(const Value& object) {
  if (object["kind"].text() != kKind) return false;
  const absl::string_view version = object["apiVersion"].text().value_or("");
  if (version == kApiVersion) return true;
  return absl::InvalidArgumentError(absl::StrCat(
      kKind, " \"", Shown(object["metadata"]["name"].text().value_or("")), "\": apiVersion \"",
      Shown(version), "\": only ", kApiVersion, " can be imported, convert the definition"));
}

absl::Status AddItems(const List<Value>& items, Definitions& definitions) {
  for (const Value& item : items) {
    KUBE_ASSIGN_OR_RETURN(const bool is_definition, IsDefinition(item));
    if (!is_definition) continue;
    KUBE_ASSIGN_OR_RETURN(const std::string json, unstructured::EncodeJson(item));
    KUBE_ASSIGN_OR_RETURN(CustomResourceDefinition definition,
                          codec::DecodeJson<CustomResourceDefinition>(json));
    KUBE_RETURN_IF_ERROR(Add(std::move(definition), definitions));
  }
  return absl::OkStatus();
}

absl::Status AddDocument(const codec::YamlDocument& document, Definitions& definitions) {
  KUBE_ASSIGN_OR_RETURN(const codec::JsonFromYaml json,
                        codec::YamlToJson(document.text, {.first_line = document.first_line}));
  KUBE_ASSIGN_OR_RETURN(const Value object, unstructured::ParseJson(json.json), "document at line ",
                        document.first_line);
  if (const List<Value>* items = object["items"].list(); items != nullptr) {
    return AddItems(*items, definitions);
  }
  KUBE_ASSIGN_OR_RETURN(const bool is_definition, IsDefinition(object));
  if (!is_definition) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(
      CustomResourceDefinition definition,
      codec::DecodeYaml<CustomResourceDefinition>(document.text, {}, document.first_line));
  return Add(std::move(definition), definitions);
}

}  // namespace

absl::StatusOr<Definitions> ReadDefinitions(absl::string_view text) {
  if (text.size() > kMaxBytes) {
    return absl::ResourceExhaustedError(absl::StrCat("larger than ", kMaxBytes, " bytes"));
  }
  Definitions definitions;
  codec::YamlDocuments documents(text);
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<codec::YamlDocument> document, documents.Next());
    if (!document.has_value()) return definitions;
    KUBE_RETURN_IF_ERROR(AddDocument(*document, definitions));
  }
}

}  // namespace kube::codegen::internal
