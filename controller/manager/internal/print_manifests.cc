#include "controller/manager/internal/print_manifests.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <memory>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/config.h"
#include "controller/leaderelection/flags.h"  // IWYU pragma: keep, has --leader-elect
#include "controller/manager/flags.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manifests/install.h"
#include "controller/manifests/install_options.h"
#include "controller/metrics/flags.h"  // IWYU pragma: keep, has --metrics-bind-address
#include "webhook/registration.h"
#include "webhook/self_signed.h"
#include "webhook/server.h"

ABSL_FLAG(std::string, print_manifests, "",
          "Print the manifests of the program as one YAML text, instead of running it. With a "
          "folder, --print-manifests=FOLDER, write them there as a tree for kustomize.");
ABSL_FLAG(std::string, manifests_namespace, "",
          "The namespace of the manifests. If empty, the program decides: its name and -system.");
ABSL_FLAG(std::string, manifests_image, "",
          "The image of the manifests. If empty, the program decides: its name and :latest.");
ABSL_FLAG(std::vector<std::string>, manifests_crds, {},
          "Files with the CustomResourceDefinitions of the manifests, separated by commas");

ABSL_DECLARE_FLAG(bool, leader_elect);
ABSL_DECLARE_FLAG(std::string, metrics_bind_address);

namespace kube::controller::internal {
namespace {

absl::StatusOr<std::string> ReadDefinitions(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.is_open() || file.bad()) {
    return absl::InvalidArgumentError(
        absl::StrCat("flag --manifests-crds: cannot read file \"", path, "\""));
  }
  return text;
}

absl::Status WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!error && !file.fail()) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat("write file \"", path.string(),
                   "\": ", error ? error.message() : "it cannot be created or written"));
}

manifests::ProgramFacts FactsOf(Manager& manager, const ManagerOptions& options) {
  manifests::ProgramFacts facts = {.name = manager.name(), .access = manager.RequiredRules()};
  facts.health_port.reset();
  if (options.health.has_value() && options.health->port != 0) {
    facts.health_port = options.health->port;
  }
  facts.shutdown = options.drain_timeout + options.stop_timeout;
  facts.webhooks = manager.webhooks().registrations();
  facts.webhook_port = manager.webhooks().options().port;
  return facts;
}

absl::Status CheckHas(const std::vector<std::string>& names, absl::string_view field,
                      const std::string& name) {
  if (std::find(names.begin(), names.end(), name) != names.end()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("print manifests: ManagerOptions::webhooks.self_signed->", field, " lacks \"",
                   name, "\", which the manifests have"));
}

// Returns an error if API servers could not call the webhooks of these manifests.
absl::Status CheckSelfSigned(const manifests::ProgramFacts& facts,
                             const manifests::InstallOptions& install,
                             const webhook::SelfSignedOptions& own) {
  if (facts.webhooks.empty()) return absl::OkStatus();
  const manifests::WebhookNames names =
      manifests::WebhookNamesOf(facts.name, manifests::InstallNamespace(facts.name, install));
  for (const webhook::Registration& one : facts.webhooks) {
    switch (one.kind) {
      case webhook::WebhookKind::kMutating:
        KUBE_RETURN_IF_ERROR(CheckHas(own.dns_names, "dns_names", names.host));
        KUBE_RETURN_IF_ERROR(CheckHas(own.mutating_configurations, "mutating_configurations",
                                      names.mutating_configuration));
        break;
      case webhook::WebhookKind::kValidating:
        KUBE_RETURN_IF_ERROR(CheckHas(own.dns_names, "dns_names", names.host));
        KUBE_RETURN_IF_ERROR(CheckHas(own.validating_configurations, "validating_configurations",
                                      names.validating_configuration));
        break;
      case webhook::WebhookKind::kConversion:  // the manager knows its definition
        KUBE_RETURN_IF_ERROR(CheckHas(own.dns_names, "dns_names", names.conversion_host));
        break;
    }
  }
  return absl::OkStatus();
}

}  // namespace

