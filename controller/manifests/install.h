#ifndef CONTROLLER_MANIFESTS_INSTALL_H_
#define CONTROLLER_MANIFESTS_INSTALL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "controller/manifests/install_options.h"

// The manifests of a program: everything that a cluster needs to run it. Pure functions; the same
// input gives the same text, whatever the order in which the program has declared things.
namespace kube::manifests {

// A file of a tree.
struct ManifestFile {
  // Relative to the tree: "config/rbac/role.yaml".
  std::string path = {};
  std::string text = {};
};

// Returns the namespace of an installation: that of the options, or the program's name and
// "-system".
std::string InstallNamespace(absl::string_view program, const InstallOptions& options);

// The names of the webhooks of an installation: what a program that makes its own certificates must
// have in webhook::SelfSignedOptions. RunOperator fills them in.
struct WebhookNames {
  // The DNS name of the Service of admission webhooks, by which API servers call them:
  // "op-webhook-service.op-system.svc".
  std::string host = {};
  // The DNS name of the Service of conversions: "op-conversion-service.op-system.svc".
  std::string conversion_host = {};
  std::string mutating_configuration = {};
  std::string validating_configuration = {};
};

// Returns the names that the manifests of the program have. Pure.
WebhookNames WebhookNamesOf(absl::string_view program, absl::string_view namespace_name);

// Returns all objects as one YAML text, in an order in which they can be applied: the namespace,
// definitions, account, roles and bindings, services, the Deployment, and at last certificates,
// policies and webhook configurations. (kubebuilder: `make build-installer`)
//
//   manifests::ProgramFacts facts = {.name = "accounts"};
//   facts.access = manager.RequiredRules();
//   facts.webhooks = manager.webhooks().registrations();
//   facts.webhook_port = manager.webhooks().options().port;
//   return manifests::InstallYaml(facts, {.namespace_name = "accounts", .service_monitor = true});
//
// Returns INVALID_ARGUMENT, with the cause, if the name is no DNS label, a definition is malformed,
// an argument changes a port, or webhooks cannot be configured.
absl::StatusOr<std::string> InstallYaml(const ProgramFacts& program,
                                        const InstallOptions& options = {});

// Returns the same objects as a tree for kustomize, in the folders of kubebuilder:
// config/{crd,rbac,manager,webhook,certmanager,default,prometheus,network-policy,samples}, sorted
// by path. `kustomize build config/default` makes what InstallYaml returns. All objects have their
// final names: change the namespace by printing again, and images, replicas, labels by overlays.
// config/samples has an object of each kind that the definitions let be created.
absl::StatusOr<std::vector<ManifestFile>> InstallTree(const ProgramFacts& program,
                                                      const InstallOptions& options = {});

}  // namespace kube::manifests

#endif  // CONTROLLER_MANIFESTS_INSTALL_H_
