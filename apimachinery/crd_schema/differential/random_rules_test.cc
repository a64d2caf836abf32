#include "apimachinery/crd_schema/differential/random_rules.h"

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::oracle {
namespace {

using unstructured::Value;

TEST(RuleMakerTest, SameSeedMakesTheSame) {
  const Map<Value> schema = {{"type", "object"},
                             {"properties", Map<Value>{{"a", Map<Value>{{"type", "string"}}},
                                                       {"b", Map<Value>{{"type", "integer"}}}}}};
  Map<Value> first = schema;
  Map<Value> second = schema;
  RuleMaker(5).AddRules(first, 1);
  RuleMaker(5).AddRules(second, 1);
  EXPECT_EQ(first, second);
  EXPECT_NE(first, schema);
}

}  // namespace
}  // namespace kube::oracle
