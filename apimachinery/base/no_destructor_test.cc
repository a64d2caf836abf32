#include "apimachinery/base/no_destructor.h"

#include <string>

#include "gtest/gtest.h"

namespace kube::base {
namespace {

struct Counted {
  explicit Counted(int* count) : destroyed(count) {}
  ~Counted() { ++*destroyed; }
  int* destroyed;
};

TEST(NoDestructor, ConstructsAndNeverDestroys) {
  int destroyed = 0;
  {
    const Counted plain(&destroyed);
    NoDestructor<Counted> kept(&destroyed);
    EXPECT_EQ(kept->destroyed, &destroyed);
    EXPECT_EQ(&(*kept).destroyed, &kept->destroyed);
  }
  EXPECT_EQ(destroyed, 1);
}

TEST(NoDestructor, IsAConstantWhereItsValueIs) {
  constinit static NoDestructor<int> number(3);
  EXPECT_EQ(*number, 3);
}

}  // namespace
}  // namespace kube::base
