// Planted: a sum that does not fit.
#include <limits>

#include "gtest/gtest.h"

namespace kube {
namespace {

TEST(OverflowTest, Adds) {
  volatile int big = std::numeric_limits<int>::max() - 1;
  big = big + 1;
#ifdef PLANTED
  big = big + 1;
#endif
  EXPECT_NE(big, 0);
}

}  // namespace
}  // namespace kube
