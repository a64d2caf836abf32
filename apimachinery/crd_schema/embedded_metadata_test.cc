#include "apimachinery/crd_schema/embedded_metadata.h"

#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

using api::apiextensions::v1::JSONSchemaProps;

TEST(EmbeddedMetadataTest, CoercesAndValidates) {
  const auto props = codec::DecodeYaml<JSONSchemaProps>(
      "{type: object, properties: {t: {type: object, x-kubernetes-embedded-resource: true}}}");
  const auto schema = Structural::Make(*props);
  ASSERT_TRUE(schema.ok());
  Map<unstructured::Value> object =
      *unstructured::ParseYaml("{t: {kind: Pod, metadata: {name: a/b, x: 1}}}")->object();
  const Coerced coerced = CoerceEmbedded(**schema, object, {.report_unknown = true});
  EXPECT_FALSE(coerced.error.has_value());
  ASSERT_EQ(coerced.unknown.size(), 1U);
  EXPECT_EQ(coerced.unknown[0], "t.metadata.x");
  const auto errors = ValidateEmbedded(**schema, object);
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].field, "t.apiVersion");
  EXPECT_EQ(errors[1].field, "t.metadata.name");
}

}  // namespace
}  // namespace kube::crd_schema
