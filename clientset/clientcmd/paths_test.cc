#include "clientset/clientcmd/paths.h"

#include "clientset/clientcmd/kubeconfig.h"
#include "gtest/gtest.h"

namespace kube::clientcmd {
namespace {

// behaviour.md: KC-3
TEST(Paths, ResolvedFromTheirFile) {
  Kubeconfig config;
  config.users["u"] = {.location_of_origin = "/etc/k/config",
                       .client_key = "../key",
                       .token_file = "/abs/token",
                       .exec = ExecPlugin{.command = "bin/x"}};
  config.users["v"] = {.location_of_origin = "/etc/k/config", .exec = ExecPlugin{.command = "aws"}};
  config.clusters["new"] = {.certificate_authority = "ca"};
  ASSERT_TRUE(ResolveLocalPaths(config).ok());
  EXPECT_EQ(config.users["u"].client_key, "/etc/key");
  EXPECT_EQ(config.users["u"].token_file, "/abs/token");
  EXPECT_EQ(config.users["u"].exec->command, "/etc/k/bin/x");
  EXPECT_EQ(config.users["v"].exec->command, "aws");
  EXPECT_EQ(config.clusters["new"].certificate_authority, "ca");
}

// behaviour.md: KC-3
TEST(Paths, RelativeBelowTheirFile) {
  ClusterInfo below{.location_of_origin = "/k/config", .certificate_authority = "/k/certs/ca"};
  ClusterInfo beside{.location_of_origin = "/k/config", .certificate_authority = "/other/ca"};
  ClusterInfo lost{.certificate_authority = "/ca"};
  ASSERT_TRUE(RelativizeLocalPaths(below).ok());
  ASSERT_TRUE(RelativizeLocalPaths(beside).ok());
  EXPECT_EQ(below.certificate_authority, "certs/ca");
  EXPECT_EQ(beside.certificate_authority, "/other/ca");
  EXPECT_FALSE(RelativizeLocalPaths(lost).ok());
}

}  // namespace
}  // namespace kube::clientcmd
