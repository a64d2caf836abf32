#include "apimachinery/unstructured/testing/at.h"

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::unstructured {
namespace {

TEST(AtTest, MissingPath_CreatesTheObjectsOnTheWay) {
  Value value;
  At(value, {"spec", "template", "x"}) = true;
  At(value, {"spec", "replicas"}) = 3;
  const Value want = Map<Value>{
      {"spec", Map<Value>{{"replicas", 3}, {"template", Map<Value>{{"x", true}}}}},
  };
  EXPECT_EQ(value, want);
  Map<Value> object;
  At(object, {"a"}) = 1;
  At(object, {"b", "c"}) = 2;
  EXPECT_EQ(object, (Map<Value>{{"a", 1}, {"b", Map<Value>{{"c", 2}}}}));
}

TEST(AtDeathTest, PathThroughAString_Dies) {
  Value value = Map<Value>{{"spec", "text"}};
  EXPECT_DEATH(At(value, {"spec", "x"}), "no object has a member x");
}

}  // namespace
}  // namespace kube::unstructured
