// The snippets of docs/manifests.md, and the examples of controller/manifests and
// webhook/manifests.h, in functions that the tests call.

#include "webhook/manifests.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/typed/resource.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/run_operator.h"
#include "controller/manifests/install.h"
#include "controller/manifests/install_options.h"
#include "controller/manifests/roles.h"
#include "controller/manifests/testing/rule_use.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/writer.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/registration.h"

namespace corev1 = kube::api::core::v1;
namespace manifests = kube::manifests;
namespace unstructured = kube::unstructured;
namespace webhook = kube::webhook;
using kube::controller::Controller;
using kube::controller::Manager;
using kube::controller::Owned;
using kube::controller::Request;
using kube::controller::Writer;
using testing::IsEmpty;

namespace {

class Accounts {
 public:
  explicit Accounts(Manager& manager)
      : maps_(manager),
        secrets_(maps_.Owns<corev1::Secret>(
            {.writes = {.access = {.verbs = {"create", "get", "patch", "delete"}}}})),
        directory_(maps_.Writes<corev1::ConfigMap>(
            {.access = {.namespaces = {"accounts"}, .names = {"directory"}}})) {
    maps_.Finalizes("example.com/account",
                    [](Request<corev1::ConfigMap>&) { return absl::OkStatus(); });
    maps_.Reconciles([](Request<corev1::ConfigMap>&) { return absl::OkStatus(); });
    // For what the program asks a client for.
    manager.RequireAccess({.resource = "nodes", .verbs = {"get"}});
  }

 private:
  Controller<corev1::ConfigMap> maps_;
  const Owned<corev1::Secret> secrets_;
  const Writer<corev1::ConfigMap> directory_;
};

int Program(int argc, char** argv) {
  return kube::controller::RunOperator<Accounts>(
      argc, argv, {.name = "accounts"},
      {.namespace_name = "accounts", .image = "registry.example.com/accounts:1.4", .replicas = 2});
}

absl::StatusOr<std::string> Yaml(Manager& manager) {
  manifests::ProgramFacts facts = {.name = "accounts"};
  facts.access = manager.RequiredRules();
  facts.webhooks = manager.webhooks().registrations();
  facts.webhook_port = manager.webhooks().options().port;
  return manifests::InstallYaml(facts, {.namespace_name = "accounts", .service_monitor = true});
}

absl::StatusOr<std::vector<unstructured::Value>> Configurations(
    const std::vector<webhook::Registration>& registrations) {
  webhook::ManifestOptions options = {.service_name = "hooks", .service_namespace = "prod"};
  return webhook::WebhookConfigurations(registrations, options);
}

class ManifestsGuide : public testing::Test {
 protected:
  std::unique_ptr<Manager> MakeManager() {
    kube::controller::ManagerOptions options = {.name = "accounts"};
    options.health.reset();
    auto made = Manager::Make(kube::envtest::InProcessConfig(server_), std::move(options));
    EXPECT_THAT(made, kube::base::IsOk());
    return *std::move(made);
  }

  const kube::log::LogCapture quiet_;
  kube::apiserver::ApiHandler server_;
};

TEST_F(ManifestsGuide, Accounts_DeclaresWhatItNeeds) {
  const std::unique_ptr<Manager> manager = MakeManager();
  const Accounts accounts(*manager);
  const auto yaml = Yaml(*manager);
  ASSERT_THAT(yaml, kube::base::IsOk());
  for (const char* expected :
       {"  - nodes\n", "  - secrets\n", "  - delete\n", "  - configmaps/finalizers\n",
        "  - directory\n", "kind: ServiceMonitor\n"}) {
    EXPECT_TRUE(absl::StrContains(*yaml, expected)) << expected;
  }
  const std::vector<manifests::RoleRules> roles = manifests::RolesOf(manager->RequiredRules());
  ASSERT_EQ(roles.size(), 2u);
  EXPECT_EQ(roles[1].namespace_name, "accounts");
}

TEST_F(ManifestsGuide, AProgramThatSendsNothing_NeedsNothingElse) {
  const std::unique_ptr<Manager> manager = MakeManager();
  const Accounts accounts(*manager);
  const manifests::RuleUse use =
      manifests::CompareWithRequests(manager->RequiredRules(), server_.Requests(),
                                     "system:serviceaccount:accounts:accounts-controller-manager");
  EXPECT_THAT(use.not_declared, IsEmpty());
}

TEST_F(ManifestsGuide, Configurations_OfARegistration_IsOne) {
  constexpr kube::typed::Resource kPods = {
      .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};
  const auto made =
      Configurations({webhook::MakeRegistration(webhook::WebhookKind::kValidating, kPods, {})});
  ASSERT_THAT(made, kube::base::IsOk());
  EXPECT_EQ(made->size(), 1u);
}

TEST_F(ManifestsGuide, Program_PrintsItsManifests) {
  const absl::FlagSaver saver;
  std::string name = "accounts";
  std::string print = absl::StrCat("--print-manifests=", testing::TempDir(), "/accounts");
  char* argv[] = {name.data(), print.data(), nullptr};
  EXPECT_EQ(Program(2, argv), 0) << testing::PrintToString(quiet_.Lines());
}

}  // namespace
