#include "apimachinery/crd_schema/differential/random_schema.h"

#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
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

TEST(SchemaMakerTest, PropertiesAndOthers) {
  struct Row {
    const char* schema;
    bool both;
  };
  for (const Row& row : {
           Row{R"({"properties": {"a": {}}, "additionalProperties": {}})", true},
           Row{R"({"items": {"properties": {"a": {}}, "additionalProperties": {}}})", true},
           Row{R"({"properties": {"a": {}}, "additionalProperties": true})", false},
           Row{R"({"properties": {"a": {"additionalProperties": {}}}})", false},
       }) {
    EXPECT_EQ(HasPropertiesAndOthers(unstructured::ParseJson(row.schema).value()), row.both)
        << row.schema;
  }
}

}  // namespace
}  // namespace kube::oracle
