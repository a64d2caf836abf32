#include "apimachinery/crd_schema/internal/numbers.h"

#include <cstdint>

#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/internal/result.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

TEST(NumbersTest, Integers) {
  EXPECT_TRUE(IsJsonInteger(3.0));
  EXPECT_TRUE(IsJsonInteger(-3.0));
  EXPECT_FALSE(IsJsonInteger(0.5));
  EXPECT_FALSE(IsJsonInteger(1e300));
  EXPECT_EQ(TruncateAsGo(-1.9), -1);
  EXPECT_EQ(TruncateAsGo(1e300), INT64_MIN);
}

TEST(NumbersTest, Bounds) {
  Node node;
  node.maximum = 3;
  EXPECT_TRUE(CheckNumber(node, "integer", "a", unstructured::Value(3)).ok());
  const Result result = CheckNumber(node, "integer", "a", unstructured::Value(4));
  ASSERT_EQ(result.failures().size(), 1U);
  EXPECT_EQ(result.failures()[0].message, "a in body should be less than or equal to 3");
}

}  // namespace
}  // namespace kube::crd_schema::internal
