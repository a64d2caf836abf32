#include "controller/leaderelection/identity.h"

#include <unistd.h>

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::leaderelection {
namespace {

// behaviour.md: MGR-31
TEST(UniqueIdentityTest, IsTheHostAndSomethingRandom) {
  char host[256] = {};
  ASSERT_EQ(gethostname(host, sizeof(host) - 1), 0);
  const std::string first = UniqueIdentity();
  EXPECT_THAT(first, testing::StartsWith(std::string(host) + "_"));
  EXPECT_NE(UniqueIdentity(), first);
}

}  // namespace
}  // namespace kube::leaderelection
