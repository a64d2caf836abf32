#include "apimachinery/unstructured/go_format.h"

#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::unstructured {
namespace {

TEST(GoFormat, FormatAsGo_EachType_PrintsAsGosFmt) {
  const Value value = *ParseJson(R"({"b":1,"a":null,"c":["x",1.5,true]})");
  EXPECT_EQ(FormatAsGo(value), "map[a:<nil> b:1 c:[x 1.5 true]]");
  EXPECT_EQ(FormatAsGoString(value),
            "map[a:%!s(<nil>) b:%!s(int64=1) c:[x %!s(float64=1.5) %!s(bool=true)]]");
  EXPECT_EQ(FormatAsGo(1000000.0), "1e+06");
  EXPECT_EQ(FormatAsGo(100000.0), "100000");
  EXPECT_EQ(FormatAsGo(123456789.0), "1.23456789e+08");
  EXPECT_EQ(FormatAsGo(0.0001), "0.0001");
  EXPECT_EQ(FormatAsGo(0.00001), "1e-05");
}

TEST(GoType, EachValue_HasItsTypeNameInGo) {
  EXPECT_EQ(GoType(Value()), "<nil>");
  EXPECT_EQ(GoType(true), "bool");
  EXPECT_EQ(GoType(1), "int64");
  EXPECT_EQ(GoType(1.5), "float64");
  EXPECT_EQ(GoType("a"), "string");
  EXPECT_EQ(GoType(List<Value>{1}), "[]interface {}");
  EXPECT_EQ(GoType(Map<Value>{{"a", 1}}), "map[string]interface {}");
}

}  // namespace
}  // namespace kube::unstructured
