#include "clientset/rest/internal/credentials/exec_plugin.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/config.h"
#include "clientset/rest/exec_config.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kPlugin[] = "clientset/rest/testing/fake_exec_plugin";
constexpr char kV1[] = "client.authentication.k8s.io/v1";

Config MakeConfig(std::vector<std::string> args) {
  return {.host = "https://server",
          .exec = ExecConfig{.command = kPlugin,
                             .args = std::move(args),
                             .api_version = kV1,
                             .interactive_mode = ExecInteractiveMode::kNever}};
}

absl::StatusOr<Credentials> RunOnce(const Config& config, const Context& ctx = {}) {
  auto plugin = ExecPlugin::Make(config);
  if (!plugin.ok()) return plugin.status();
  return (*plugin)->Run(ctx);
}

std::string TokenOf(const absl::StatusOr<Credentials>& credentials) {
  return credentials.ok() ? std::string(credentials->authorization.Reveal())
                          : credentials.status().ToString();
}

// A terminal as standard input.
class Terminal {
 public:
  Terminal() : before_(dup(STDIN_FILENO)), master_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    grantpt(master_);
    unlockpt(master_);
    const int slave = open(ptsname(master_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    dup2(slave, STDIN_FILENO);
    close(slave);
  }
  ~Terminal() {
    dup2(before_, STDIN_FILENO);
    close(before_);
    close(master_);
  }
  void Type(absl::string_view text) {
    EXPECT_EQ(write(master_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

 private:
  const int before_;
  const int master_;
};

// behaviour.md: EXEC-1
TEST(ExecPluginTest, Environment) {
  setenv("INHERITED", "from the process", 1);
  setenv("REPLACED", "from the process", 1);
  Config config = MakeConfig({"token", "INHERITED"});
  config.exec->env = {{"REPLACED", "first"}, {"REPLACED", "$HOME last"}};
  EXPECT_EQ(TokenOf(RunOnce(config)), "Bearer from the process");
  config.exec->args[1] = "REPLACED";
  EXPECT_EQ(TokenOf(RunOnce(config)), "Bearer $HOME last");
}

// behaviour.md: EXEC-1
TEST(ExecPluginTest, Info) {
  const TestFolder folder;
  Config config = MakeConfig({"print"});
  config.exec->env = {{"PLUGIN_INFO", folder.Path("info")},
                      {"KUBERNETES_EXEC_INFO", "not this"},
                      {"PLUGIN_OUTPUT", "secret"}};
  EXPECT_THAT(RunOnce(config).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, Not(HasSubstr("secret"))));
  EXPECT_EQ(
      folder.Read("info"),
      R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false}})");
  config.exec->provide_cluster_info = true;
  EXPECT_FALSE(RunOnce(config).ok());
  EXPECT_THAT(folder.Read("info"), HasSubstr(R"("cluster":{"server":"https://server")"));
}

TEST(ExecPluginTest, Failures) {
  const TestFolder folder;
  const struct {
    const char* name;
    std::vector<std::string> args;
    absl::StatusCode code;
    const char* message;
  } kCases[] = {
      {"exit code", {"exit", "3"}, absl::StatusCode::kUnavailable, "failed with exit code 3"},
      {"signal", {"signal"}, absl::StatusCode::kUnavailable, "executable terminated by signal 9"},
      {"long", {"huge", "1048577"}, absl::StatusCode::kResourceExhausted, "too much output"},
      {"garbage", {"huge", "1048576"}, absl::StatusCode::kInvalidArgument, "decoding stdout: "},
      {"slow",
       {"hang", folder.Path("x")},
       absl::StatusCode::kDeadlineExceeded,
       "timed out after 50ms"},
  };
  for (const auto& c : kCases) {
    Config config = MakeConfig(c.args);
    config.exec->timeout = c.code == absl::StatusCode::kDeadlineExceeded ? absl::Milliseconds(50)
                                                                         : absl::InfiniteDuration();
    EXPECT_THAT(
        RunOnce(config).status(),
        StatusIs(c.code,
                 AllOf(HasSubstr("exec plugin \"clientset/rest/testing/fake_exec_plugin\": "),
                       HasSubstr(c.message))))
        << c.name;
  }
}

TEST(ExecPluginTest, EndsWithItsContext) {
  const TestFolder folder;
  EXPECT_THAT(
      RunOnce(MakeConfig({"hang", folder.Path("x")}), WithTimeout({}, absl::Milliseconds(20)))
          .status(),
      StatusIs(absl::StatusCode::kDeadlineExceeded, Not(HasSubstr("timed out"))));
}

// behaviour.md: EXEC-5
TEST(ExecPluginTest, WrongConfigurations) {
  using Change = void (*)(Config&);
  const struct {
    const char* name;
    Change change;
    const char* message;
  } kCases[] = {
      {"no command", [](Config& c) { c.exec->command = ""; }, "command must be specified"},
      {"version", [](Config& c) { c.exec->api_version = "v1"; }, "invalid apiVersion \"v1\""},
      {"mode", [](Config& c) { c.exec->interactive_mode = ExecInteractiveMode::kUnset; },
       "interactive_mode must be specified"},
      {"env",
       [](Config& c) {
         c.exec->env = {{"A=B", "c"}};
       },
       "env variable name must be specified"},
      {"zero", [](Config& c) { c.exec->args = {std::string("\0", 1)}; }, "must not contain NUL"},
      {"policy", [](Config& c) { c.exec_policy.allowlist = {"a"}; }, "exec_policy"},
      {"no ca",
       [](Config& c) {
         c.exec->provide_cluster_info = true;
         c.tls.ca_file = "/none";
       },
       "read \"/none\""},
      {"extension",
       [](Config& c) {
         c.exec->provide_cluster_info = true;
         c.exec->cluster_config = "no json";
       },
       "exec plugin: encode cluster_config"},
  };
  for (const auto& c : kCases) {
    Config config = MakeConfig({});
    c.change(config);
    EXPECT_THAT(ExecPlugin::Make(config).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(c.message)))
        << c.name;
  }
  Config config = MakeConfig({});
  config.exec->api_version = "client.authentication.k8s.io/v1beta1";
  config.exec->interactive_mode = ExecInteractiveMode::kUnset;
  EXPECT_THAT(ExecPlugin::Make(config).status(), IsOk());
}

// behaviour.md: EXEC-5
TEST(ExecPluginTest, InteractiveModes) {
  using Mode = ExecInteractiveMode;
  const struct {
    const char* name;
    Mode mode;
    bool terminal;
    bool unavailable;
    const char* result;
  } kCases[] = {
      {"never", Mode::kNever, true, false, "Bearer eof"},
      {"if available", Mode::kIfAvailable, true, false, "Bearer typed"},
      {"if available, no terminal", Mode::kIfAvailable, false, false, "Bearer eof"},
      {"if available, in use", Mode::kIfAvailable, true, true, "Bearer eof"},
      {"always", Mode::kAlways, true, false, "Bearer typed"},
      {"always, no terminal", Mode::kAlways, false, false, "input is not a terminal"},
      {"always, in use", Mode::kAlways, true, true, "standard input is unavailable: in use"},
  };
  for (const auto& c : kCases) {
    Config config = MakeConfig({"stdin"});
    config.exec->interactive_mode = c.mode;
    config.exec->stdin_unavailable = c.unavailable;
    config.exec->stdin_unavailable_message = "in use";
    std::unique_ptr<Terminal> terminal;
    if (c.terminal) {
      terminal = std::make_unique<Terminal>();
      terminal->Type("typed\n");
    }
    EXPECT_THAT(TokenOf(RunOnce(config)), HasSubstr(c.result)) << c.name;
  }
}

// behaviour.md: EXEC-6
TEST(ExecPluginTest, HelpsToInstallTenTimes) {
  const log::LogCapture log;
  Config config = MakeConfig({});
  config.exec->command = "no-such-plugin";
  config.exec->install_hint = "brew install it";
  auto plugin = ExecPlugin::Make(config);
  ASSERT_THAT(plugin.status(), IsOk());
  for (int i = 0; i < 12; ++i) {
    EXPECT_THAT((*plugin)->Run({}).status(),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         "exec plugin \"no-such-plugin\": executable \"no-such-plugin\" not found: "
                         "executable file not found in $PATH"));
  }
  EXPECT_THAT(log.Lines(), SizeIs(10));
  EXPECT_THAT(log.Lines()[0], AllOf(HasSubstr("no-such-plugin"), HasSubstr("brew install it"),
                                    HasSubstr("client-go-credential-plugins")));
}

// behaviour.md: EXEC-6
TEST(TenTimesAnHourTest, BeginsAgain) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  TenTimesAnHour limit;
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(limit.Take());
    clock.Step(absl::Minutes(5));
  }
  EXPECT_FALSE(limit.Take());
  clock.Step(absl::Minutes(10));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(limit.Take());
  EXPECT_FALSE(limit.Take());
}

