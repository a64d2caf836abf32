#include "envtest/server/schema/defaulting.h"

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "envtest/server/schema/schema_for_test.h"
#include "gtest/gtest.h"

namespace kube::envtest::crd_schema {
namespace {

using unstructured::Value;

TEST(DefaultingTest, Nulls) {
  const auto schema = MakeSchema(
      "a: {type: string, default: x}, b: {type: string, default: x, nullable: true}, c: {type: "
      "string}");
  Map<Value> object = ObjectOf("{a: null, b: null, c: null}");
  PruneNulls(*schema, object);
  Default(*schema, object);
  EXPECT_EQ(object, ObjectOf("{a: x, b: null}"));
}

}  // namespace
}  // namespace kube::envtest::crd_schema
