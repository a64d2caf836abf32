#include "clientset/clientcmd/load_config.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/clientcmd/client_config.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/validation.h"
#include "clientset/rest/config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::clientcmd {
namespace {

namespace fs = std::filesystem;

class LoadConfigTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir();
    fs::create_directories(folder_ / ".kube");
    Write("flag", "flag");
    Write("env", "env");
    Write(".kube/config", "home");
  }
  void Write(const char* name, const char* host) {
    std::ofstream(folder_ / name) << absl::StrCat(
        "current-context: x\ncontexts:\n- {name: x, context: {cluster: c, namespace: ns-", host,
        "}}\n- {name: z, context: {cluster: d}}\nclusters:\n- {name: c, cluster: {server: https://",
        host, "}}\n- {name: d, cluster: {server: https://other}}\n");
  }
  LoadOptions Options(bool in_pod, bool has_env) const {
    LoadOptions options;
    options.in_cluster = {.environment = {.home = folder_.string()}};
    if (has_env) options.in_cluster.environment.kubeconfig = (folder_ / "env").string();
    options.in_cluster.config = [in_pod]() -> absl::StatusOr<rest::Config> {
      if (!in_pod) return absl::FailedPreconditionError("not running in a cluster");
      return rest::Config{.host = "https://pod"};
    };
    return options;
  }

  fs::path folder_;
};

TEST_F(LoadConfigTest, BuildConfigFromFlags) {
  LoadOptions options = Options(true, true);
  EXPECT_EQ(LoadConfig(options)->host, "https://pod");
  EXPECT_TRUE(IsEmptyConfig(LoadConfig(Options(false, true)).status()));
  options.kubeconfig = (folder_ / "flag").string();
  EXPECT_EQ(LoadConfig(options)->host, "https://flag");
  options.master = "https://master";
  EXPECT_EQ(LoadConfig(options)->host, "https://master");
  options = Options(true, true);
  options.master = "https://master";
  EXPECT_EQ(LoadConfig(options)->host, "https://master");
  options.kubeconfig = "/none";
  EXPECT_THAT(LoadConfig(options).status(), base::StatusIs(absl::StatusCode::kNotFound));
}

// behaviour.md: KC-11
TEST_F(LoadConfigTest, FlagThenEnvironmentThenPodThenHome) {
  LoadOptions options = Options(true, true);
  EXPECT_EQ(LoadDefaultConfig(options)->host, "https://env");
  options.context = "z";
  EXPECT_EQ(LoadDefaultConfig(options)->host, "https://other");
  EXPECT_EQ(LoadDefaultConfig(Options(true, false))->host, "https://pod");
  EXPECT_EQ(LoadDefaultConfig(Options(false, false))->host, "https://home");
  options.context.clear();
  options.kubeconfig = (folder_ / "flag").string();
  EXPECT_EQ(LoadDefaultConfig(options)->host, "https://flag");
}

// A program that is told to impersonate somebody must not act as its service account.
TEST_F(LoadConfigTest, OverridesOfThePod) {
  const std::string ca_file = (folder_ / "ca.crt").string();
  std::ofstream(ca_file) << "authorities";
  LoadOptions options = Options(true, false);
  options.in_cluster.config = [ca_file] {
    rest::Config config;
    config.host = "https://pod";
    config.tls.ca_file = ca_file;
    config.bearer_token = base::Secret("pod's");
    config.bearer_token_file = "/pod/token";
    return config;
  };
  options.overrides.auth_info = {.impersonate = "jane", .impersonate_groups = {"dev"}};
  options.overrides.timeout = "5";
  for (const bool by_default : {true, false}) {
    const absl::StatusOr<rest::Config> config =
        by_default ? LoadDefaultConfig(options) : LoadConfig(options);
    ASSERT_TRUE(config.ok()) << config.status();
    EXPECT_EQ(config->host, "https://pod");
    EXPECT_EQ(config->tls.ca_file, ca_file);
    EXPECT_EQ(config->bearer_token.Reveal(), "pod's");
    EXPECT_EQ(config->bearer_token_file, "/pod/token");
    EXPECT_EQ(config->impersonate.user_name, "jane");
    EXPECT_THAT(config->impersonate.groups, testing::ElementsAre("dev"));
    EXPECT_EQ(config->timeout, absl::Seconds(5));
  }
  // How the namespace of a pod is found.
  std::ofstream(folder_ / "token") << "pod's";
  std::ofstream(folder_ / "namespace") << "pods";
  Environment& environment = options.in_cluster.environment;
  environment.service_host = "pod";
  environment.service_port = "443";
  environment.service_account_dir = folder_.string();
  const absl::StatusOr<LoadedConfig> loaded = LoadDefaultConfigAndNamespace(options);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->config.impersonate.user_name, "jane");
  EXPECT_EQ(loaded->chosen_namespace.name, "pods");
  options.overrides.auth_info = {.token = base::Secret("mine")};
  EXPECT_EQ(LoadConfig(options)->bearer_token.Reveal(), "mine");
  EXPECT_EQ(LoadConfig(options)->bearer_token_file, "");
  // What is wrong with the overrides is reported, and no other source is tried.
  options.overrides.auth_info = {.impersonate_groups = {"dev"}};
  EXPECT_THAT(LoadDefaultConfig(options).status(),
              base::StatusIs(absl::StatusCode::kInvalidArgument));
  options.overrides.auth_info = {};
  options.overrides.cluster_info.server = "https://other";
  EXPECT_EQ(LoadDefaultConfig(options)->host, "https://other");
}

// behaviour.md: KC-5
TEST_F(LoadConfigTest, TheNamespaceOfTheSame) {
  const absl::StatusOr<LoadedConfig> loaded = LoadDefaultConfigAndNamespace(Options(false, true));
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->config.host, "https://env");
  EXPECT_EQ(loaded->chosen_namespace, (ChosenNamespace{.name = "ns-env"}));
}

TEST_F(LoadConfigTest, TheFlagMasterReplacesTheServer_AsInTheHeader) {
  const std::string kubeconfig = (folder_ / "flag").string();
  const std::string master = "https://master";
  const absl::StatusOr<rest::Config> config =
      LoadConfig({.kubeconfig = kubeconfig, .master = master});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->host, "https://master");
}

}  // namespace
}  // namespace kube::clientcmd
