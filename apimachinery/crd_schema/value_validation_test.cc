#include "apimachinery/crd_schema/value_validation.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "apimachinery/crd_schema/testing/sample_schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

using ::testing::HasSubstr;
using unstructured::Value;

TEST(ValueValidationTest, Messages) {
  struct Row {
    std::string name;
    std::string schema;
    std::string value;
    std::string want;
  };
  const std::vector<Row> rows = {
      {"type", "{type: integer}", "x",
       R"(a: Invalid value: "string": a in body must be of type integer: "string")"},
      {"null", "{type: integer}", "null",
       R"(a: Invalid value: "null": a in body must be of type integer: "null")"},
      {"enum", "{type: string, enum: [b, c]}", "x",
       R"(a: Unsupported value: "x": supported values: "b", "c")"},
      {"maximum", "{type: integer, maximum: 3, exclusiveMaximum: true}", "3",
       "a: Invalid value: 3: a in body should be less than 3"},
      {"minimum", "{type: number, minimum: 0.5}", "0.25",
       "a: Invalid value: 0.25: a in body should be greater than or equal to 0.5"},
      {"multiple", "{type: integer, multipleOf: 4}", "6",
       "a: Invalid value: 6: a in body should be a multiple of 4"},
      {"int32", "{type: integer, format: int32}", "3000000000",
       R"(<nil>: Invalid value: "": Checked value must be of type integer with format int32 in a)"},
      {"long", "{type: string, maxLength: 2}", "abc", "a: Too long: may not be more than 2 bytes"},
      {"short", "{type: string, minLength: 2}", "b",
       R"(a: Invalid value: "b": a in body should be at least 2 chars long)"},
      {"pattern", "{type: string, pattern: ^b}", "abc",
       R"(a: Invalid value: "abc": a in body should match '^b')"},
      {"format", "{type: string, format: ipv4}", "b",
       R"(a: Invalid value: "b": a in body must be of type ipv4: "b")"},
      {"items", "{type: array, maxItems: 1, items: {type: integer}}", "[1, 2]",
       "a: Too many: 2: must have at most 1 item"},
      {"additional", "{type: object, additionalProperties: {type: integer}}", "{b: x}",
       R"(a.b: Invalid value: "string": a.b in body must be of type integer: "string")"},
      {"any", "{type: integer, anyOf: [{minimum: 1}]}", "0",
       R"(<nil>: Invalid value: "": "a" must validate at least one schema (anyOf))"},
      {"not", "{type: integer, not: {minimum: 1}}", "1",
       R"(<nil>: Invalid value: "": "a" must not validate the schema (not))"},
  };
  for (const Row& row : rows) {
    const auto schema = MakeSchema(absl::StrCat("a: ", row.schema));
    const auto texts =
        Texts(ValidateObject(*schema, ObjectOf(absl::StrCat("{a: ", row.value, "}"))));
    ASSERT_FALSE(texts.empty()) << row.name;
    EXPECT_THAT(texts[0], HasSubstr(row.want)) << row.name;
  }
}

TEST(ValueValidationTest, IntegersThatHaveAFraction) {
  const auto schema = MakeSchema("a: {type: integer}");
  EXPECT_TRUE(ValidateObject(*schema, {{"a", 3.0}}).empty());
  EXPECT_FALSE(ValidateObject(*schema, {{"a", 3.5}}).empty());
}

}  // namespace
}  // namespace kube::crd_schema
