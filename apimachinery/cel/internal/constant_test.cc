#include "apimachinery/cel/internal/constant.h"

#include <cstdint>
#include <string>

#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/value.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

TEST(ConstantTest, KeepsTypeAndValue) {
  EXPECT_TRUE(LiteralValue({}).is_null());
  EXPECT_TRUE(LiteralValue(true).IsTrue());
  EXPECT_EQ(LiteralValue(int64_t{-7}).integer(), -7);
  EXPECT_EQ(LiteralValue(uint64_t{7}).unsigned_integer(), 7u);
  EXPECT_EQ(LiteralValue(1.5).number(), 1.5);
  EXPECT_EQ(LiteralValue(std::string("a")).text(), "a");
  EXPECT_EQ(LiteralValue(BytesLiteral{.bytes = "b"}).bytes(), "b");
}

TEST(ConstantTest, DoesNotReferToTheLiteral) {
  Literal literal = std::string("a text that no small string holds");
  const Value value = LiteralValue(literal);
  literal = true;
  EXPECT_EQ(value.text(), "a text that no small string holds");
}

}  // namespace
}  // namespace kube::cel::internal
