#include "tests/imported_crds/random_object.h"

#include <set>
#include <string>

#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/crd_schema/value_validation.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::imported {
namespace {

using api::apiextensions::v1::JSONSchemaProps;
using unstructured::Value;

constexpr char kSchema[] = R"({"type": "object", "properties": {
  "text": {"type": "string", "minLength": 1, "pattern": "^[a-z]+$"},
  "time": {"type": "string", "format": "date-time"},
  "number": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 3},
  "ratio": {"type": "number", "minimum": 0},
  "size": {"type": "string", "enum": ["small", "large"]},
  "port": {"x-kubernetes-int-or-string": true},
  "list": {"type": "array", "minItems": 1, "items": {"type": "boolean"}},
  "map": {"type": "object", "additionalProperties": {"type": "string", "nullable": true}},
  "any": {"x-kubernetes-preserve-unknown-fields": true}},
  "required": ["text"]})";

TEST(RandomObjects, AreValidDifferAndRepeat) {
  const auto props = codec::DecodeJson<JSONSchemaProps>(kSchema);
  ASSERT_TRUE(props.ok()) << props.status();
  const auto structural = crd_schema::Structural::Make(*props);
  ASSERT_TRUE(structural.ok()) << structural.status();
  const Value schema = unstructured::ParseJson(kSchema).value();
  RandomObjects objects(1), again(1);
  std::set<std::string> texts;
  for (int i = 0; i < 300; ++i) {
    const Value object = objects.Object(*schema.object(), "example.com/v1", "A");
    const std::string text = unstructured::EncodeJson(object).value();
    EXPECT_EQ(object, again.Object(*schema.object(), "example.com/v1", "A"));
    EXPECT_TRUE(crd_schema::ValidateObject(**structural, *object.object()).empty()) << text;
    texts.insert(text);
  }
  EXPECT_GT(texts.size(), 250u);
}

TEST(WithoutNulls, OfObjectsOnly) {
  const Value value = unstructured::ParseJson(R"({"a":null,"b":[null,{"c":null}],"d":0})").value();
  EXPECT_EQ(unstructured::EncodeJson(WithoutNulls(value)).value(), R"({"b":[null,{}],"d":0})");
}

}  // namespace
}  // namespace kube::imported
