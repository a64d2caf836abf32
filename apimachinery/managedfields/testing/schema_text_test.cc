#include "apimachinery/managedfields/testing/schema_text.h"

#include "apimachinery/managedfields/schema.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

TEST(SchemaTextTest, ShowsEveryPart) {
  const Schema number = {.scalar = ScalarType::kNumeric};
  ListSchema list;
  list.element = &number;
  MapSchema map;
  map.fields.push_back({.name = "a", .schema = &number});
  const Schema all = {.scalar = ScalarType::kBoolean, .list = &list, .map = &map};
  EXPECT_EQ(SchemaText(all), "boolean|atomic[numeric]|{a: numeric}");
  list.associative = true;
  EXPECT_EQ(SchemaText(all), "boolean|set[numeric]|{a: numeric}");
  list.keys = {{.name = "k"}, {.name = "l", .default_value = "x"}};
  map.atomic = true;
  map.element = &all;
  EXPECT_EQ(SchemaText(all), "boolean|map(k, l=\"x\")[numeric]|atomic{a: numeric, *: ...}");
  list.associative = false;
  map.fields.clear();
  map.element = &DeducedSchema();
  EXPECT_EQ(SchemaText(all), "boolean|atomic(k, l=\"x\")[numeric]|atomic{*: DEDUCED}");
}

TEST(SchemaTextTest, NamesTheSchemasThatAllShare) {
  EXPECT_EQ(SchemaText(DeducedSchema()), "DEDUCED");
  EXPECT_EQ(SchemaText(UntypedAtomicSchema()), "ATOMIC");
  EXPECT_EQ(SchemaText(Schema()), "NOTHING");
}

}  // namespace
}  // namespace kube::managedfields
