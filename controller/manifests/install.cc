// All objects are made once, each with the file of the tree in which it stands; the text of one
// file and the tree are two ways to write them. So both have the same objects.

#include "controller/manifests/install.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/dns.h"
#include "controller/manifests/install_options.h"
#include "controller/manifests/internal/definitions.h"
#include "controller/manifests/internal/objects.h"
#include "webhook/manifests.h"

namespace kube::manifests {
namespace {

using internal::Array;
using internal::Definition;
using internal::Names;
using internal::Object;
using internal::Placed;
using internal::PlacedObjects;
using unstructured::Value;

// The order of kinds in one text, as kustomize writes it. Other kinds follow, and at last those
// that make an API server ask the program, which has to run by then.
constexpr absl::string_view kFirst[] = {
    "Namespace",   "CustomResourceDefinition", "ServiceAccount", "Role",      "ClusterRole",
    "RoleBinding", "ClusterRoleBinding",       "Service",        "Deployment"};
constexpr absl::string_view kLast[] = {"MutatingWebhookConfiguration",
                                       "ValidatingWebhookConfiguration"};

absl::StatusOr<Names> NamesOf(const ProgramFacts& program, const InstallOptions& options) {
  Names names = {.program = program.name,
                 .namespace_name = InstallNamespace(program.name, options)};
  // The second one is the longest of the names that must be a label.
  for (const std::string& name : {names.program, names.metrics_service(), names.namespace_name}) {
    const std::vector<std::string> wrong = validation::IsDns1123Label(name);
    if (wrong.empty()) continue;
    return absl::InvalidArgumentError(absl::StrCat("make manifests of program \"", program.name,
                                                   "\": name \"", name,
                                                   "\": ", absl::StrJoin(wrong, "; ")));
  }
  return names;
}

// Returns the name of the flag as the program's code has it: "--leader-elect=false" is
// "leader_elect".
std::string FlagNameOf(absl::string_view argument) {
  while (absl::ConsumePrefix(&argument, "-")) continue;
  return absl::StrReplaceAll(argument.substr(0, argument.find('=')), {{"-", "_"}});
}

// Ports stand in several objects, so they are options and no arguments.
absl::Status CheckPorts(const InstallOptions& options) {
  constexpr std::pair<absl::string_view, absl::string_view> kInstead[] = {
      {"metrics_bind_address", "InstallOptions::metrics_port"},
      {"health_probe_bind_address", "ProgramFacts::health_port"}};
  for (const std::string& argument : options.arguments) {
    const std::string name = FlagNameOf(argument);
    for (const auto& [flag, option] : kInstead) {
      if (name != flag) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("argument \"", argument, "\" changes a port that other objects name: set ",
                       option, " instead"));
    }
  }
  if (options.metrics && (options.metrics_port < 1 || options.metrics_port > 65535)) {
    return absl::InvalidArgumentError(
        absl::StrCat("metrics_port ", options.metrics_port, " is no port: it must be 1 to 65535"));
  }
  return absl::OkStatus();
}

void Take(PlacedObjects part, PlacedObjects& placed) {
  for (Placed& one : part) placed.push_back(std::move(one));
}

webhook::ManifestOptions WebhookOptions(const Names& names, const InstallOptions& options) {
  webhook::ManifestOptions webhooks = {.mutating_name = names.mutating_configuration(),
                                       .validating_name = names.validating_configuration(),
                                       .service_name = names.webhook_service(),
                                       .service_namespace = names.namespace_name,
                                       .conversion_service_name = names.conversion_service(),
                                       .labels = {{"app.kubernetes.io/name", names.program}}};
  if (options.certificates == CertificateSource::kCertManager) {
    webhooks.annotations["cert-manager.io/inject-ca-from"] =
        absl::StrCat(names.namespace_name, "/", names.serving_certificate());
  }
  return webhooks;
}

absl::Status AddWebhooks(const Names& names, const ProgramFacts& program,
                         const InstallOptions& options, PlacedObjects& placed) {
  KUBE_ASSIGN_OR_RETURN(
      const std::vector<Value> configurations,
      webhook::WebhookConfigurations(program.webhooks, WebhookOptions(names, options)));
  for (const Value& configuration : configurations) {
    placed.push_back({.file = "webhook/manifests.yaml", .object = *configuration.object()});
  }
  return absl::OkStatus();
}

absl::Status AddDefinitions(const Names& names, const ProgramFacts& program,
                            const InstallOptions& options, PlacedObjects& placed) {
  KUBE_ASSIGN_OR_RETURN(std::vector<Definition> definitions,
                        internal::ParseDefinitions(options.definitions));
  Take(internal::UserRoles(names, definitions), placed);
  for (Definition& definition : definitions) {
    if (Object sample = internal::SampleOf(definition); !sample.empty()) {
      placed.push_back({.file = absl::StrCat("samples/", definition.group, "_",
                                             absl::AsciiStrToLower(definition.kind), ".yaml"),
                        .object = std::move(sample),
                        .installed = false});
    }
    KUBE_RETURN_IF_ERROR(webhook::AddConversion(program.webhooks, WebhookOptions(names, options),
                                                definition.object));
    placed.push_back(
        {.file = absl::StrCat("crd/bases/", definition.group, "_", definition.plural, ".yaml"),
         .object = std::move(definition.object)});
  }
  return absl::OkStatus();
}

absl::StatusOr<PlacedObjects> AllObjects(const ProgramFacts& program, const InstallOptions& given) {
  KUBE_ASSIGN_OR_RETURN(const Names names, NamesOf(program, given));
  KUBE_RETURN_IF_ERROR(CheckPorts(given), "make manifests of program \"", program.name, "\"");
  InstallOptions options = given;
  if (options.image.empty()) options.image = absl::StrCat(program.name, ":latest");
  PlacedObjects placed = internal::ManagerObjects(names, program, options);
  Take(internal::RbacObjects(names, program, options), placed);
  Take(internal::NetworkObjects(names, program, options), placed);
  KUBE_RETURN_IF_ERROR(AddWebhooks(names, program, options, placed), "make manifests of program \"",
                       program.name, "\"");
  KUBE_RETURN_IF_ERROR(AddDefinitions(names, program, options, placed),
                       "make manifests of program \"", program.name, "\"");
  return placed;
}

std::string TextOf(const Object& object, absl::string_view member) {
  const Value* value = object.find(member);
  return value == nullptr ? "" : std::string(value->text().value_or(""));
}

std::string MetadataOf(const Object& object, absl::string_view member) {
  const Value* metadata = object.find("metadata");
  return metadata == nullptr ? "" : std::string((*metadata)[member].text().value_or(""));
}

int RankOf(const std::string& kind) {
  const auto* first = std::find(std::begin(kFirst), std::end(kFirst), kind);
  if (first != std::end(kFirst)) return static_cast<int>(first - std::begin(kFirst));
  const auto* last = std::find(std::begin(kLast), std::end(kLast), kind);
  return static_cast<int>(std::size(kFirst) + (last == std::end(kLast) ? 0 : 1));
}

// Returns by what objects are sorted; no two of an installation are equal in it.
std::tuple<int, std::string, std::string, std::string> OrderOf(const Object& object) {
  const std::string kind = TextOf(object, "kind");
  return {RankOf(kind), kind, MetadataOf(object, "namespace"), MetadataOf(object, "name")};
}

void Sort(PlacedObjects& placed) {
  std::sort(placed.begin(), placed.end(),
            [](const Placed& a, const Placed& b) { return OrderOf(a.object) < OrderOf(b.object); });
}

// Appends the object as one more document.
absl::Status Append(const Object& object, std::string& text) {
  KUBE_ASSIGN_OR_RETURN(const std::string document,
                        unstructured::EncodeYaml(Value(object), {.fold_lines = false}));
  absl::StrAppend(&text, "---\n", document);
  return absl::OkStatus();
}

// Returns the folder of a file of the tree: "crd" of "crd/bases/example.com_dogs.yaml".
std::string FolderOf(const std::string& file) { return file.substr(0, file.find('/')); }

absl::Status AddKustomization(const std::string& folder, const std::set<std::string>& resources,
                              std::map<std::string, std::string>& files) {
  Array sorted;
  for (const std::string& resource : resources) sorted.push_back(Value(resource));
  return Append(Object{{"apiVersion", "kustomize.config.k8s.io/v1beta1"},
                       {"kind", "Kustomization"},
                       {"resources", std::move(sorted)}},
                files[absl::StrCat(folder, "/kustomization.yaml")]);
}

// Adds a kustomization of each folder; that of "default" has all folders that are installed.
absl::Status AddKustomizations(const PlacedObjects& placed,
                               std::map<std::string, std::string>& files) {
  std::map<std::string, std::set<std::string>> resources;
  for (const Placed& one : placed) {
    const std::string folder = FolderOf(one.file);
    resources[folder].insert(one.file.substr(folder.size() + 1));
    if (one.installed && folder != "default") {
      resources["default"].insert(absl::StrCat("../", folder));
    }
  }
  for (const auto& [folder, of_folder] : resources) {
    KUBE_RETURN_IF_ERROR(AddKustomization(folder, of_folder, files));
  }
  return absl::OkStatus();
}

}  // namespace

