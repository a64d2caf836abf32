#include "controller/manifests/install.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/typed/resource.h"
#include "controller/cache/required_access.h"
#include "controller/manifests/install_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission_options.h"
#include "webhook/registration.h"

namespace kube::manifests {
namespace {

using base::IsOk;
using base::StatusIs;
using controller::AccessPurpose;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using unstructured::Value;

constexpr typed::Resource kDogs = {
    .group = "example.com", .version = "v1", .plural = "dogs", .kind = "Dog"};
constexpr char kDefinition[] = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: dogs.example.com
spec:
  group: example.com
  names: {kind: Dog, plural: dogs}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
)";

ProgramFacts Program() {
  return {.name = "op",
          .access = {{.resource = "pods", .verbs = {"get"}},
                     {.resource = "secrets", .verbs = {"get"}, .namespaces = {"web"}},
                     {.group = "coordination.k8s.io",
                      .resource = "leases",
                      .verbs = {"create", "get", "update"},
                      .names = {"op"},
                      .namespaces = {"op-system"},
                      .purpose = AccessPurpose::kLeaderElection},
                     {.group = "authentication.k8s.io",
                      .resource = "tokenreviews",
                      .verbs = {"create"},
                      .purpose = AccessPurpose::kMetrics}}};
}

ProgramFacts WithWebhooks() {
  ProgramFacts program = Program();
  program.webhooks = {webhook::MakeRegistration(webhook::WebhookKind::kMutating, kDogs, {}),
                      webhook::MakeRegistration(webhook::WebhookKind::kValidating, kDogs, {})};
  webhook::Registration conversion;
  conversion.kind = webhook::WebhookKind::kConversion;
  conversion.path = "/convert";
  conversion.gvk = {.group = "example.com", .version = "v1", .kind = "Dog"};
  conversion.gvr = {.group = "example.com", .version = "v1", .resource = "dogs"};
  conversion.versions = {"v1", "v2"};
  program.webhooks.push_back(conversion);
  return program;
}

// Returns the documents of a text by "Kind namespace/name", in their order.
std::vector<std::pair<std::string, Value>> Documents(absl::string_view text) {
  std::vector<std::pair<std::string, Value>> documents;
  codec::YamlDocuments stream(text);
  while (true) {
    const auto document = stream.Next();
    EXPECT_THAT(document, IsOk());
    if (!document.ok() || !document->has_value()) return documents;
    const auto value = unstructured::ParseYaml((*document)->text);
    EXPECT_THAT(value, IsOk());
    if (!value.ok() || value->is_null()) continue;
    const Value& metadata = (*value)["metadata"];
    documents.emplace_back(absl::StrCat((*value)["kind"].text().value_or(""), " ",
                                        metadata["namespace"].text().value_or(""), "/",
                                        metadata["name"].text().value_or("")),
                           *value);
  }
}

std::vector<std::string> NamesIn(const std::vector<std::pair<std::string, Value>>& documents) {
  std::vector<std::string> names;
  for (const auto& [name, value] : documents) names.push_back(name);
  return names;
}

Value Find(const ProgramFacts& program, const InstallOptions& options, absl::string_view name) {
  const auto text = InstallYaml(program, options);
  EXPECT_THAT(text, IsOk());
  for (const auto& [found, value] : Documents(text.ok() ? *text : "")) {
    if (found == name) return value;
  }
  ADD_FAILURE() << "there is no " << name;
  return Value();
}

// behaviour.md: CT-6
TEST(InstallYamlTest, WithoutWebhooks_HasTheseObjectsInTheOrderOfTheirUse) {
  const auto text = InstallYaml(Program(), {.definitions = kDefinition});
  ASSERT_THAT(text, IsOk());
  EXPECT_THAT(NamesIn(Documents(*text)),
              ElementsAre("Namespace /op-system", "CustomResourceDefinition /dogs.example.com",
                          "ServiceAccount op-system/op-controller-manager",
                          "Role op-system/op-leader-election-role", "Role web/op-manager-role",
                          "ClusterRole /op-dog-admin-role", "ClusterRole /op-dog-editor-role",
                          "ClusterRole /op-dog-viewer-role", "ClusterRole /op-manager-role",
                          "ClusterRole /op-metrics-auth-role", "ClusterRole /op-metrics-reader",
                          "RoleBinding op-system/op-leader-election-rolebinding",
                          "RoleBinding web/op-manager-rolebinding",
                          "ClusterRoleBinding /op-manager-rolebinding",
                          "ClusterRoleBinding /op-metrics-auth-rolebinding",
                          "Service op-system/op-controller-manager-metrics-service",
                          "Deployment op-system/op-controller-manager"));
}

TEST(InstallYamlTest, TheOrderOfWhatIsDeclared_DoesNotMatter) {
  ProgramFacts reversed = Program();
  std::reverse(reversed.access.begin(), reversed.access.end());
  const auto text = InstallYaml(Program());
  const auto other = InstallYaml(reversed);
  ASSERT_THAT(text, IsOk());
  ASSERT_THAT(other, IsOk());
  EXPECT_EQ(*text, *other);
  EXPECT_TRUE(absl::StartsWith(*text, "---\napiVersion: v1\nkind: Namespace\n"));
}

TEST(InstallYamlTest, Webhooks_HaveAServiceACertificateAndConfigurations) {
  const auto text = InstallYaml(WithWebhooks(), {.definitions = kDefinition});
  ASSERT_THAT(text, IsOk());
  const auto documents = Documents(*text);
  EXPECT_THAT(
      NamesIn(documents),
      IsSupersetOf({"Service op-system/op-webhook-service", "Issuer op-system/op-selfsigned-issuer",
                    "Certificate op-system/op-serving-cert",
                    "MutatingWebhookConfiguration /op-mutating-webhook-configuration",
                    "ValidatingWebhookConfiguration /op-validating-webhook-configuration"}));
  // An API server asks the program as soon as it has these.
  EXPECT_EQ(documents.back().second["kind"].text(), "ValidatingWebhookConfiguration");
  const Value& configuration = documents.back().second;
  EXPECT_EQ(configuration["metadata"]["annotations"]["cert-manager.io/inject-ca-from"].text(),
            "op-system/op-serving-cert");
  const Value& entry = configuration["webhooks"].list()->front();
  EXPECT_EQ(entry["clientConfig"]["service"]["name"].text(), "op-webhook-service");
  EXPECT_EQ(entry["clientConfig"]["service"]["namespace"].text(), "op-system");
}

// Watches of a pod that is not ready yet may need its conversions.
TEST(InstallYamlTest, AConversion_IsReachedBeforeThePodIsReadyAndAnAdmissionIsNot) {
  const auto text = InstallYaml(WithWebhooks(), {.definitions = kDefinition});
  ASSERT_THAT(text, IsOk());
  std::map<std::string, Value> documents;
  for (auto& [name, value] : Documents(*text)) documents[name] = value;
  const Value& converts = documents["Service op-system/op-conversion-service"];
  EXPECT_EQ(converts["spec"]["publishNotReadyAddresses"].boolean(), true);
  EXPECT_EQ(converts["spec"]["ports"].list()->front()["targetPort"].text(), "webhook-server");
  const Value& admits = documents["Service op-system/op-webhook-service"];
  EXPECT_EQ(admits["spec"]["ports"].list()->front()["targetPort"].text(), "webhook-server");
  EXPECT_TRUE(admits["spec"]["publishNotReadyAddresses"].is_null());
  // Both select the same pods, with a certificate for both names.
  EXPECT_EQ(admits["spec"]["selector"], converts["spec"]["selector"]);
  EXPECT_THAT(*text, HasSubstr(R"(  dnsNames:
  - op-webhook-service.op-system.svc
  - op-webhook-service.op-system.svc.cluster.local
  - op-conversion-service.op-system.svc
  - op-conversion-service.op-system.svc.cluster.local
)"));
  const Value& definition = documents["CustomResourceDefinition /dogs.example.com"];
  const Value& config = definition["spec"]["conversion"]["webhook"]["clientConfig"];
  EXPECT_EQ(config["service"]["name"].text(), "op-conversion-service");
}

TEST(InstallYamlTest, AProgramHasOnlyTheServiceThatIsCalled) {
  const std::string kAdmits = "Service op-system/op-webhook-service";
  const std::string kConverts = "Service op-system/op-conversion-service";
  ProgramFacts program = WithWebhooks();
  const std::vector<webhook::Registration> all = std::exchange(program.webhooks, {});
  program.webhooks = {all[0]};
  auto text = InstallYaml(program, {.definitions = kDefinition});
  ASSERT_THAT(text, IsOk());
  EXPECT_THAT(NamesIn(Documents(*text)), Contains(kAdmits));
  EXPECT_THAT(NamesIn(Documents(*text)), Not(Contains(kConverts)));
  program.webhooks = {all[2]};
  text = InstallYaml(program, {.definitions = kDefinition});
  ASSERT_THAT(text, IsOk());
  EXPECT_THAT(NamesIn(Documents(*text)), Contains(kConverts));
  EXPECT_THAT(NamesIn(Documents(*text)), Not(Contains(kAdmits)));
}

TEST(InstallYamlTest, WebhookNamesOf_AreThoseOfTheManifests) {
  const WebhookNames names = WebhookNamesOf("op", "op-system");
  EXPECT_EQ(names.host, "op-webhook-service.op-system.svc");
  const auto text = InstallYaml(WithWebhooks(), {.definitions = kDefinition});
  ASSERT_THAT(text, IsOk());
  EXPECT_EQ(names.conversion_host, "op-conversion-service.op-system.svc");
  EXPECT_THAT(*text, HasSubstr(absl::StrCat("- ", names.host, "\n")));
  EXPECT_THAT(*text, HasSubstr(absl::StrCat("name: ", names.mutating_configuration, "\n")));
  EXPECT_THAT(*text, HasSubstr(absl::StrCat("name: ", names.validating_configuration, "\n")));
}

TEST(InstallYamlTest, AConversion_IsInTheDefinition) {
  const Value definition = Find(WithWebhooks(), {.definitions = kDefinition},
                                "CustomResourceDefinition /dogs.example.com");
  EXPECT_EQ(definition["spec"]["conversion"]["strategy"].text(), "Webhook");
  EXPECT_EQ(definition["metadata"]["annotations"]["cert-manager.io/inject-ca-from"].text(),
            "op-system/op-serving-cert");
}

TEST(InstallYamlTest, TheProgramMakesItsCertificate_NothingIsMountedOrAnnotated) {
  const auto text = InstallYaml(
      WithWebhooks(), {.definitions = kDefinition, .certificates = CertificateSource::kProgram});
  ASSERT_THAT(text, IsOk());
  EXPECT_THAT(*text, HasSubstr("kind: MutatingWebhookConfiguration\n"));
  EXPECT_THAT(*text, Not(HasSubstr("cert-manager.io")));
  EXPECT_THAT(*text, Not(HasSubstr("volumeMounts")));
}

TEST(InstallYamlTest, TheDeployment_SaysWhatTheOptionsSay) {
  ProgramFacts program = WithWebhooks();
  program.health_port = 9000;
  program.shutdown = absl::Milliseconds(40500);
  const Value deployment = Find(program,
                                {.namespace_name = "prod",
                                 .image = "registry/op:1",
                                 .replicas = 2,
                                 .arguments = {"--v=4"},
                                 .memory_limit = "1Gi",
                                 .definitions = kDefinition},
                                "Deployment prod/op-controller-manager");
  EXPECT_EQ(deployment["spec"]["replicas"].integer(), 2);
  const Value& pod = deployment["spec"]["template"]["spec"];
  EXPECT_EQ(pod["serviceAccountName"].text(), "op-controller-manager");
  EXPECT_EQ(pod["terminationGracePeriodSeconds"].integer(), 46);
  EXPECT_EQ(pod["securityContext"]["runAsNonRoot"].boolean(), true);
  const auto yaml = unstructured::EncodeYaml(pod["containers"]);
  ASSERT_THAT(yaml, IsOk());
  EXPECT_EQ(*yaml, R"(- args:
  - --leader-elect
  - --health-probe-bind-address=:9000
  - --metrics-bind-address=:8443
  - --v=4
  image: registry/op:1
  livenessProbe:
    httpGet:
      path: /livez
      port: health
    initialDelaySeconds: 15
    periodSeconds: 20
    timeoutSeconds: 6
  name: manager
  ports:
  - containerPort: 9000
    name: health
    protocol: TCP
  - containerPort: 8443
    name: metrics
    protocol: TCP
  - containerPort: 9443
    name: webhook-server
    protocol: TCP
  readinessProbe:
    httpGet:
      path: /readyz
      port: health
    initialDelaySeconds: 5
    periodSeconds: 10
    timeoutSeconds: 6
  resources:
    limits:
      memory: 1Gi
    requests:
      cpu: 10m
      memory: 64Mi
  securityContext:
    allowPrivilegeEscalation: false
    capabilities:
      drop:
      - ALL
    readOnlyRootFilesystem: true
  volumeMounts:
  - mountPath: /tmp/k8s-webhook-server/serving-certs
    name: webhook-certs
    readOnly: true
)");
}

TEST(InstallYamlTest, TheMetricsPort_IsThatOfAllObjects) {
  const auto text = InstallYaml(Program(), {.metrics_port = 9000, .network_policies = true});
  ASSERT_THAT(text, IsOk());
  EXPECT_THAT(*text, HasSubstr("- --metrics-bind-address=:9000\n"));
  EXPECT_THAT(*text, HasSubstr("- containerPort: 9000\n"));
  EXPECT_THAT(*text, HasSubstr("port: 9000\n"));
  EXPECT_THAT(*text, Not(HasSubstr("8443")));
}

TEST(InstallYamlTest, ArgumentsThatChangePorts_AreInvalidArgument) {
  const struct {
    const char* argument;
    const char* instead;
  } kRows[] = {
      {"--metrics-bind-address=:9000", "InstallOptions::metrics_port"},
      {"-metrics_bind_address", "InstallOptions::metrics_port"},
      {"--health-probe-bind-address=:9001", "ProgramFacts::health_port"},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(InstallYaml(Program(), {.arguments = {"--v=4", row.argument}}),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         testing::AllOf(HasSubstr(row.argument), HasSubstr(row.instead))));
  }
  EXPECT_THAT(InstallYaml(Program(), {.metrics_port = 0}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("metrics_port 0")));
}

TEST(InstallYamlTest, WhatIsTurnedOff_IsNotThere) {
  ProgramFacts program = {.name = "op"};
  program.health_port.reset();
  const auto text = InstallYaml(program, {.leader_election = false,
                                          .metrics = false,
                                          .cpu_request = "",
                                          .memory_request = "",
                                          .memory_limit = ""});
  ASSERT_THAT(text, IsOk());
  EXPECT_THAT(NamesIn(Documents(*text)),
              ElementsAre("Namespace /op-system", "ServiceAccount op-system/op-controller-manager",
                          "Deployment op-system/op-controller-manager"));
  for (const char* absent : {"args", "ports", "Probe", "resources", "volumes"}) {
    EXPECT_THAT(*text, Not(HasSubstr(absent)));
  }
}

TEST(InstallYamlTest, MonitoringAndPolicies_AreInstalledIfAskedFor) {
  const std::vector<std::string> kOptional = {
      "NetworkPolicy op-system/op-allow-metrics-traffic",
      "NetworkPolicy op-system/op-allow-webhook-traffic",
      "ServiceMonitor op-system/op-controller-manager-metrics-monitor"};
  const auto with =
      InstallYaml(WithWebhooks(),
                  {.definitions = kDefinition, .service_monitor = true, .network_policies = true});
  ASSERT_THAT(with, IsOk());
  EXPECT_THAT(NamesIn(Documents(*with)), IsSupersetOf(kOptional));
  const auto without = InstallYaml(WithWebhooks(), {.definitions = kDefinition});
  ASSERT_THAT(without, IsOk());
  for (const std::string& name : kOptional) {
    EXPECT_THAT(NamesIn(Documents(*without)), Not(Contains(name)));
  }
}

TEST(InstallYamlTest, WhatCannotBeInstalled_IsInvalidArgument) {
  ProgramFacts twice = WithWebhooks();
  twice.webhooks.push_back(twice.webhooks.front());
  const struct {
    const char* name;
    ProgramFacts program;
    InstallOptions options;
    const char* error;
  } kRows[] = {
      {"no name", {}, {}, "make manifests of program \"\""},
      {"no label", {.name = "My_Op"}, {}, "RFC 1123"},
      {"too long a name", {.name = std::string(40, 'a')}, {}, "no more than 63"},
      {"no label as namespace", {.name = "op"}, {.namespace_name = "a.b"}, "\"a.b\""},
      {"no definition", {.name = "op"}, {.definitions = "kind: Pod"}, "CustomResourceDefinition"},
      {"two webhooks of one name", twice, {}, "has this name"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(InstallYaml(row.program, row.options),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.error)));
    EXPECT_THAT(InstallTree(row.program, row.options),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.error)));
  }
}

