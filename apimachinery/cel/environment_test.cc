#include "apimachinery/cel/environment.h"

#include "apimachinery/cel/type.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

TEST(EnvironmentTest, FindsVariables) {
  Environment environment;
  EXPECT_EQ(environment.types(), nullptr);
  EXPECT_EQ(environment.FindVariable("x"), nullptr);
  environment.AddVariable("x", IntType());
  EXPECT_EQ(environment.FindVariable("x"), IntType());
  environment.AddVariable("x", StringType());
  EXPECT_EQ(environment.FindVariable("x"), StringType());
  EXPECT_EQ(environment.FindVariable("y"), nullptr);
}

}  // namespace
}  // namespace kube::cel
