// Planted: memory that nobody owns.
#include <memory>

#include "gtest/gtest.h"

namespace kube {
namespace {

// A function of its own, and many: the last pointer may survive in a register.
[[gnu::noinline]] int Use() {
  auto owned = std::make_unique<volatile int[]>(10);
  owned[0] = 1;
#ifdef PLANTED
  volatile int* lost = owned.release();
  return lost[0];
#else
  return owned[0];
#endif
}

TEST(LeakTest, Uses) {
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Use(), 1);
}

}  // namespace
}  // namespace kube
