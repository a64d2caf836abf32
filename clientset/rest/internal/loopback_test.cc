#include "clientset/rest/internal/loopback.h"

#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

TEST(LoopbackTest, WhoIsOnThisMachine) {
  for (const char* host : {"localhost", "LocalHost", "127.0.0.1", "127.255.1.2", "::1"}) {
    EXPECT_TRUE(IsLoopback(host)) << host;
  }
  for (const char* host : {"", "127.0.0", "127.0.0.1.nip.io", "127.0.0.256", "128.0.0.1", "127...",
                           "localhost.evil.com", "::2"}) {
    EXPECT_FALSE(IsLoopback(host)) << host;
  }
}

}  // namespace
}  // namespace kube::rest::internal
