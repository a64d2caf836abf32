// The folder config/manager: the namespace and the Deployment.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/unstructured/value.h"
#include "controller/manifests/install_options.h"
#include "controller/manifests/internal/objects.h"

namespace kube::manifests::internal {
namespace {

using unstructured::Value;

// The folder in which a webhook::Server looks for its certificate if nothing else is said.
constexpr char kCertificateFolder[] = "/tmp/k8s-webhook-server/serving-certs";
// What a pod gets beyond the time limits of the program, for its own start of the end.
constexpr absl::Duration kMargin = absl::Seconds(5);

bool MountsCertificate(const ProgramFacts& program, const InstallOptions& options) {
  return !program.webhooks.empty() && options.certificates == CertificateSource::kCertManager;
}

Array Arguments(const ProgramFacts& program, const InstallOptions& options) {
  std::vector<std::string> arguments;
  if (options.leader_election) arguments.emplace_back("--leader-elect");
  if (program.health_port.has_value()) {
    arguments.push_back(absl::StrCat("--health-probe-bind-address=:", *program.health_port));
  }
  if (options.metrics) {
    arguments.push_back(absl::StrCat("--metrics-bind-address=:", options.metrics_port));
  }
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  return Texts(arguments);
}

Value Port(absl::string_view name, int port) {
  return Object{{"containerPort", port}, {"name", name}, {"protocol", "TCP"}};
}

Array Ports(const ProgramFacts& program, const InstallOptions& options) {
  Array ports;
  if (program.health_port.has_value()) ports.push_back(Port("health", *program.health_port));
  if (options.metrics) ports.push_back(Port("metrics", options.metrics_port));
  if (!program.webhooks.empty()) ports.push_back(Port("webhook-server", program.webhook_port));
  return ports;
}

// A check of the program has five seconds, and the kubelet waits a moment longer.
Value Probe(absl::string_view path, int initial_delay, int period) {
  return Object{{"httpGet", Object{{"path", path}, {"port", "health"}}},
                {"initialDelaySeconds", initial_delay},
                {"periodSeconds", period},
                {"timeoutSeconds", 6}};
}

Object Quantities(const std::string& cpu, const std::string& memory) {
  Object quantities;
  if (!cpu.empty()) quantities["cpu"] = cpu;
  if (!memory.empty()) quantities["memory"] = memory;
  return quantities;
}

Object Resources(const InstallOptions& options) {
  Object resources;
  Object limits = Quantities("", options.memory_limit);
  if (!limits.empty()) resources["limits"] = std::move(limits);
  Object requests = Quantities(options.cpu_request, options.memory_request);
  if (!requests.empty()) resources["requests"] = std::move(requests);
  return resources;
}

Value Container(const ProgramFacts& program, const InstallOptions& options) {
  Object container = {
      {"image", options.image},
      {"name", "manager"},
      {"securityContext", Object{{"allowPrivilegeEscalation", false},
                                 {"capabilities", Object{{"drop", Array{"ALL"}}}},
                                 {"readOnlyRootFilesystem", true}}},
  };
  if (Array arguments = Arguments(program, options); !arguments.empty()) {
    container["args"] = std::move(arguments);
  }
  if (Array ports = Ports(program, options); !ports.empty()) {
    container["ports"] = std::move(ports);
  }
  if (program.health_port.has_value()) {
    container["livenessProbe"] = Probe("/livez", 15, 20);
    container["readinessProbe"] = Probe("/readyz", 5, 10);
  }
  if (Object resources = Resources(options); !resources.empty()) {
    container["resources"] = std::move(resources);
  }
  if (MountsCertificate(program, options)) {
    container["volumeMounts"] = Array{
        Object{{"mountPath", kCertificateFolder}, {"name", "webhook-certs"}, {"readOnly", true}}};
  }
  return container;
}

int64_t GraceSeconds(const ProgramFacts& program) {
  return absl::ToInt64Seconds(absl::Ceil(program.shutdown + kMargin, absl::Seconds(1)));
}

Value PodSpec(const Names& names, const ProgramFacts& program, const InstallOptions& options) {
  Object spec = {
      {"containers", Array{Container(program, options)}},
      {"securityContext",
       Object{{"runAsNonRoot", true}, {"seccompProfile", Object{{"type", "RuntimeDefault"}}}}},
      {"serviceAccountName", names.account()},
      {"terminationGracePeriodSeconds", std::max<int64_t>(GraceSeconds(program), 1)},
  };
  if (MountsCertificate(program, options)) {
    spec["volumes"] = Array{Object{{"name", "webhook-certs"},
                                   {"secret", Object{{"secretName", names.certificate_secret()}}}}};
  }
  return spec;
}

Object DeploymentObject(const Names& names, const ProgramFacts& program,
                        const InstallOptions& options) {
  const Object labels = PodLabels(names);
  Object object = MakeObject(names, "apps/v1", "Deployment", names.With("controller-manager"),
                             names.namespace_name);
  object["spec"] = Object{{"replicas", options.replicas},
                          {"selector", Object{{"matchLabels", labels}}},
                          {"template", Object{{"metadata", Object{{"labels", labels}}},
                                              {"spec", PodSpec(names, program, options)}}}};
  return object;
}

}  // namespace

PlacedObjects ManagerObjects(const Names& names, const ProgramFacts& program,
                             const InstallOptions& options) {
  PlacedObjects placed;
  placed.push_back({.file = "manager/manager.yaml",
                    .object = MakeObject(names, "v1", "Namespace", names.namespace_name, "")});
  placed.push_back(
      {.file = "manager/manager.yaml", .object = DeploymentObject(names, program, options)});
  return placed;
}

}  // namespace kube::manifests::internal
