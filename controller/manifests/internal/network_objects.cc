// What is reached over the network: services, the certificate of the webhooks, who may reach them,
// and who collects the metrics.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"
#include "controller/manifests/install_options.h"
#include "controller/manifests/internal/objects.h"
#include "webhook/registration.h"

namespace kube::manifests::internal {
namespace {

using unstructured::Value;

Object ServiceObject(const Names& names, const std::string& name, Value port) {
  Object object = MakeObject(names, "v1", "Service", name, names.namespace_name);
  object["spec"] = Object{{"ports", Array{std::move(port)}}, {"selector", PodLabels(names)}};
  return object;
}

Object MetricsService(const Names& names, int port) {
  Object object = ServiceObject(
      names, names.metrics_service(),
      Object{{"name", "https"}, {"port", port}, {"protocol", "TCP"}, {"targetPort", "metrics"}});
  // By which the ServiceMonitor finds it.
  object["metadata"] = Object{{"labels", PodLabels(names)},
                              {"name", names.metrics_service()},
                              {"namespace", names.namespace_name}};
  return object;
}

// The certificate of the metrics endpoint is one that the program makes for itself.
Object ServiceMonitor(const Names& names) {
  Object object =
      MakeObject(names, "monitoring.coreos.com/v1", "ServiceMonitor",
                 names.With("controller-manager-metrics-monitor"), names.namespace_name);
  object["spec"] = Object{
      {"endpoints",
       Array{Object{{"bearerTokenFile", "/var/run/secrets/kubernetes.io/serviceaccount/token"},
                    {"path", "/metrics"},
                    {"port", "https"},
                    {"scheme", "https"},
                    {"tlsConfig", Object{{"insecureSkipVerify", true}}}}}},
      {"selector", Object{{"matchLabels", PodLabels(names)}}}};
  return object;
}

// Lets only namespaces with the label `SUBJECT: enabled` reach the port.
Object Policy(const Names& names, absl::string_view subject, int port) {
  Object object =
      MakeObject(names, "networking.k8s.io/v1", "NetworkPolicy",
                 names.With(absl::StrCat("allow-", subject, "-traffic")), names.namespace_name);
  const Object from = {
      {"namespaceSelector", Object{{"matchLabels", Object{{subject, "enabled"}}}}}};
  object["spec"] = Object{
      {"ingress", Array{Object{{"from", Array{from}},
                               {"ports", Array{Object{{"port", port}, {"protocol", "TCP"}}}}}}},
      {"podSelector", Object{{"matchLabels", PodLabels(names)}}},
      {"policyTypes", Array{"Ingress"}}};
  return object;
}

Object Issuer(const Names& names) {
  Object object = MakeObject(names, "cert-manager.io/v1", "Issuer", names.With("selfsigned-issuer"),
                             names.namespace_name);
  object["spec"] = Object{{"selfSigned", Object::Empty()}};
  return object;
}

bool Has(const ProgramFacts& program, bool conversions) {
  return std::any_of(program.webhooks.begin(), program.webhooks.end(),
                     [conversions](const webhook::Registration& one) {
                       return (one.kind == webhook::WebhookKind::kConversion) == conversions;
                     });
}

bool Admits(const ProgramFacts& program) { return Has(program, /*conversions=*/false); }
bool Converts(const ProgramFacts& program) { return Has(program, /*conversions=*/true); }

Object ServingCertificate(const Names& names, const ProgramFacts& program) {
  std::vector<std::string> hosts;
  if (Admits(program)) hosts.push_back(names.webhook_host());
  if (Converts(program)) hosts.push_back(names.conversion_host());
  Array dns_names;
  for (const std::string& host : hosts) {
    dns_names.push_back(Value(host));
    dns_names.push_back(Value(absl::StrCat(host, ".cluster.local")));
  }
  Object object = MakeObject(names, "cert-manager.io/v1", "Certificate",
                             names.serving_certificate(), names.namespace_name);
  object["spec"] =
      Object{{"dnsNames", std::move(dns_names)},
             {"issuerRef", Object{{"kind", "Issuer"}, {"name", names.With("selfsigned-issuer")}}},
             {"secretName", names.certificate_secret()}};
  return object;
}

void AddMetrics(const Names& names, const InstallOptions& options, PlacedObjects& placed) {
  placed.push_back({.file = "default/metrics_service.yaml",
                    .object = MetricsService(names, options.metrics_port)});
  placed.push_back({.file = "prometheus/monitor.yaml",
                    .object = ServiceMonitor(names),
                    .installed = options.service_monitor});
  placed.push_back({.file = "network-policy/allow-metrics-traffic.yaml",
                    .object = Policy(names, "metrics", options.metrics_port),
                    .installed = options.network_policies});
}

Object WebhookPort() {
  return Object{{"port", 443}, {"protocol", "TCP"}, {"targetPort", "webhook-server"}};
}

// A pod is ready when its watches have synced, and these may need the conversions of the pod. So
// conversions have a Service of their own, and admissions are sent only to pods that are ready.
Object ConversionService(const Names& names) {
  Object object = ServiceObject(names, names.conversion_service(), WebhookPort());
  object["spec"] = Object{{"ports", Array{WebhookPort()}},
                          {"publishNotReadyAddresses", true},
                          {"selector", PodLabels(names)}};
  return object;
}

void AddWebhooks(const Names& names, const ProgramFacts& program, const InstallOptions& options,
                 PlacedObjects& placed) {
  if (Admits(program)) {
    placed.push_back({.file = "webhook/service.yaml",
                      .object = ServiceObject(names, names.webhook_service(), WebhookPort())});
  }
  if (Converts(program)) {
    placed.push_back(
        {.file = "webhook/conversion_service.yaml", .object = ConversionService(names)});
  }
  placed.push_back({.file = "network-policy/allow-webhook-traffic.yaml",
                    .object = Policy(names, "webhook", program.webhook_port),
                    .installed = options.network_policies});
  if (options.certificates != CertificateSource::kCertManager) return;
  placed.push_back({.file = "certmanager/issuer.yaml", .object = Issuer(names)});
  placed.push_back({.file = "certmanager/certificate-webhook.yaml",
                    .object = ServingCertificate(names, program)});
}

}  // namespace

PlacedObjects NetworkObjects(const Names& names, const ProgramFacts& program,
                             const InstallOptions& options) {
  PlacedObjects placed;
  if (options.metrics) AddMetrics(names, options, placed);
  if (!program.webhooks.empty()) AddWebhooks(names, program, options, placed);
  return placed;
}

}  // namespace kube::manifests::internal
