#include "apimachinery/codec/yaml/yaml_parser.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/codec/yaml/yaml_text.h"
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

TEST(ParseYamlTest, RefusesWhatGoRefuses) {
  for (const char* text :
       {"a: 1\nb", "[a,,b]", "a: 'b\n", ",a", "...\na", "a: !x\nb", "- \ta: 1", "*a: b", "a: &b, c",
        "!h!x a", "---\n%a", "a:\n!!int \"3\"", "[a?b]", "{a ?b: c}", "%YAML 1.2\n---\na"}) {
    EXPECT_FALSE(ParseYaml(text, 1).ok()) << text;
  }
}

// Known gaps, which the header of YamlToJson lists. If one of these fails, a gap has been closed.
TEST(ParseYamlTest, RefusesWhatLibyamlDoesNotKnow) {
  for (const char* text : {"\"a\" b", "[2:, x]", "[!!str, b]", "- !!str,a b", "[!!str[a] b]"}) {
    EXPECT_FALSE(ParseYaml(text, 1).ok()) << text;
  }
}

TEST(ParseYamlTest, TakesPropertiesBeforeCommas) {
  for (const char* text : {"[!!str , b]", "[&a,b]", "[!!str &a,b]", "[&a !!str ,b]", "[&a\n,b]"}) {
    EXPECT_TRUE(ParseYaml(text, 1).ok()) << text;
  }
}

TEST(ParseYamlTest, ReadsQuotesThatAreEscaped) {
  const absl::StatusOr<YamlTree> tree = ParseYaml("[\"it\\'s \\\\\\\" \\'\\x41\", x, \"\\'\"]", 1);
  ASSERT_TRUE(tree.ok()) << tree.status();
  const std::vector<const YamlNode*>& items = tree->root->children;
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0]->text, "it's \\\" 'A");
  EXPECT_EQ(items[1]->column, 23);
  EXPECT_EQ(items[2]->text, "'");
  EXPECT_FALSE(ParseYaml("\"\\'", 1).ok());
  EXPECT_FALSE(ParseYaml("\"\\' \\q\"", 1).ok());
}

TEST(ParseYamlTest, EscapedQuotesHaveTheirBound) {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += "- \"\\'\"\n";
  EXPECT_FALSE(ParseYaml(text, 1).ok());
}

TEST(ParseYamlTest, CountsColumnsInBytes) {
  const absl::StatusOr<YamlTree> tree = ParseYaml("\u00E9: \U0001F600\r\n\u4E2D: [\u00E9, x]\n", 1);
  ASSERT_TRUE(tree.ok()) << tree.status();
  ASSERT_EQ(tree->root->children.size(), 4u);
  EXPECT_EQ(tree->root->children[1]->column, 5);
  EXPECT_EQ(tree->root->children[2]->line, 2);
  const YamlNode& list = *tree->root->children[3];
  EXPECT_EQ(list.column, 6);
  EXPECT_EQ(list.children[1]->column, 11);
  EXPECT_EQ(ParseYaml("a: 1\n\u00E9\u00E9: *b", 1).status(),
            YamlError(2, 7, "unknown anchor referenced"));
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
