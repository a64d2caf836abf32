#include "apiserver/crd_schema/internal/node.h"

#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

using api::apiextensions::v1::JSONSchemaProps;

TEST(NodeTest, Members) {
  const auto props = codec::DecodeYaml<JSONSchemaProps>(
      "{type: object, additionalProperties: false, properties: {a: {type: string, pattern: '('}}}");
  const auto node = MakeNode(*props);
  ASSERT_TRUE(node.ok());
  EXPECT_EQ((*node)->additional, Additional::kFalse);
  const Node* a = (*node)->FindProperty("a");
  ASSERT_NE(a, nullptr);
  EXPECT_FALSE(a->regexp->error().empty());
  EXPECT_FALSE(a->only_type);
  EXPECT_EQ((*node)->FindProperty("b"), nullptr);
}

}  // namespace
}  // namespace kube::crd_schema::internal
