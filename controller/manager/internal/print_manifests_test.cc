#include "controller/manager/internal/print_manifests.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/typed/resource.h"
#include "controller/cache/required_access.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission_types.h"
#include "webhook/registration.h"
#include "webhook/self_signed.h"
#include "webhook/server.h"

ABSL_DECLARE_FLAG(std::string, manifests_namespace);
ABSL_DECLARE_FLAG(std::string, manifests_image);
ABSL_DECLARE_FLAG(std::vector<std::string>, manifests_crds);

namespace kube::controller::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

// Registers a webhook of dogs, which is never called.
void AddWebhook(Manager& manager, webhook::WebhookKind kind) {
  constexpr typed::Resource kDogs = {
      .group = "example.com", .version = "v1", .plural = "dogs", .kind = "Dog"};
  manager.webhooks().Handle(webhook::MakeRegistration(kind, kDogs, {}),
                            [](const Context&, const webhook::RawAdmissionRequest&) {
                              return webhook::AdmissionResponse();
                            });
}

class PrintManifestsTest : public testing::Test {
 protected:
  // Returns a folder of this test's own that does not exist yet.
  static std::filesystem::path Folder() {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / test->name();
    std::filesystem::remove_all(folder);
    return folder;
  }
  static std::string Read(const std::filesystem::path& path) {
    std::ifstream file(path);
    return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  }

  const absl::FlagSaver saver_;
  const log::LogCapture quiet_;
};

TEST_F(PrintManifestsTest, Arguments_TheFlagAlone_MeansOutput) {
  std::string program = "operator";
  std::string flag = "--print-manifests";
  std::string after = "--";
  char* argv[] = {program.data(), flag.data(), after.data(), flag.data(), nullptr};
  const std::vector<char*> arguments = WithPrintDestination(4, argv);
  EXPECT_THAT(std::vector<std::string>(arguments.begin(), arguments.end()),
              ElementsAre("operator", "--print_manifests=-", "--", "--print-manifests"));
}

TEST_F(PrintManifestsTest, InstallOptionsFromFlags_FlagsWin) {
  const std::filesystem::path folder = Folder();
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "crds.yaml").string();
  std::ofstream(file) << "kind: X\n";
  const auto plain = InstallOptionsFromFlags({.namespace_name = "given", .image = "given:1"});
  ASSERT_THAT(plain, IsOk());
  EXPECT_EQ(plain->namespace_name, "given");
  EXPECT_EQ(plain->image, "given:1");
  EXPECT_EQ(plain->definitions, "");
  absl::SetFlag(&FLAGS_manifests_namespace, "prod");
  absl::SetFlag(&FLAGS_manifests_image, "registry/op:2");
  absl::SetFlag(&FLAGS_manifests_crds, std::vector<std::string>{file});
  const auto flagged = InstallOptionsFromFlags({.namespace_name = "given", .image = "given:1"});
  ASSERT_THAT(flagged, IsOk());
  EXPECT_EQ(flagged->namespace_name, "prod");
  EXPECT_EQ(flagged->image, "registry/op:2");
  EXPECT_THAT(flagged->definitions, HasSubstr("kind: X"));
}

TEST_F(PrintManifestsTest, InstallOptionsFromFlags_NoSuchFile_IsInvalidArgument) {
  absl::SetFlag(&FLAGS_manifests_crds, std::vector<std::string>{"/nowhere/crds.yaml"});
  EXPECT_THAT(InstallOptionsFromFlags({}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("/nowhere/crds.yaml")));
}

// The Deployment sets flags, so what the program needs with these is what is granted.
TEST_F(PrintManifestsTest, MakeManagerToPrint_HasWhatTheDeploymentTurnsOn) {
  const auto manager = MakeManagerToPrint({.name = "op"}, {});
  ASSERT_THAT(manager, IsOk());
  const std::vector<RequiredAccess> rules = (*manager)->RequiredRules();
  EXPECT_THAT(rules, Contains(Field(&RequiredAccess::resource, "tokenreviews")));
  EXPECT_THAT(rules, Contains(testing::AllOf(
                         Field(&RequiredAccess::resource, "leases"),
                         Field(&RequiredAccess::namespaces, ElementsAre("op-system")))));
}

