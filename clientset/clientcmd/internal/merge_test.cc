#include "clientset/clientcmd/internal/merge.h"

#include "clientset/clientcmd/kubeconfig.h"
#include "gtest/gtest.h"

namespace kube::clientcmd::internal {
namespace {

TEST(Merge, WhatIsThereReplaces) {
  AuthInfo to{.token_file = "old", .impersonate_user_extra = {{"a", {"1"}}, {"b", {"1"}}}};
  Merge(to, {.impersonate_user_extra = {{"b", {"2"}}}, .username = "u"});
  EXPECT_EQ(to, (AuthInfo{.token_file = "old",
                          .impersonate_user_extra = {{"a", {"1"}}, {"b", {"2"}}},
                          .username = "u"}));
}

TEST(Merge, EntriesAreTakenWhole) {
  Kubeconfig to{.clusters = {{"c", {.server = "old", .tls_server_name = "t"}}}};
  Merge(to, {.clusters = {{"c", {.server = "new"}}}, .current_context = "x"});
  EXPECT_EQ(to.clusters.at("c"), (ClusterInfo{.server = "new"}));
  EXPECT_EQ(to.current_context, "x");
}

}  // namespace
}  // namespace kube::clientcmd::internal
