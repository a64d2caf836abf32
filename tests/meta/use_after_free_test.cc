// Planted: a look at what its owner has destroyed.
#include <memory>

#include "gtest/gtest.h"

namespace kube {
namespace {

TEST(UseAfterFreeTest, Looks) {
  auto owned = std::make_unique<int>(3);
  const volatile int* borrowed = owned.get();
#ifdef PLANTED
  owned.reset();
#endif
  EXPECT_EQ(*borrowed, 3);
}

}  // namespace
}  // namespace kube