TEST_F(PrintManifestsTest, MakeManagerToPrint_NothingIsTurnedOn_NeedsEventsOnly) {
  const auto manager =
      MakeManagerToPrint({.name = "op"}, {.leader_election = false, .metrics = false});
  ASSERT_THAT(manager, IsOk());
  EXPECT_THAT((*manager)->RequiredRules(), ElementsAre(Field(&RequiredAccess::resource, "events")));
}

TEST_F(PrintManifestsTest, WriteManifests_ToOutput_IsOneText) {
  const ManagerOptions options = {.name = "op"};
  const auto manager = MakeManagerToPrint(options, {});
  ASSERT_THAT(manager, IsOk());
  (*manager)->RequireAccess({.resource = "nodes", .verbs = {"get"}});
  std::ostringstream out;
  ASSERT_THAT(WriteManifests(**manager, options, {}, "-", out), IsOk());
  EXPECT_THAT(out.str(), HasSubstr("kind: Namespace\n"));
  EXPECT_THAT(out.str(), HasSubstr("name: op-system\n"));
  EXPECT_THAT(out.str(), HasSubstr("  - nodes\n"));
  EXPECT_THAT(out.str(), HasSubstr("- --health-probe-bind-address=:8081\n"));
  // The time limits of the manager, and five seconds.
  EXPECT_THAT(out.str(), HasSubstr("terminationGracePeriodSeconds: 30\n"));
  EXPECT_THAT(out.str(), Not(HasSubstr("WebhookConfiguration")));
}

TEST_F(PrintManifestsTest, WriteManifests_Webhooks_AreConfigured) {
  const struct {
    const char* name;
    bool self_signed;
  } kRows[] = {{"certificates of files", false}, {"certificates of its own", true}};
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    ManagerOptions options = {.name = "op"};
    if (row.self_signed) options.webhooks.self_signed = webhook::SelfSignedOptions();
    const auto manager = MakeManagerToPrint(options, {});
    ASSERT_THAT(manager, IsOk());
    constexpr typed::Resource kPods = {
        .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};
    (*manager)->webhooks().Handle(
        webhook::MakeRegistration(webhook::WebhookKind::kValidating, kPods, {}),
        [](const Context&, const webhook::RawAdmissionRequest&) {
          return webhook::AdmissionResponse();
        });
    std::ostringstream out;
    ASSERT_THAT(WriteManifests(**manager, options, {}, "-", out), IsOk());
    EXPECT_THAT(out.str(), HasSubstr("kind: ValidatingWebhookConfiguration\n"));
    EXPECT_THAT(out.str(), HasSubstr("path: /validate--v1-pod\n"));
    EXPECT_THAT(out.str(), HasSubstr("name: op-webhook-service\n"));
    EXPECT_EQ(absl::StrContains(out.str(), "kind: Certificate\n"), !row.self_signed);
  }
}

