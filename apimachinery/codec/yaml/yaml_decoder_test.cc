#include "apimachinery/codec/yaml/yaml_decoder.h"

#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/codec/yaml/yaml_parser.h"
#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

TEST(DecodeYamlTest, SortsAndMerges) {
  const absl::StatusOr<YamlTree> tree = ParseYaml("b: &b {k: 1, l: yes}\na: {l: z, <<: *b}\n", 1);
  ASSERT_TRUE(tree.ok()) << tree.status();
  const absl::StatusOr<YamlValue> value = DecodeYaml(*tree, false);
  ASSERT_TRUE(value.ok()) << value.status();
  ASSERT_EQ(value->children.size(), 2u);
  const YamlValue& merged = value->children[0];
  EXPECT_EQ(merged.key, "a");
  EXPECT_EQ(merged.key_node->line, 2);
  ASSERT_EQ(merged.children.size(), 2u);
  EXPECT_EQ(merged.children[0].text, "1");
  // The merge comes last, so it counts.
  EXPECT_EQ(merged.children[1].kind, YamlValue::Kind::kLiteral);
  EXPECT_EQ(merged.children[1].text, "true");
  EXPECT_FALSE(DecodeYaml(*tree, true).ok());
}

TEST(DecodeYamlTest, EmptyDocumentIsNull) {
  const absl::StatusOr<YamlValue> value = DecodeYaml(YamlTree(), true);
  ASSERT_TRUE(value.ok()) << value.status();
  EXPECT_EQ(value->kind, YamlValue::Kind::kLiteral);
  EXPECT_EQ(value->text, "null");
  EXPECT_EQ(value->node, nullptr);
}

TEST(DecodeYamlTest, BoundsTheDepthOfAliases) {
  std::string text = "a0: &a0 x\n";
  for (int i = 1; i < 100; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [[[[[*a" +
            std::to_string(i - 1) + "]]]]]\n";
  }
  const absl::StatusOr<YamlTree> tree = ParseYaml(text, 1);
  ASSERT_TRUE(tree.ok()) << tree.status();
  EXPECT_FALSE(DecodeYaml(*tree, false).ok());
}

TEST(DecodeYamlTest, ReadsBase64AsGo) {
  const struct {
    const char* yaml;
    bool ok;
  } cases[] = {
      {"!!binary aGk=", true},  {"!!binary \"a\\nGk=\"", true}, {"!!binary \"\"", true},
      {"!!binary aGk", false},  {"!!binary a=Gk", false},       {"!!binary \"aG k=\"", false},
      {"!!binary a-k=", false}, {"!!binary aGk=aGk=", false},
  };
  for (const auto& test : cases) {
    const absl::StatusOr<YamlTree> tree = ParseYaml(test.yaml, 1);
    ASSERT_TRUE(tree.ok()) << test.yaml;
    EXPECT_EQ(DecodeYaml(*tree, false).ok(), test.ok) << test.yaml;
  }
}

}  // namespace
}  // namespace kube::codec::internal
