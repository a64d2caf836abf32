#include "clientset/clientcmd/flags.h"

#include <string>
#include <vector>

#include "clientset/clientcmd/load_config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::clientcmd {
namespace {

TEST(Flags, AsKubectlSpellsThem) {
  std::vector<std::string> arguments = {"program",
                                        "--kubeconfig=/k",
                                        "-n",
                                        "ns/web",
                                        "--as-uid=7",
                                        "get",
                                        "--as-group",
                                        "g1,g2",
                                        "--token",
                                        "t",
                                        "--master",
                                        "https://m",
                                        "--context",
                                        "c",
                                        "--insecure-skip-tls-verify",
                                        "--request-timeout=5s",
                                        "--",
                                        "-n",
                                        "--as-uid=8"};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  const std::vector<char*> rest = ParseCommandLine(static_cast<int>(argv.size()), argv.data());
  EXPECT_THAT(rest, testing::ElementsAre(testing::StrEq("program"), testing::StrEq("get"),
                                         testing::StrEq("-n"), testing::StrEq("--as-uid=8")));

  const LoadOptions options = FlagOptions();
  EXPECT_EQ(options.kubeconfig, "/k");
  EXPECT_EQ(options.master, "https://m");
  EXPECT_EQ(options.context, "c");
  EXPECT_EQ(options.overrides.context.namespace_, "web");
  EXPECT_EQ(options.overrides.auth_info.impersonate_uid, "7");
  EXPECT_THAT(options.overrides.auth_info.impersonate_groups, testing::ElementsAre("g1", "g2"));
  EXPECT_EQ(options.overrides.auth_info.token.Reveal(), "t");
  EXPECT_TRUE(options.overrides.cluster_info.insecure_skip_tls_verify);
  EXPECT_EQ(options.overrides.timeout, "5s");
}

}  // namespace
}  // namespace kube::clientcmd
