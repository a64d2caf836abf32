#include "apimachinery/codec/yaml/yaml_scan.h"

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

TEST(YamlScanTest, Quoted) {
  const struct {
    absl::string_view text;
    const char* value;
  } cases[] = {
      {"'a ''b'' '", "a 'b' "},
      {"'a  \n  b\n\n\n c'", "a b\n\nc"},
      {"\"a\\\n  b\"", "ab"},
      {"\"a \\\n\n  b\"", "a \nb"},
      {"\"\\x41\\u00e9\\U0001F600\\N\\_\\L\\P\\/\\'\"",
       "A\u00E9\U0001F600\u0085\u00A0\u2028\u2029/'"},
      {"'a \xE2\x80\xA8 b'",
       "a\u2028"
       "b"},
  };
  for (const auto& test : cases) {
    const ScannedScalar scalar = ScanQuoted(test.text, 0, 0);
    EXPECT_EQ(scalar.problem, nullptr) << test.text;
    EXPECT_EQ(scalar.value, test.value) << test.text;
    EXPECT_EQ(scalar.end, test.text.size()) << test.text;
  }
  for (const char* text : {"'a", "\"a\\\"", "\"\\q\"", "\"\\x4\"", "\"\\ud800\"", "'a\n---\n'"}) {
    EXPECT_NE(ScanQuoted(text, 0, 0).problem, nullptr) << text;
  }
}

TEST(YamlScanTest, Block) {
  const struct {
    absl::string_view text;
    const char* value;
    size_t end;
  } cases[] = {
      {"|\n a\n  b\nc", "a\n b\n", 9},
      {"|- # c\n a\n", "a", 10},
      {"|+\n a\n\n\nb", "a\n\n\n", 8},
      {"|2-\n    a\n", "  a", 10},
      {"|\n\n\n a", "\n\na", 6},
      {">\n a\n b\n\n c\n  d\n e\n", "a b\nc\n d\ne\n", 19},
      {"|\na", "", 2},
  };
  for (const auto& test : cases) {
    const ScannedScalar scalar = ScanBlock(test.text, 0, 0, 0);
    EXPECT_EQ(scalar.problem, nullptr) << test.text;
    EXPECT_EQ(scalar.value, test.value) << test.text;
    EXPECT_EQ(scalar.end, test.end) << test.text;
  }
  for (const char* text : {"|0\n a", "| a\n", "|\n\ta"}) {
    EXPECT_NE(ScanBlock(text, 0, 0, 0).problem, nullptr) << text;
  }
}

TEST(YamlScanTest, Plain) {
  const struct {
    absl::string_view text;
    bool in_flow;
    const char* value;
  } cases[] = {
      {"a b # c", false, "a b"}, {"a#b:c", false, "a#b:c"},
      {"a: b", false, "a"},      {"a\n  b\n\n  c\nd", false, "a b\nc"},
      {"a\n...\n", false, "a"},  {"a, b", false, "a, b"},
      {"a, b", true, "a"},       {"a?b", true, "a"},
      {"a\nb]", true, "a b"},    {"a:b]", true, "a:b"},
  };
  for (const auto& test : cases) {
    const ScannedScalar scalar = ScanPlain(test.text, 0, 0, 0, test.in_flow);
    EXPECT_EQ(scalar.problem, nullptr) << test.text;
    EXPECT_EQ(scalar.value, test.value) << test.text;
  }
  EXPECT_NE(ScanPlain("a\n\tb", 0, 0, 0, false).problem, nullptr);
  EXPECT_NE(ScanPlain(":a", 0, 0, 0, true).problem, nullptr);
}

TEST(YamlScanTest, Directives) {
  for (const char* text : {"a", "# c\n%YAML 1.1 # c\n---\na", "%YAML 1.1\n---"}) {
    EXPECT_EQ(CheckDirectives(text), nullptr) << text;
  }
  for (const char* text :
       {"%YAML 1.2\n---\n", "%YAML\n---", "%YAML 1.1\na", "%TAG ! x:\n---\n", "%"}) {
    EXPECT_NE(CheckDirectives(text), nullptr) << text;
  }
}

TEST(YamlScanTest, Words) {
  for (const char* text : {"&a-1_Z b", "*a", "!!str", "! a", "!<tag:x,y> a", "!x%20"}) {
    EXPECT_EQ(CheckWord(text, 0), nullptr) << text;
  }
  for (const char* text : {"&a: b", "*\xC3\xA9", "!!str, b", "!a!b c", "!#"}) {
    EXPECT_NE(CheckWord(text, 0), nullptr) << text;
  }
}

TEST(YamlScanTest, Tabs) {
  for (const char* text : {" # \t\n", ":\t", "---\t", ": # c\n "}) {
    const std::string behind_node = std::string("a") + text;
    EXPECT_EQ(FindMisplacedTab(behind_node, 1, behind_node.size()), nullptr) << text;
  }
  for (const char* text : {"\n\t", "-\t", "?\t", "\n:\t", "\n  \t# c"}) {
    const std::string behind_node = std::string("a") + text;
    EXPECT_NE(FindMisplacedTab(behind_node, 1, behind_node.size()), nullptr) << text;
  }
}

TEST(YamlScanTest, Places) {
  EXPECT_EQ(SkipSpace(" \n# c\n a", 0), 7u);
  EXPECT_EQ(SkipSpace("# c", 0), 3u);
  EXPECT_EQ(SkipWord("&a]", 0), 2u);
  EXPECT_EQ(SkipWord("!<a,b> c", 0), 6u);
  EXPECT_EQ(ColumnAt("a\nbc", 0, 5, 4), 2);
  EXPECT_EQ(ColumnAt("abc", 1, 5, 3), 7);
  EXPECT_TRUE(IsMarker("---", 0, "---"));
  EXPECT_FALSE(IsMarker("...a", 0, "..."));
}

}  // namespace
}  // namespace kube::codec::internal
