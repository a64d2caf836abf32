#include "apimachinery/cel/internal/bounds.h"

#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

constexpr Bounds kOneToThree = {.min = 1, .max = 3};

TEST(BoundsTest, Arithmetic) {
  EXPECT_EQ(kOneToThree + Exactly(2), (Bounds{.min = 3, .max = 5}));
  EXPECT_EQ(kOneToThree * Exactly(2), (Bounds{.min = 2, .max = 6}));
  EXPECT_EQ(Scaled(kOneToThree, 0.5), (Bounds{.min = 1, .max = 2}));
  EXPECT_EQ(Scaled(Exactly(10), 0.1), Exactly(1));
  EXPECT_EQ(Scaled(Exactly(11), 0.1), Exactly(2));
  EXPECT_EQ(Scaled(Exactly(0), 0.1), Exactly(0));
  EXPECT_EQ(Union(kOneToThree, Exactly(7)), (Bounds{.min = 1, .max = 7}));
  EXPECT_EQ(Union(kOneToThree, Exactly(2)), kOneToThree);
  EXPECT_EQ(DivideUp(7, 2), 4u);
  EXPECT_EQ(DivideUp(0, 2), 0u);
}

TEST(BoundsTest, ResultsThatAreTooLarge) {
  EXPECT_EQ(Anything() + Exactly(1), (Bounds{.min = 1, .max = kUnlimited}));
  EXPECT_EQ(Anything() * Exactly(2), (Bounds{.min = 0, .max = kUnlimited}));
  EXPECT_EQ(Anything() * Exactly(0), Exactly(0));
  EXPECT_EQ(Scaled(Anything(), 2), (Bounds{.min = 0, .max = kUnlimited}));
  EXPECT_EQ(Scaled(Anything(), 1), (Bounds{.min = 0, .max = kUnlimited}));
  EXPECT_LT(Scaled(Anything(), 0.5).max, kUnlimited);
  EXPECT_EQ(DivideUp(kUnlimited, 1), kUnlimited);
}

}  // namespace
}  // namespace kube::cel::internal
