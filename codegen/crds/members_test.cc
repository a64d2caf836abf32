#include "codegen/crds/members.h"

#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using unstructured::Value;

TEST(Members, AreAddedOnce) {
  Map<Value> schema;
  ObjectAt(ObjectAt(schema, "properties"), "a");
  ObjectAt(schema, "properties")["b"] = 1;
  ListAt(schema, "required");
  ListAt(schema, "enum").push_back("x");
  ListAt(schema, "enum").push_back("y");
  EXPECT_EQ(schema, (Map<Value>{{"enum", List<Value>{"x", "y"}},
                                {"properties", Map<Value>{{"a", Map<Value>()}, {"b", 1}}},
                                {"required", List<Value>()}}));
}

TEST(Members, TypeOfASchema) {
  EXPECT_EQ(TypeOf({{"type", "string"}}), "string");
  EXPECT_EQ(TypeOf({{"anyOf", List<Value>()}}), "");
}

}  // namespace
}  // namespace kube::codegen
