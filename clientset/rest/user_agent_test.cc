#include "clientset/rest/user_agent.h"

#include "gtest/gtest.h"

namespace kube::rest {
namespace {

// behaviour.md: REST-18
TEST(UserAgentTest, HasPartsOfEach) {
  EXPECT_EQ(BuildUserAgent("/usr/bin/web", "v1.2.3-rc.1", "linux", "amd64", "abc1234def"),
            "web/v1.2.3 (linux/amd64) kubernetes/abc1234");
  EXPECT_EQ(BuildUserAgent("", "", "linux", "arm64", ""),
            "unknown/unknown (linux/arm64) kubernetes/unknown");
  EXPECT_EQ(BuildUserAgent("/", "v1", "linux", "arm64", "x"), "//v1 (linux/arm64) kubernetes/x");
}

TEST(UserAgentTest, ThisMachineIsKnown) {
  EXPECT_FALSE(OperatingSystem().empty());
  EXPECT_NE(Architecture(), "unknown");
}

}  // namespace
}  // namespace kube::rest
