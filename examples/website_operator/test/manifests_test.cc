// The manifests that the operator prints: its roles, and a cluster into which they are installed,
// in which it does all its work with the rights that they give it.
#include "envtest/manifests.h"

#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "controller/cache/required_access.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manifests/install.h"
#include "controller/manifests/install_options.h"
#include "controller/manifests/testing/rule_use.h"
#include "envtest/in_process_transport.h"
#include "envtest/service_account.h"
#include "envtest/workloads/workloads.h"
#include "examples/website_operator/operator.h"
#include "examples/website_operator/test/users.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sites {
namespace {

namespace corev1 = kube::api::core::v1;
namespace manifests = kube::manifests;
namespace unstructured = kube::unstructured;
using kube::Context;
using kube::base::IsOk;
using testing::IsEmpty;
using unstructured::Unstructured;
using unstructured::Value;
using v1::Website;

constexpr char kCrds[] = "examples/website_operator/website_crds.yaml";
constexpr char kAccount[] =
    "system:serviceaccount:website-operator:website-operator-controller-manager";

std::string Read(const char* path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

kube::controller::ManagerOptions Options() {
  kube::controller::ManagerOptions options = {.name = "website-operator"};
  options.leader_election =
      kube::controller::LeaseOptions{.lease = {.namespace_name = kOperatorNamespace}};
  options.health.reset();  // a simulation has no ports
  return options;
}

// Returns what --print-manifests prints; the server is not asked.
std::string Manifests(kube::apiserver::ApiHandler& server) {
  auto manager = kube::controller::Manager::Make(kube::envtest::InProcessConfig(server), Options());
  EXPECT_THAT(manager, IsOk());
  if (!manager.ok()) return "";
  const WebsiteOperator made(**manager);
  const auto text = manifests::InstallYaml(
      {.name = "website-operator", .access = (*manager)->RequiredRules()},
      {.namespace_name = kOperatorNamespace, .replicas = 2, .definitions = Read(kCrds)});
  EXPECT_THAT(text, IsOk());
  return text.ok() ? *text : "";
}

std::vector<Unstructured> Documents(absl::string_view text) {
  std::vector<Unstructured> documents;
  kube::codec::YamlDocuments stream(text);
  while (true) {
    const auto document = stream.Next();
    EXPECT_THAT(document, IsOk());
    if (!document.ok() || !document->has_value()) return documents;
    const auto value = unstructured::ParseYaml((*document)->text);
    EXPECT_THAT(value, IsOk());
    if (value.ok() && value->is_object()) documents.push_back({.object = *value->object()});
  }
}

// Returns the rules of a role as YAML.
std::string RulesOf(const std::vector<Unstructured>& documents, absl::string_view kind,
                    absl::string_view name) {
  for (const Unstructured& document : documents) {
    if (document.kind() != kind || document.name() != name) continue;
    const Value* rules = document.object.find("rules");
    const auto yaml = unstructured::EncodeYaml(rules == nullptr ? Value() : *rules);
    return yaml.ok() ? *yaml : yaml.status().ToString();
  }
  return "there is no such role";
}

TEST(WebsiteManifestsTest, Roles_AreThoseOfWhatTheOperatorDeclares) {
  kube::apiserver::ApiHandler server;
  const std::vector<Unstructured> documents = Documents(Manifests(server));
  EXPECT_EQ(RulesOf(documents, "ClusterRole", "website-operator-manager-role"), R"(- apiGroups:
  - ""
  resources:
  - configmaps
  verbs:
  - get
  - list
  - watch
- apiGroups:
  - ""
  resources:
  - events
  verbs:
  - create
  - patch
- apiGroups:
  - apps
  resources:
  - deployments
  verbs:
  - create
  - get
  - list
  - patch
  - watch
- apiGroups:
  - sites.example.com
  resources:
  - websites
  verbs:
  - get
  - list
  - patch
  - watch
- apiGroups:
  - sites.example.com
  resources:
  - websites/finalizers
  verbs:
  - update
- apiGroups:
  - sites.example.com
  resources:
  - websites/status
  verbs:
  - patch
)");
  EXPECT_EQ(RulesOf(documents, "Role", "website-operator-manager-role"), R"(- apiGroups:
  - ""
  resources:
  - configmaps
  verbs:
  - create
- apiGroups:
  - ""
  resourceNames:
  - websites
  resources:
  - configmaps
  verbs:
  - get
  - patch
)");
  EXPECT_EQ(RulesOf(documents, "Role", "website-operator-leader-election-role"), R"(- apiGroups:
  - coordination.k8s.io
  resources:
  - leases
  verbs:
  - create
- apiGroups:
  - coordination.k8s.io
  resourceNames:
  - website-operator
  resources:
  - leases
  verbs:
  - get
  - update
)");
  EXPECT_TRUE(server.Requests().empty());
}

// Applies the documents as the administrator, in their namespaces or "default".
void Install(kube::apiserver::ApiHandler& server, const std::string& text) {
  const auto client = kube::rest::MakeClient(kube::envtest::InProcessConfig(server));
  ASSERT_THAT(client, IsOk());
  EXPECT_THAT(kube::envtest::InstallManifests(Context(), *client, {.manifest = text}), IsOk());
}

// Runs the operator with these credentials while its users work, and returns its rights.
std::vector<kube::controller::RequiredAccess> RunWith(const kube::rest::Config& config,
                                                      const Users& users) {
  const auto manager = kube::controller::Manager::Make(config, Options());
  EXPECT_THAT(manager, IsOk());
  if (!manager.ok()) return {};
  const WebsiteOperator made(**manager);
  absl::Status end;
  kube::base::Thread thread;
  EXPECT_THAT(
      thread.Start(Context(), "operator", [&](const Context& ctx) { end = (*manager)->Run(ctx); }),
      IsOk());
  users.Work();
  thread.RequestStop();
  thread.Join();
  EXPECT_THAT(end, IsOk());
  return (*manager)->RequiredRules();
}

// Returns the requests of the operator that its roles do not allow.
std::vector<std::string> Forbidden(const kube::apiserver::ApiHandler& server) {
  std::vector<std::string> forbidden;
  for (const kube::apiserver::LoggedRequest& request : server.Requests()) {
    if (request.user == kAccount && request.decision == "forbid") {
      forbidden.push_back(absl::StrCat(request.method, " ", request.target));
    }
  }
  return forbidden;
}

TEST(WebsiteManifestsTest, InstalledWithRbac_TheOperatorWorksAndUsesEachRight) {
  const kube::log::LogCapture quiet;
  kube::base::SimRuntime sim;
  const absl::Status simulated = sim.Run([] {
    kube::apiserver::ApiHandler server(
        kube::apiserver::HandlerOptions{.authorization = kube::apiserver::Authorization::kRbac});
    const std::string text = Manifests(server);
    Install(server, text);
    const auto config = kube::envtest::ServiceAccountConfig(
        Context(), kube::envtest::InProcessConfig(server), {.manifest = text});
    ASSERT_THAT(config, IsOk());
    const auto workloads = kube::envtest::Workloads::Start(kube::envtest::InProcessConfig(server),
                                                           {.pod_ready_after = absl::Seconds(1)});
    ASSERT_THAT(workloads, IsOk());
    const Users users(*kube::kubernetes::Clientset::Make(kube::envtest::InProcessConfig(server)));
    const auto access = RunWith(*config, users);
    EXPECT_THAT(Forbidden(server), IsEmpty());
    const manifests::RuleUse use =
        manifests::CompareWithRequests(access, server.Requests(), kAccount);
    EXPECT_THAT(use.not_declared, IsEmpty());
    EXPECT_THAT(use.not_used, IsEmpty());
  });
  ASSERT_THAT(simulated, IsOk());
}

TEST(WebsiteManifestsTest, TheSample_IsAccepted) {
  kube::apiserver::ApiHandler server;
  const auto tree =
      manifests::InstallTree({.name = "website-operator"}, {.definitions = Read(kCrds)});
  ASSERT_THAT(tree, IsOk());
  for (const char* wanted : {"config/crd/bases/sites.example.com_websites.yaml",
                             "config/samples/sites.example.com_website.yaml"}) {
    bool is_there = false;
    for (const manifests::ManifestFile& file : *tree) {
      if (file.path != wanted) continue;
      is_there = true;
      Install(server, file.text);
    }
    EXPECT_TRUE(is_there) << wanted;
  }
}

}  // namespace
}  // namespace sites
