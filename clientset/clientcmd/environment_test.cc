#include "clientset/clientcmd/environment.h"

#include <cstdlib>

#include "gtest/gtest.h"

namespace kube::clientcmd {
namespace {

TEST(Environment, IsTheProcesss) {
  setenv("KUBECONFIG", "/a:/b", 1);
  setenv("HOME", "/folder/", 1);
  unsetenv("POD_NAMESPACE");
  const Environment environment = ProcessEnvironment();
  EXPECT_EQ(environment.kubeconfig, "/a:/b");
  EXPECT_EQ(environment.pod_namespace, "");
  EXPECT_EQ(HomeFile(environment), "/folder/.kube/config");
}

TEST(Environment, WithoutAHome) { EXPECT_EQ(HomeFile({}), ".kube/config"); }

}  // namespace
}  // namespace kube::clientcmd