// ---- the tree

// Does what `kustomize build` does with a tree that has resources alone: appends the documents of
// all resources of a folder.
void Build(const std::map<std::string, std::string>& files, const std::string& folder,
           std::vector<std::pair<std::string, Value>>& documents) {
  const auto found = files.find(folder + "/kustomization.yaml");
  ASSERT_NE(found, files.end()) << folder;
  const auto kustomization = unstructured::ParseYaml(found->second);
  ASSERT_THAT(kustomization, IsOk());
  for (const Value& resource : *(*kustomization)["resources"].list()) {
    const std::string name(resource.text().value_or(""));
    if (absl::StartsWith(name, "../")) {
      Build(files, absl::StrCat("config/", name.substr(3)), documents);
      continue;
    }
    const auto file = files.find(absl::StrCat(folder, "/", name));
    ASSERT_NE(file, files.end()) << folder << "/" << name;
    for (auto& document : Documents(file->second)) documents.push_back(std::move(document));
  }
}

std::map<std::string, std::string> Tree(const InstallOptions& options) {
  std::map<std::string, std::string> files;
  const auto tree = InstallTree(WithWebhooks(), options);
  EXPECT_THAT(tree, IsOk());
  if (!tree.ok()) return files;
  for (const ManifestFile& file : *tree) files[file.path] = file.text;
  return files;
}

