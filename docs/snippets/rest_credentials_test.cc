// The code in docs/rest-credentials.md.
#include <cstdlib>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/config.h"
#include "clientset/rest/exec_config.h"
#include "clientset/rest/in_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rest = kube::rest;

namespace {

using ::kube::base::IsOk;

absl::StatusOr<rest::Config> Configuration(const rest::Config& outside) {
  absl::StatusOr<rest::Config> config = rest::InClusterConfig();
  if (rest::IsNotInCluster(config.status())) return outside;
  return config;
}

rest::Config WithPlugin() {
  return {.host = "https://10.0.0.1:6443",
          .exec = rest::ExecConfig{.command = "kubelogin",
                                   .args = {"get-token"},
                                   .api_version = "client.authentication.k8s.io/v1",
                                   .interactive_mode = rest::ExecInteractiveMode::kNever,
                                   .timeout = absl::Minutes(1)},
          .tls = {.ca_file = "/etc/kubernetes/ca.crt"}};
}

TEST(RestCredentialsTest, OutsideOfPods) {
  unsetenv("KUBERNETES_SERVICE_HOST");
  const auto config = Configuration({.host = "https://outside"});
  ASSERT_THAT(config.status(), IsOk());
  EXPECT_EQ(config->host, "https://outside");
}

TEST(RestCredentialsTest, Plugin) {
  rest::Config config = WithPlugin();
  config.tls = {};
  EXPECT_THAT(rest::MakeAuthenticator(config).status(), IsOk());
}

}  // namespace
