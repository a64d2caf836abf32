#ifndef CONTROLLER_MANIFESTS_INSTALL_OPTIONS_H_
#define CONTROLLER_MANIFESTS_INSTALL_OPTIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "controller/cache/required_access.h"
#include "webhook/registration.h"

namespace kube::manifests {

// Where the certificate of a program's webhooks comes from.
enum class CertificateSource {
  kCertManager,  // cert-manager makes it, and writes its authority into the configurations
  kProgram,      // the program makes it, and writes its authority into the configurations
};

// How a program is installed. The names of all objects begin with that of the program, as those of
// kubebuilder's projects do.
struct InstallOptions {
  // Default: the program's name and "-system".
  std::string namespace_name = {};
  // Default: the program's name and ":latest".
  std::string image = {};
  // Number of replicas. With more than one, `leader_election` should be on.
  int replicas = 1;
  // Whether the Deployment has --leader-elect, and the program a Role for its lease.
  bool leader_election = true;
  // Whether metrics are served on `metrics_port` with TLS, for those whose token may read them.
  bool metrics = true;
  int metrics_port = 8443;
  // More arguments of the program, such as "--zap-log-level=debug". An argument with the name of
  // one that is there anyway comes last and so takes precedence. Those that decide ports are an
  // error, because services, probes and policies name the ports, too: set `metrics_port`, and
  // ProgramFacts::health_port, which RunOperator takes from ManagerOptions::health.
  std::vector<std::string> arguments = {};
  // What a pod asks for and may use, as quantities; an empty one is left out. The defaults are
  // kubebuilder's, without its limit of the processor: an operator that is throttled loses its
  // lease. Set the limit of the memory by what your caches take.
  std::string cpu_request = "10m";
  std::string memory_request = "64Mi";
  std::string memory_limit = "128Mi";

  // The CustomResourceDefinitions, as YAML of one or more documents: what the target NAME_crds of a
  // kube_library is. Documents of other kinds are an error, as is a definition that serves a
  // version which the program does not convert, if it converts the kind.
  std::string definitions = {};

  // RunOperator sets kProgram if ManagerOptions::webhooks.self_signed is set.
  CertificateSource certificates = CertificateSource::kCertManager;
  // Whether the ServiceMonitor of Prometheus' operator, and the policies that let only namespaces
  // with the labels `metrics: enabled` and `webhook: enabled` reach the program, are installed. The
  // tree has their files in any case.
  bool service_monitor = false;
  bool network_policies = false;
};

// What manifests tell of a program; RunOperator gets it from a Manager.
struct ProgramFacts {
  // A DNS label, such as "website-operator". Required.
  std::string name = {};
  // Manager::RequiredRules.
  std::vector<controller::RequiredAccess> access = {};
  // The port of the health endpoints; nullopt if the program has no such endpoints.
  std::optional<int> health_port = 8081;
  // How long the program takes to end. The pod gets five seconds more.
  absl::Duration shutdown = absl::Seconds(25);
  // webhook::Server::registrations, and the port of its options.
  std::vector<webhook::Registration> webhooks = {};
  int webhook_port = 9443;
};

}  // namespace kube::manifests

#endif  // CONTROLLER_MANIFESTS_INSTALL_OPTIONS_H_
