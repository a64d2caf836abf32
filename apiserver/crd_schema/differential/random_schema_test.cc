#include "apiserver/crd_schema/differential/random_schema.h"

#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::oracle {
namespace {

TEST(SchemaMakerTest, TheSameSeedMakesTheSame) {
  SchemaMaker a(1);
  SchemaMaker b(1);
  const unstructured::Value schema = a.MakeSchema();
  EXPECT_EQ(schema, unstructured::Value(b.MakeSchema()));
  EXPECT_EQ(a.MakeObject(schema), b.MakeObject(schema));
}

}  // namespace
}  // namespace kube::oracle
