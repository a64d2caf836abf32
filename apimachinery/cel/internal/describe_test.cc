#include "apimachinery/cel/internal/describe.h"

#include <vector>

#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

TEST(DescribeTest, TextsAndTypes) {
  const struct {
    Value value;
    const char* text;
    const char* type;
  } kTests[] = {
      {Value(), "null", "types.Null"},
      {Value::FromBool(true), "true", "types.Bool"},
      {Value::FromInt(-1), "-1", "types.Int"},
      {Value::FromUint(1), "1", "types.Uint"},
      {Value::FromDouble(1e6), "1e+06", "types.Double"},
      {Value::FromString("a b"), "a b", "types.String"},
      {Value::FromList({Value::FromString("a")}), "[\"a\"]", "*types.baseList"},
      {Value::FromType(IntType()), "int", "*types.Type"},
  };
  for (const auto& test : kTests) {
    EXPECT_EQ(PlainText(test.value), test.text);
    EXPECT_EQ(GoTypeName(test.value), test.type);
  }
}

}  // namespace
}  // namespace kube::cel::internal
