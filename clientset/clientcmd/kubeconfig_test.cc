#include "clientset/clientcmd/kubeconfig.h"

#include "gtest/gtest.h"

namespace kube::clientcmd {
namespace {

TEST(Kubeconfig, Empty) {
  EXPECT_TRUE(IsConfigEmpty({}));
  EXPECT_FALSE(IsConfigEmpty({.preferences = {.colors = true}}));
  EXPECT_FALSE(IsConfigEmpty({.current_context = "x"}));
  EXPECT_FALSE(IsConfigEmpty({.users = {{"", {}}}}));
}

}  // namespace
}  // namespace kube::clientcmd
