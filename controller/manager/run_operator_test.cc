#include "controller/manager/run_operator.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apiserver/api_server.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/self_signed.h"
#include "webhook/server.h"

namespace kube::controller {
namespace {

using base::IsOk;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// Ends the program's context as soon as it runs as leader, and remembers the lease.
class Operator {
 public:
  Operator(Manager& manager, CancelScope& program, std::string& lease) {
    EXPECT_THAT(manager.Add("stops the program",
                            [&manager, &program, &lease](const Context& ctx) {
                              lease = manager.status().leader.lease;
                              program.Cancel();
                              return base::WaitUntilDone(ctx);
                            }),
                IsOk());
  }
};

// For the template, which needs no more than this constructor.
class Idle {
 public:
  explicit Idle(Manager& manager) { EXPECT_FALSE(manager.name().empty()); }
};

// Fails, while another function takes longer to end than it may.
class FailsAndHangs {
 public:
  explicit FailsAndHangs(Manager& manager) {
    EXPECT_THAT(manager.Add("fails", [](const Context&) { return absl::InternalError("boom"); }),
                IsOk());
    EXPECT_THAT(
        manager.Add("hangs",
                    [](const Context&) { return base::SleepFor(Context(), absl::Seconds(5)); }),
        IsOk());
  }
};

class RunOperatorTest : public testing::Test {
 protected:
  // Runs the program with these arguments and returns its exit code.
  int RunWith(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "operator");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    return internal::RunOperatorUntil(
        program_.context(), static_cast<int>(argv.size()), argv.data(),
        {.name = "website-operator"},
        [this](Manager& manager, const std::function<absl::Status()>& run) {
          [[maybe_unused]] const Operator made(manager, program_, lease_);
          return run();
        });
  }

  const absl::FlagSaver saver_;
  const log::LogCapture log_;
  CancelScope program_ = WithCancel(WithTimeout(Context(), absl::Seconds(30)));
  std::string lease_;
};

TEST_F(RunOperatorTest, FlagsOfKubebuilder_RunsUntilItsContextIsDone) {
  // As with kubectl, a token is sent only where TLS is.
  const auto server = apiserver::ApiServer::Start();
  ASSERT_THAT(server, IsOk());
  EXPECT_EQ(RunWith({absl::StrCat("--server=", (*server)->url()), "--insecure-skip-tls-verify",
                     absl::StrCat("--token=", (*server)->admin_token()), "--leader-elect",
                     "--leader-elect-resource-namespace=default",
                     "--health-probe-bind-address=127.0.0.1:0",
                     "--metrics-bind-address=127.0.0.1:0", "--metrics-secure=false"}),
            0)
      << testing::PrintToString(log_.Lines());
  EXPECT_EQ(lease_, "default/website-operator") << testing::PrintToString(log_.Lines());
}

TEST_F(RunOperatorTest, WhatCannotStart_IsLoggedWithExitCodeOne) {
  const struct {
    const char* name;
    std::vector<std::string> arguments;
    const char* error;
  } kRows[] = {
      {"no file", {"--kubeconfig=/nowhere/config"}, "/nowhere/config"},
      {"an argument", {"--server=http://127.0.0.1:1", "run"}, "unexpected argument"},
      {"a bad flag", {"--metrics-bind-address=x"}, "--metrics-bind-address"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const absl::FlagSaver saver;
    EXPECT_EQ(RunWith(row.arguments), 1);
    EXPECT_THAT(log_.Lines(), Contains(HasSubstr(row.error)));
  }
}

// Otherwise the destructor of the manager waits for "hangs", and the program is not restarted.
TEST_F(RunOperatorTest, AFunctionFailsAndAnotherOneHangs_EndsAtOnce) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  std::string program = "operator";
  std::string server = "--server=http://127.0.0.1:1";
  std::string token = "--token=t";
  std::string health = "--health-probe-bind-address=0";
  char* argv[] = {program.data(), server.data(), token.data(), health.data(), nullptr};
  EXPECT_EXIT(RunOperator<FailsAndHangs>(4, argv,
                                         {.name = "stuck",
                                          .drain_timeout = absl::ZeroDuration(),
                                          .stop_timeout = absl::Milliseconds(100)}),
              testing::ExitedWithCode(1), "");
}

// There is no cluster, no kubeconfig and no credential.
TEST_F(RunOperatorTest, PrintManifests_ConnectsToNothing) {
  const std::string folder = testing::TempDir() + "/print_manifests_of_run_operator";
  std::filesystem::remove_all(folder);
  std::string program = "operator";
  std::string kubeconfig = "--kubeconfig=/nowhere/config";
  std::string print = absl::StrCat("--print-manifests=", folder);
  char* argv[] = {program.data(), kubeconfig.data(), print.data(), nullptr};
  EXPECT_EQ(RunOperator<Idle>(3, argv, {.name = "idle"}, {.namespace_name = "prod"}), 0)
      << testing::PrintToString(log_.Lines());
  std::ifstream file(folder + "/config/manager/manager.yaml");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("namespace: prod\n"));
}

TEST_F(RunOperatorTest, PrintManifests_ABadName_IsLoggedWithExitCodeOne) {
  std::string program = "operator";
  std::string print = "--print-manifests";
  char* argv[] = {program.data(), print.data(), nullptr};
  EXPECT_EQ(RunOperator<Idle>(2, argv, {.name = "Not_A_Label"}), 1);
  EXPECT_THAT(log_.Lines(), Contains(HasSubstr("unable to print manifests")));
}

// So the program's certificate is for the Service of the manifests that it prints.
TEST_F(RunOperatorTest, SelfSigned_HasTheNamesOfTheManifestsInItsNamespace) {
  std::string program = "operator";
  std::string server = "--server=http://127.0.0.1:1";
  std::string chosen = "--namespace=prod";
  char* argv[] = {program.data(), server.data(), chosen.data(), nullptr};
  ManagerOptions options = {.name = "website-operator"};
  options.webhooks.self_signed = webhook::SelfSignedOptions{.validating_configurations = {"given"}};
  webhook::SelfSignedOptions made;
  const auto look = [&made](Manager& manager, const std::function<absl::Status()>&) {
    made = manager.webhooks().options().self_signed.value_or(webhook::SelfSignedOptions());
    return absl::OkStatus();
  };
  EXPECT_EQ(internal::RunOperatorUntil(program_.context(), 3, argv, options, look), 0)
      << testing::PrintToString(log_.Lines());
  EXPECT_THAT(made.dns_names,
              ElementsAre("website-operator-webhook-service.prod.svc",
                          "website-operator-conversion-service.prod.svc", "localhost"));
  EXPECT_THAT(made.mutating_configurations,
              ElementsAre("website-operator-mutating-webhook-configuration"));
  EXPECT_THAT(made.validating_configurations, ElementsAre("given"));
}

TEST_F(RunOperatorTest, TheTemplate_MakesTheOperator) {
  std::string program = "operator";
  std::string bad = "--metrics-bind-address=x";
  char* argv[] = {program.data(), bad.data(), nullptr};
  EXPECT_EQ(RunOperator<Idle>(2, argv, {.name = "idle"}), 1);
}

}  // namespace
}  // namespace kube::controller
