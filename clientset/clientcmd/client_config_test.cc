#include "clientset/clientcmd/client_config.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/overrides.h"
#include "clientset/clientcmd/validation.h"
#include "clientset/rest/config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::clientcmd {
namespace {

namespace fs = std::filesystem;
using base::StatusIs;
using testing::HasSubstr;
using testing::Not;

Kubeconfig Config(const char* server) {
  Kubeconfig config;
  config.clusters["c"] = {.server = server, .certificate_authority_data = "ca"};
  config.users["u"] = {.token = base::Secret("t"), .token_file = "/some/file"};
  config.contexts["x"] = {.cluster = "c", .user = "u"};
  config.current_context = "x";
  return config;
}

// behaviour.md: KC-7
TEST(DirectClientConfig, TokenBeforeItsFile) {
  const absl::StatusOr<rest::Config> config =
      DirectClientConfig(Config("https://h")).ToRestConfig();
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->bearer_token.Reveal(), "t");
  EXPECT_EQ(config->bearer_token_file, "/some/file");
}

// behaviour.md: KC-6
TEST(DirectClientConfig, CredentialsForTlsOnly) {
  for (const char* server : {"http://h", "h:6443", "10.0.0.1"}) {
    const absl::StatusOr<rest::Config> config = DirectClientConfig(Config(server)).ToRestConfig();
    ASSERT_TRUE(config.ok()) << config.status();
    EXPECT_TRUE(config->bearer_token.empty()) << server;
    EXPECT_EQ(config->tls.ca_data, "") << server;
  }
}

TEST(DirectClientConfig, AuthProvidersAreAnErrorWhenUsed) {
  Kubeconfig config = Config("https://h");
  config.users["u"] = {.auth_provider = AuthProvider{.name = "gcp"}};
  EXPECT_TRUE(Validate(config).ok());
  EXPECT_THAT(DirectClientConfig(config).ToRestConfig().status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("gcp")));
}

TEST(DirectClientConfig, AProxysPasswordIsNotTold) {
  Kubeconfig config = Config("https://h");
  config.clusters["c"].proxy_url = "ftp://me:hunter2@proxy";
  const absl::Status status = DirectClientConfig(config).ToRestConfig().status();
  EXPECT_TRUE(IsConfigurationInvalid(status));
  EXPECT_THAT(std::string(status.message()), Not(HasSubstr("hunter2")));
}

TEST(DirectClientConfig, KindsOfErrors) {
  EXPECT_TRUE(IsEmptyConfig(DirectClientConfig({}).ToRestConfig().status()));
  Kubeconfig config = Config("https://h");
  config.current_context = "none";
  const absl::Status missing = DirectClientConfig(config).ToRestConfig().status();
  EXPECT_TRUE(IsContextNotFound(missing)) << missing;
  EXPECT_TRUE(IsConfigurationInvalid(missing));
  EXPECT_FALSE(IsEmptyConfig(missing));
}

// The cases of client-go's merged_client_builder_test.go.
class Deferred : public testing::Test {
 protected:
  void SetUp() override {
    pod_ = fs::path(testing::TempDir()) /
           testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(pod_);
    std::ofstream(pod_ / "token") << "t";
    std::ofstream(pod_ / "namespace") << "pod-namespace\n";
    in_cluster_.config = []() -> absl::StatusOr<rest::Config> {
      return rest::Config{.host = "https://pod", .bearer_token = base::Secret("pod")};
    };
    in_cluster_.environment = {
        .service_host = "h", .service_port = "1", .service_account_dir = pod_.string()};
  }

  fs::path pod_;
  InCluster in_cluster_;
};

// behaviour.md: KC-4, KC-5
TEST_F(Deferred, ThePodWhereThereIsNothing) {
  DeferredLoadingClientConfig config({}, {}, in_cluster_);
  EXPECT_EQ(config.ToRestConfig()->host, "https://pod");
  EXPECT_EQ(*config.Namespace(), (ChosenNamespace{.name = "pod-namespace"}));
}

// behaviour.md: KC-5
TEST_F(Deferred, POD_NAMESPACEBeforeTheFile) {
  in_cluster_.environment.pod_namespace = "from-environment";
  DeferredLoadingClientConfig config({}, {}, in_cluster_);
  EXPECT_EQ(config.Namespace()->name, "from-environment");
}

// behaviour.md: KC-4, KC-5
TEST_F(Deferred, OverridesOfThePod) {
  DeferredLoadingClientConfig config(
      {}, {.auth_info = {.token_file = "/f"}, .context = {.namespace_name = "mine"}}, in_cluster_);
  const absl::StatusOr<rest::Config> made = config.ToRestConfig();
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->bearer_token_file, "/f");
  EXPECT_TRUE(made->bearer_token.empty());
  EXPECT_EQ(*config.Namespace(), (ChosenNamespace{.name = "mine", .overridden = true}));
}

// behaviour.md: KC-4
TEST_F(Deferred, NotInAPod) {
  fs::remove(pod_ / "token");
  DeferredLoadingClientConfig config({}, {}, in_cluster_);
  EXPECT_TRUE(IsEmptyConfig(config.ToRestConfig().status()));
  EXPECT_TRUE(IsEmptyConfig(config.Namespace().status()));
}

}  // namespace
}  // namespace kube::clientcmd
