#include "apimachinery/crd_schema/differential/exact_json.h"

#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

using unstructured::Value;

TEST(ExactJsonTest, ADoubleHasAFraction) {
  EXPECT_EQ(ExactJson(Value(1)), "1");
  EXPECT_EQ(ExactJson(Value(1.0)), "1.0");
  EXPECT_EQ(ExactJson(Value(1.5)), "1.5");
  EXPECT_EQ(ExactJson(Value(Map<Value>{{"a", List<Value>{2.0, "b"}}, {"c", nullptr}})),
            R"({"a":[2.0,"b"],"c":null})");
}

}  // namespace
}  // namespace kube::crd_schema
