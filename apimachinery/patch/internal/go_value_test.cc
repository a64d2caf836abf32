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

TEST(DropNulls, OfObjectsAtAnyDepth) {
  Value value = Map<Value>{{"a", nullptr},
                           {"b", Map<Value>{{"c", nullptr}, {"d", 1}}},
                           {"e", List<Value>{nullptr, Map<Value>{{"f", nullptr}}}}};
  DropNulls(value);
  EXPECT_EQ(value, Value(Map<Value>{{"b", Map<Value>{{"d", 1}}},
                                    {"e", List<Value>{nullptr, Map<Value>{}}}}));
}

}  // namespace
}  // namespace kube::patch::internal