std::string InstallNamespace(absl::string_view program, const InstallOptions& options) {
  return options.namespace_name.empty() ? absl::StrCat(program, "-system") : options.namespace_name;
}

WebhookNames WebhookNamesOf(absl::string_view program, absl::string_view namespace_name) {
  const Names names = {.program = std::string(program),
                       .namespace_name = std::string(namespace_name)};
  return {.host = names.webhook_host(),
          .conversion_host = names.conversion_host(),
          .mutating_configuration = names.mutating_configuration(),
          .validating_configuration = names.validating_configuration()};
}

absl::StatusOr<std::string> InstallYaml(const ProgramFacts& program,
                                        const InstallOptions& options) {
  KUBE_ASSIGN_OR_RETURN(PlacedObjects placed, AllObjects(program, options));
  std::erase_if(placed, [](const Placed& one) { return !one.installed; });
  Sort(placed);
  std::string text;
  for (const Placed& one : placed) KUBE_RETURN_IF_ERROR(Append(one.object, text));
  return text;
}

absl::StatusOr<std::vector<ManifestFile>> InstallTree(const ProgramFacts& program,
                                                      const InstallOptions& options) {
  KUBE_ASSIGN_OR_RETURN(PlacedObjects placed, AllObjects(program, options));
  Sort(placed);
  std::map<std::string, std::string> files;
  for (const Placed& one : placed) KUBE_RETURN_IF_ERROR(Append(one.object, files[one.file]));
  KUBE_RETURN_IF_ERROR(AddKustomizations(placed, files));
  std::vector<ManifestFile> tree;
  for (auto& [path, text] : files) {
    tree.push_back({.path = absl::StrCat("config/", path), .text = std::move(text)});
  }
  return tree;
}

}  // namespace kube::manifests