// The certificate is for the Service of the manifests, and the rules are for their configurations.
TEST_F(PrintManifestsTest, SelfSigned_TheNamesOfTheManifestsAreFilledIn) {
  ManagerOptions options = {.name = "op"};
  options.webhooks.self_signed = webhook::SelfSignedOptions();
  const auto manager = MakeManagerToPrint(options, {.namespace_name = "prod"});
  ASSERT_THAT(manager, IsOk());
  EXPECT_THAT(
      (*manager)->webhooks().options().self_signed->dns_names,
      ElementsAre("op-webhook-service.prod.svc", "op-conversion-service.prod.svc", "localhost"));
  // There are no webhooks yet.
  const auto is_configuration =
      Field(&RequiredAccess::resource, HasSubstr("webhookconfigurations"));
  EXPECT_THAT((*manager)->RequiredRules(), Not(Contains(is_configuration)));
  AddWebhook(**manager, webhook::WebhookKind::kMutating);
  AddWebhook(**manager, webhook::WebhookKind::kConversion);
  const std::vector<RequiredAccess> rules = (*manager)->RequiredRules();
  EXPECT_THAT(
      rules, Contains(testing::AllOf(
                 Field(&RequiredAccess::resource, "mutatingwebhookconfigurations"),
                 Field(&RequiredAccess::names, ElementsAre("op-mutating-webhook-configuration")))));
  EXPECT_THAT(rules, Contains(testing::AllOf(
                         Field(&RequiredAccess::resource, "customresourcedefinitions"),
                         Field(&RequiredAccess::names, ElementsAre("dogs.example.com")))));
  EXPECT_THAT(rules,
              Not(Contains(Field(&RequiredAccess::resource, "validatingwebhookconfigurations"))));
}

TEST_F(PrintManifestsTest, WriteManifests_SelfSignedOptionsThatDoNotFit_AreNamed) {
  const struct {
    const char* name;
    webhook::WebhookKind kind;
    webhook::SelfSignedOptions own;
    const char* lacks;
  } kRows[] = {
      {"another host",
       webhook::WebhookKind::kValidating,
       {.dns_names = {"hooks.prod.svc"}},
       "dns_names lacks \"op-webhook-service.op-system.svc\""},
      {"another configuration",
       webhook::WebhookKind::kMutating,
       {.mutating_configurations = {"hooks"}},
       "mutating_configurations lacks \"op-mutating-webhook-configuration\""},
      {"another validating configuration",
       webhook::WebhookKind::kValidating,
       {.validating_configurations = {"hooks"}},
       "validating_configurations lacks \"op-validating-webhook-configuration\""},
      {"another host of conversions",
       webhook::WebhookKind::kConversion,
       {.dns_names = {"op-webhook-service.op-system.svc"}},
       "dns_names lacks \"op-conversion-service.op-system.svc\""},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    ManagerOptions options = {.name = "op"};
    options.webhooks.self_signed = row.own;
    const auto manager = MakeManagerToPrint(options, {});
    ASSERT_THAT(manager, IsOk());
    AddWebhook(**manager, row.kind);
    std::ostringstream out;
    EXPECT_THAT(WriteManifests(**manager, options, {}, "-", out),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.lacks)));
    EXPECT_EQ(out.str(), "");
  }
}

TEST_F(PrintManifestsTest, WriteManifests_ToAFolder_IsATree) {
  const std::filesystem::path folder = Folder();
  const ManagerOptions options = {.name = "op"};
  const auto manager = MakeManagerToPrint(options, {});
  ASSERT_THAT(manager, IsOk());
  std::ostringstream out;
  for (int i = 0; i < 2; ++i) {  // the second time, it replaces
    ASSERT_THAT(WriteManifests(**manager, options, {}, folder.string(), out), IsOk());
  }
  EXPECT_EQ(out.str(), "");
  EXPECT_THAT(Read(folder / "config/default/kustomization.yaml"), HasSubstr("- ../rbac\n"));
  EXPECT_THAT(Read(folder / "config/manager/manager.yaml"), HasSubstr("kind: Deployment\n"));
}

TEST_F(PrintManifestsTest, WriteManifests_WhatCannotBeWritten_IsNamed) {
  const std::filesystem::path folder = Folder();
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "config") << "a file, where a folder is needed";
  const ManagerOptions options = {.name = "op"};
  const auto manager = MakeManagerToPrint(options, {});
  ASSERT_THAT(manager, IsOk());
  std::ostringstream out;
  EXPECT_THAT(WriteManifests(**manager, options, {}, folder.string(), out),
              StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr("config/")));
}

}  // namespace
}  // namespace kube::controller::internal
