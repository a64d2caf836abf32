#include "apimachinery/selection/operator.h"

#include <sstream>

#include "gtest/gtest.h"

namespace kube::selection {
namespace {

TEST(Operator, Texts) {
  EXPECT_EQ(ToString(Operator::kDoesNotExist), "!");
  EXPECT_EQ(ToString(Operator::kEquals), "=");
  EXPECT_EQ(ToString(Operator::kDoubleEquals), "==");
  EXPECT_EQ(ToString(Operator::kIn), "in");
  EXPECT_EQ(ToString(Operator::kNotEquals), "!=");
  EXPECT_EQ(ToString(Operator::kNotIn), "notin");
  EXPECT_EQ(ToString(Operator::kExists), "exists");
  EXPECT_EQ(ToString(Operator::kGreaterThan), "gt");
  std::ostringstream out;
  out << Operator::kLessThan;
  EXPECT_EQ(out.str(), "lt");
}

}  // namespace
}  // namespace kube::selection