// behaviour.md: EXEC-2
TEST(ExecPluginTest, EndlessCredentialsAreLoggedOnce) {
  const log::LogCapture log;
  Config config = MakeConfig({"token", "NAME"});
  config.exec->env = {{"NAME", "sesame"}};
  auto plugin = ExecPlugin::Make(config);
  ASSERT_THAT(plugin.status(), IsOk());
  for (int i = 0; i < 2; ++i) EXPECT_EQ(TokenOf((*plugin)->Run({})), "Bearer sesame");
  EXPECT_THAT(log.Lines(),
              ElementsAre(AllOf(HasSubstr("do not expire"), Not(HasSubstr("sesame")))));
}

// behaviour.md: EXEC-8
TEST(ExecPluginTest, Metrics) {
  auto registry = std::make_shared<base::PrometheusRegistry>();
  const auto run = [&](std::vector<std::string> args, const std::string& command,
                       const ExecPolicy& policy) {
    Config config = MakeConfig(std::move(args));
    config.exec->command = command;
    config.exec_policy = policy;
    config.metrics = registry;
    RunOnce(config).status().IgnoreError();
  };
  run({"exit", "0"}, kPlugin, {});
  run({"exit", "3"}, kPlugin, {});
  run({"signal"}, kPlugin, {});
  run({}, "no-such-plugin", {});
  run({}, kPlugin, {.type = ExecPolicy::Type::kDenyAll});
  const std::string text = registry->Render();
  for (
      const char* line : {
          R"(rest_client_exec_plugin_call_total{code="0",call_status="no_error"} 1)",
          R"(rest_client_exec_plugin_call_total{code="3",call_status="plugin_execution_error"} 1)",
          R"(rest_client_exec_plugin_call_total{code="-1",call_status="plugin_execution_error"} 1)",
          R"(rest_client_exec_plugin_call_total{code="1",call_status="plugin_not_found_error"} 1)",
          R"(rest_client_exec_plugin_policy_call_total{status="allowed"} 4)",
          R"(rest_client_exec_plugin_policy_call_total{status="denied"} 1)",
      }) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

// behaviour.md: EXEC-8
TEST(ExecPluginTest, DeniedIsNotRun) {
  const TestFolder folder;
  Config config = MakeConfig({"count", folder.Path("runs")});
  config.exec_policy = {.type = ExecPolicy::Type::kAllowlist, .allowlist = {"other"}};
  EXPECT_THAT(RunOnce(config).status(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                                 HasSubstr("not permitted by the credential")));
  EXPECT_THAT(folder.Read("runs"), IsEmpty());
  config.exec_policy.allowlist.emplace_back(kPlugin);
  EXPECT_EQ(TokenOf(RunOnce(config)), "Bearer 1");
}

}  // namespace
}  // namespace kube::rest::internal
