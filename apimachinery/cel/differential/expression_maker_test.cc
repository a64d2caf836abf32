#include "apimachinery/cel/differential/expression_maker.h"

#include <string>

#include "apimachinery/cel/parse.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

TEST(ExpressionMakerTest, TheSeedDecides) {
  ExpressionMaker maker(1);
  ExpressionMaker same(1);
  ExpressionMaker other(2);
  int differences = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string expression = maker.Any(3);
    EXPECT_EQ(same.Any(3), expression);
    differences += other.Any(3) != expression ? 1 : 0;
  }
  EXPECT_GT(differences, 50);
}

TEST(ExpressionMakerTest, ExpressionsHaveNoSyntaxErrors) {
  ExpressionMaker maker(3);
  for (int i = 0; i < 1'000; ++i) {
    const std::string expression = maker.Any(i % 4);
    EXPECT_TRUE(Parse(expression).ok()) << expression;
  }
}

}  // namespace
}  // namespace kube::cel
