#include "apimachinery/patch/internal/go_value.h"

#include "absl/status/status.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::patch::internal {
namespace {

using unstructured::ParseJson;
using unstructured::Value;

TEST(GoValue, PrintsAsFmt) {
  const Value value = *ParseJson(R"({"b":1,"a":null,"c":["x",1.5,true]})");
  EXPECT_EQ(FormatValue(value), "map[a:<nil> b:1 c:[x 1.5 true]]");
  EXPECT_EQ(FormatAsString(value),
            "map[a:%!s(<nil>) b:%!s(int64=1) c:[x %!s(float64=1.5) %!s(bool=true)]]");
  EXPECT_EQ(FormatValue(1000000.0), "1e+06");
  EXPECT_EQ(FormatValue(100000.0), "100000");
  EXPECT_EQ(FormatValue(123456789.0), "1.23456789e+08");
  EXPECT_EQ(FormatValue(0.0001), "0.0001");
  EXPECT_EQ(FormatValue(0.00001), "1e-05");
}

TEST(GoValue, Compares) {
  EXPECT_TRUE(*SameScalar(1, 1));
  EXPECT_FALSE(*SameScalar(1, 1.0));
  EXPECT_FALSE(*SameScalar(List<Value>{}, 1));
  EXPECT_FALSE(SameScalar(Value(List<Value>{1}), Value(List<Value>{1})).ok());
  EXPECT_TRUE(SameJson(*ParseJson(R"({"a":[1]})"), *ParseJson(R"({"a":[1.0]})")));
  EXPECT_FALSE(SameJson(9007199254740993, 9007199254740992));
}

TEST(GoValue, DropsDuplicatesInUpstreamsWay) {
  List<Value> scalars = {"a", "a", "b", "c", "a"};
  DropDuplicates(scalars);
  EXPECT_EQ(scalars, (List<Value>{"a", "c", "b"}));
}

TEST(GoValue, TypesOfElements) {
  const List<Value> texts = {"a"}, numbers = {1}, nulls = {nullptr};
  EXPECT_TRUE(ElementType(&texts, nullptr).ok());
  EXPECT_FALSE(ElementType(&texts, &numbers).ok());
  EXPECT_FALSE(ElementType(&nulls).ok());
  EXPECT_FALSE(ElementType(nullptr).ok());
}

}  // namespace
}  // namespace kube::patch::internal