void CompleteSelfSigned(ManagerOptions& options, absl::string_view namespace_name) {
  if (!options.webhooks.self_signed.has_value() || namespace_name.empty()) return;
  webhook::SelfSignedOptions& own = *options.webhooks.self_signed;
  const manifests::WebhookNames names = manifests::WebhookNamesOf(options.name, namespace_name);
  if (own.dns_names.empty() || own.dns_names == webhook::SelfSignedOptions().dns_names) {
    own.dns_names.insert(own.dns_names.begin(), {names.host, names.conversion_host});
  }
  if (own.mutating_configurations.empty()) {
    own.mutating_configurations = {names.mutating_configuration};
  }
  if (own.validating_configurations.empty()) {
    own.validating_configurations = {names.validating_configuration};
  }
}

std::vector<char*> WithPrintDestination(int argc, char** argv) {
  static char to_output[] = "--print_manifests=-";
  std::vector<char*> arguments(argv, argv + argc);
  for (char*& argument : arguments) {
    const absl::string_view text = argument;
    if (text == "--") break;
    if (text == "--print-manifests" || text == "--print_manifests") argument = to_output;
  }
  return arguments;
}

std::string PrintDestination() { return absl::GetFlag(FLAGS_print_manifests); }

absl::StatusOr<manifests::InstallOptions> InstallOptionsFromFlags(
    manifests::InstallOptions options) {
  if (std::string name = absl::GetFlag(FLAGS_manifests_namespace); !name.empty()) {
    options.namespace_name = std::move(name);
  }
  if (std::string image = absl::GetFlag(FLAGS_manifests_image); !image.empty()) {
    options.image = std::move(image);
  }
  for (const std::string& path : absl::GetFlag(FLAGS_manifests_crds)) {
    KUBE_ASSIGN_OR_RETURN(const std::string text, ReadDefinitions(path));
    absl::StrAppend(&options.definitions, "\n---\n", text);
  }
  return options;
}

absl::StatusOr<std::unique_ptr<Manager>> MakeManagerToPrint(
    ManagerOptions options, const manifests::InstallOptions& install) {
  absl::SetFlag(&FLAGS_leader_elect, install.leader_election);
  absl::SetFlag(&FLAGS_metrics_bind_address,
                install.metrics ? absl::StrCat(":", install.metrics_port) : "0");
  KUBE_ASSIGN_OR_RETURN(options, OptionsFromFlags(std::move(options)));
  if (options.leader_election.has_value() &&
      options.leader_election->lease.namespace_name.empty()) {
    options.leader_election->lease.namespace_name =
        manifests::InstallNamespace(options.name, install);
  }
  CompleteSelfSigned(options, manifests::InstallNamespace(options.name, install));
  // Nothing is sent, so any address will do.
  rest::Config nowhere;
  nowhere.host = "http://127.0.0.1";
  return Manager::Make(nowhere, std::move(options));
}

absl::Status WriteManifests(Manager& manager, const ManagerOptions& options,
                            manifests::InstallOptions install, const std::string& destination,
                            std::ostream& out) {
  KUBE_RETURN_IF_ERROR(manager.webhooks().CheckRegistrations());
  const manifests::ProgramFacts facts = FactsOf(manager, options);
  if (const auto& own = manager.webhooks().options().self_signed; own.has_value()) {
    KUBE_RETURN_IF_ERROR(CheckSelfSigned(facts, install, *own));
    install.certificates = manifests::CertificateSource::kProgram;
  }
  if (destination == "-") {
    KUBE_ASSIGN_OR_RETURN(const std::string yaml, manifests::InstallYaml(facts, install));
    out << yaml << std::flush;
    if (out.fail()) return absl::PermissionDeniedError("print manifests: output is closed");
    return absl::OkStatus();
  }
  KUBE_ASSIGN_OR_RETURN(const std::vector<manifests::ManifestFile> tree,
                        manifests::InstallTree(facts, install));
  for (const manifests::ManifestFile& file : tree) {
    KUBE_RETURN_IF_ERROR(WriteFile(std::filesystem::path(destination) / file.path, file.text));
  }
  return absl::OkStatus();
}

}  // namespace kube::controller::internal
