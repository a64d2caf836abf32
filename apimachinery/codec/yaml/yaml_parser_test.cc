#include "apimachinery/codec/yaml/yaml_parser.h"

#include <string>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

TEST(ParseYamlTest, BuildsATree) {
  const absl::StatusOr<YamlTree> tree = ParseYaml("a: !!int &x \"1\"\nb:\n- *x\n-\n", 5);
  ASSERT_TRUE(tree.ok()) << tree.status();
  ASSERT_NE(tree->root, nullptr);
  EXPECT_EQ(tree->root->kind, YamlNode::Kind::kMap);
  ASSERT_EQ(tree->root->children.size(), 4u);
  const YamlNode& number = *tree->root->children[1];
  EXPECT_EQ(number.tag, "tag:yaml.org,2002:int");
  EXPECT_EQ(number.text, "1");
  EXPECT_FALSE(number.plain);
  EXPECT_EQ(number.line, 5);
  EXPECT_EQ(number.column, 4);
  const YamlNode& list = *tree->root->children[3];
  ASSERT_EQ(list.children.size(), 2u);
  EXPECT_EQ(list.children[0]->target, &number);
  EXPECT_TRUE(list.children[1]->plain);
  EXPECT_EQ(list.children[1]->text, "");
}

TEST(ParseYamlTest, FindsNoDocument) {
  const absl::StatusOr<YamlTree> tree = ParseYaml("# c\n", 1);
  ASSERT_TRUE(tree.ok()) << tree.status();
  EXPECT_EQ(tree->root, nullptr);
}

// What yaml-cpp takes and go-yaml does not.
TEST(ParseYamlTest, RefusesMoreThanYamlCpp) {
  for (const char* text :
       {"a: 1\nb", "[a,,b]", "a: 'b\n", ",a", "...\na", "\"a\" b", "a: !x\nb", "- \ta: 1", "*a: b",
        "a: &b, c", "!h!x a", "%TAG ! x\n---\na", "---\n%a", "a:\n!!int \"3\"", "[2:, x]"}) {
    EXPECT_FALSE(ParseYaml(text, 1).ok()) << text;
  }
}

// Known gaps, which the header of YamlToJson names: the failure of one of these is good news.
TEST(ParseYamlTest, RefusesWhatYamlCppDoesNotKnow) {
  for (const char* text : {"- &a |\n  text\n", "- !!str |\n  text\n", "{?a : b}"}) {
    EXPECT_FALSE(ParseYaml(text, 1).ok()) << text;
  }
}

TEST(ParseYamlTest, EndsDeepNesting) {
  for (const char* piece : {"[", "{a: ", "- ", "? ", "[{"}) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += piece;
    EXPECT_FALSE(ParseYaml(text, 1).ok()) << piece;
  }
}

}  // namespace
}  // namespace kube::codec::internal
