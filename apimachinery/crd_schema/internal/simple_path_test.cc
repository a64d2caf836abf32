#include "apimachinery/crd_schema/internal/simple_path.h"

#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

using api::apiextensions::v1::JSONSchemaProps;

TEST(SimplePathTest, Steps) {
  const auto props = codec::DecodeYaml<JSONSchemaProps>(
      "{properties: {a: {properties: {b.c: {type: string}}}, m: {additionalProperties: true}}}");
  const auto node = MakeNode(*props);
  ASSERT_TRUE(node.ok());
  const auto found = FindPath(".a['b.c']", **node, true);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->node->type, "string");
  EXPECT_EQ(found->first, "a");
  EXPECT_EQ(FindPath(".a['b.c']", **node, false).status().message(),
            "array notation is not allowed");
  EXPECT_FALSE(FindPath(".m.x.y", **node, false).ok());
  EXPECT_FALSE(FindPath("a", **node, false).ok());
}

}  // namespace
}  // namespace kube::crd_schema::internal
