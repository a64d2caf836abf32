#include "clientset/clientcmd/overrides.h"

#include "absl/time/time.h"
#include "clientset/clientcmd/environment.h"
#include "gtest/gtest.h"

namespace kube::clientcmd {
namespace {

TEST(Overrides, Timeouts) {
  EXPECT_EQ(ParseTimeout("0").value(), absl::ZeroDuration());
  EXPECT_EQ(ParseTimeout("30").value(), absl::Seconds(30));
  EXPECT_EQ(ParseTimeout("1m30s").value(), absl::Seconds(90));
  for (const char* text : {"", "x", "-3", "1 ", " 1"})
    EXPECT_FALSE(ParseTimeout(text).ok()) << text;
}

TEST(Overrides, Namespaces) {
  EXPECT_EQ(RemoveNamespacesPrefix("ns/web"), "web");
  EXPECT_EQ(RemoveNamespacesPrefix("NameSpaces/web"), "web");
  EXPECT_EQ(RemoveNamespacesPrefix("ns/"), "ns/");
  EXPECT_EQ(RemoveNamespacesPrefix("ns/ns/web"), "ns/web");
}

TEST(Overrides, LegacyServer) {
  EXPECT_EQ(LegacyClusterDefaults({}).server, "http://localhost:8080");
  EXPECT_EQ(LegacyClusterDefaults({.kubernetes_master = "https://m"}).server, "https://m");
}

}  // namespace
}  // namespace kube::clientcmd
