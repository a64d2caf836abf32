#include "apimachinery/crd_schema/published.h"

#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/crd_schema/testing/sample_schema.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

TEST(IsPublished, StructuralSchemasWithKnownTypesAre) {
  const struct {
    const char* name;
    const char* schema;
    bool published;
  } kRows[] = {
      {"object", "{type: object}", true},
      {"parts", "{type: object, properties: {a: {type: array, items: {type: integer}}}}", true},
      {"any", "{type: object, x-kubernetes-preserve-unknown-fields: true}", true},
      {"no type", "{}", false},
      {"property without type", "{type: object, properties: {a: {}}}", false},
      {"unknown type", "{type: object, properties: {a: {type: text}}}", false},
      {"unknown type of items", "{type: object, properties: {a: {type: array, items: {type: x}}}}",
       false},
      {"unknown type of values", "{type: object, additionalProperties: {type: x}}", false},
      {"validation of what is not specified",
       "{type: object, anyOf: [{properties: {a: {minimum: 1}}}]}", false},
  };
  for (const auto& row : kRows) {
    const auto structural = Structural::Make(Props(row.schema));
    ASSERT_TRUE(structural.ok()) << row.name << ": " << structural.status();
    EXPECT_EQ(IsPublished(**structural), row.published) << row.name;
  }
}

}  // namespace
}  // namespace kube::crd_schema
