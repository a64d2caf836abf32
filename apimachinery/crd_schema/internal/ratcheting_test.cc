#include "apimachinery/crd_schema/internal/ratcheting.h"

#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

using api::apiextensions::v1::JSONSchemaProps;
using unstructured::ParseYaml;

TEST(RatchetingTest, ElementsAreKnownByTheirKeys) {
  const auto props = codec::DecodeYaml<JSONSchemaProps>(
      "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: "
      "object, properties: {k: {type: string}}}}");
  const auto node = MakeNode(*props);
  ASSERT_TRUE(node.ok());
  const auto list = ParseYaml("[{k: a}, {k: b}]");
  const auto other = ParseYaml("[{k: b}, {k: a}]");
  const auto changed = ParseYaml("[{k: b}, {k: c}]");
  EXPECT_TRUE(IsUnchanged(**node, *list, *other));
  EXPECT_FALSE(IsUnchanged(**node, *list, *changed));
}

}  // namespace
}  // namespace kube::crd_schema::internal