TEST(InstallTreeTest, ConfigDefault_BuildsTheSameObjects) {
  const InstallOptions kRows[] = {
      {.definitions = kDefinition},
      {.definitions = kDefinition, .service_monitor = true, .network_policies = true},
      {.definitions = kDefinition, .certificates = CertificateSource::kProgram},
  };
  for (const InstallOptions& options : kRows) {
    std::vector<std::pair<std::string, Value>> built;
    Build(Tree(options), "config/default", built);
    const auto text = InstallYaml(WithWebhooks(), options);
    ASSERT_THAT(text, IsOk());
    std::vector<std::pair<std::string, Value>> installed = Documents(*text);
    const auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::sort(built.begin(), built.end(), by_name);
    std::sort(installed.begin(), installed.end(), by_name);
    ASSERT_EQ(NamesIn(built), NamesIn(installed));
    for (size_t i = 0; i < built.size(); ++i) {
      EXPECT_EQ(built[i].second, installed[i].second) << built[i].first;
    }
  }
}

// behaviour.md: CT-7
TEST(InstallTreeTest, Files_AreThoseOfKubebuilder) {
  std::vector<std::string> paths;
  for (const auto& [path, text] : Tree({.definitions = kDefinition})) paths.push_back(path);
  EXPECT_THAT(
      paths, ElementsAre(
                 "config/certmanager/certificate-webhook.yaml", "config/certmanager/issuer.yaml",
                 "config/certmanager/kustomization.yaml", "config/crd/bases/example.com_dogs.yaml",
                 "config/crd/kustomization.yaml", "config/default/kustomization.yaml",
                 "config/default/metrics_service.yaml", "config/manager/kustomization.yaml",
                 "config/manager/manager.yaml", "config/network-policy/allow-metrics-traffic.yaml",
                 "config/network-policy/allow-webhook-traffic.yaml",
                 "config/network-policy/kustomization.yaml", "config/prometheus/kustomization.yaml",
                 "config/prometheus/monitor.yaml", "config/rbac/dog_admin_role.yaml",
                 "config/rbac/dog_editor_role.yaml", "config/rbac/dog_viewer_role.yaml",
                 "config/rbac/kustomization.yaml", "config/rbac/leader_election_role.yaml",
                 "config/rbac/leader_election_role_binding.yaml",
                 "config/rbac/metrics_auth_role.yaml", "config/rbac/metrics_auth_role_binding.yaml",
                 "config/rbac/metrics_reader_role.yaml", "config/rbac/role.yaml",
                 "config/rbac/role_binding.yaml", "config/rbac/service_account.yaml",
                 "config/samples/example.com_dog.yaml", "config/samples/kustomization.yaml",
                 "config/webhook/conversion_service.yaml", "config/webhook/kustomization.yaml",
                 "config/webhook/manifests.yaml", "config/webhook/service.yaml"));
}

}  // namespace
}  // namespace kube::manifests
