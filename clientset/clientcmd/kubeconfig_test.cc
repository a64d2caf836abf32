#include "clientset/clientcmd/kubeconfig.h"

#include <string>

#include "apimachinery/base/secret.h"
#include "gtest/gtest.h"

namespace kube::clientcmd {
namespace {

TEST(Kubeconfig, Empty) {
  EXPECT_TRUE(IsConfigEmpty({}));
  EXPECT_FALSE(IsConfigEmpty({.preferences = {.colors = true}}));
  EXPECT_FALSE(IsConfigEmpty({.current_context = "x"}));
  EXPECT_FALSE(IsConfigEmpty({.users = {{"", {}}}}));
}

TEST(Kubeconfig, AContextNamesItsClusterAndItsUser_AsInTheHeader) {
  const std::string token = "secret";
  Kubeconfig config;
  config.clusters["prod"] = {.server = "https://10.0.0.1:6443"};
  config.users["me"] = {.token = base::Secret(token)};
  config.contexts["prod"] = {.cluster = "prod", .user = "me", .namespace_name = "web"};
  config.current_context = "prod";
  const ContextInfo& context = config.contexts.at(config.current_context);
  EXPECT_EQ(config.clusters.at(context.cluster).server, "https://10.0.0.1:6443");
  EXPECT_EQ(config.users.at(context.user).token.Reveal(), "secret");
}

}  // namespace
}  // namespace kube::clientcmd
