#include "tests/imported_crds/definitions_of_project.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "tests/oracle/oracle.h"

namespace kube::imported {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using api::apiextensions::v1::CustomResourceDefinitionVersion;

}  // namespace

absl::Status AddDefinitions(const std::string& path, Definitions& definitions) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  codec::YamlDocuments documents(text);
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<codec::YamlDocument> document, documents.Next(),
                          "read ", path);
    if (!document.has_value()) return absl::OkStatus();
    KUBE_ASSIGN_OR_RETURN(const unstructured::Value object, unstructured::ParseYaml(document->text),
                          "read ", path);
    if (object["kind"].text() != "CustomResourceDefinition") continue;
    KUBE_ASSIGN_OR_RETURN(CustomResourceDefinition definition,
                          codec::DecodeYaml<CustomResourceDefinition>(document->text), "read ",
                          path);
    std::string name(definition.metadata.name);
    definitions.emplace(std::move(name), std::move(definition));
  }
}

absl::StatusOr<Definitions> DefinitionsOfProject(const std::string& project) {
  KUBE_ASSIGN_OR_RETURN(const std::string folder,
                        oracle::FindData(absl::StrCat("crds_of_", project), "crds"));
  Definitions definitions;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           folder, std::filesystem::directory_options::follow_directory_symlink)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".yaml" && extension != ".yml") continue;
    KUBE_RETURN_IF_ERROR(AddDefinitions(entry.path().string(), definitions));
  }
  if (definitions.empty()) {
    return absl::NotFoundError(absl::StrCat("no CustomResourceDefinition in ", folder));
  }
  return definitions;
}

const CustomResourceDefinitionVersion* FindVersion(const Definitions& definitions,
                                                   const KindInfo& kind) {
  for (const auto& [name, definition] : definitions) {
    if (definition.spec.group != kind.group || definition.spec.names.kind != kind.kind) continue;
    for (const CustomResourceDefinitionVersion& version : definition.spec.versions) {
      if (version.name == kind.version) return &version;
    }
  }
  return nullptr;
}

}  // namespace kube::imported
