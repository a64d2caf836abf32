#include "apimachinery/crd_schema/list_types.h"

#include "apimachinery/crd_schema/testing/sample_schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

using unstructured::Value;

TEST(ListTypesTest, OneAndOnePointZeroDiffer) {
  const auto schema =
      MakeSchema("s: {type: array, x-kubernetes-list-type: set, items: {type: number}}");
  EXPECT_TRUE(ValidateListTypes(*schema, {{"s", List<Value>{1, 1.0}}}).empty());
  EXPECT_EQ(ValidateListTypes(*schema, {{"s", List<Value>{1, 1, 1}}}).size(), 1U);
}

}  // namespace
}  // namespace kube::crd_schema
