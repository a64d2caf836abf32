#include "apimachinery/codec/yaml/yaml_text.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

TEST(PrepareYamlTest, MakesLineBreaksEqual) {
  EXPECT_EQ(*PrepareYaml("\xEF\xBB\xBF"
                         "a\r\nb\rc\xC2\x85"
                         "d\n\r\n",
                         1),
            "a\nb\nc\nd\n\n");
  EXPECT_EQ(*PrepareYaml("\t\xE2\x80\xA8\xEF\xBB\xBF", 1), "\t\xE2\x80\xA8\xEF\xBB\xBF");
}

TEST(PrepareYamlTest, RefusesWhatGoRefuses) {
  for (const std::string& text : {std::string("a\0b", 3), std::string("\x7F"), std::string("\x1B"),
                                  std::string("\xC2\x80"), std::string("\xEF\xBF\xBF")}) {
    EXPECT_FALSE(PrepareYaml(text, 1).ok()) << text;
  }
  EXPECT_EQ(PrepareYaml("a\r\nbc\xFF", 5).status(), YamlError(6, 3, "text is not UTF-8"));
  EXPECT_EQ(PrepareYaml("\xFE\xFF", 5).status(), YamlError(5, 1, "text is UTF-16, not UTF-8"));
}

TEST(PrepareYamlTest, BoundsOpenBrackets) {
  EXPECT_TRUE(PrepareYaml(std::string(10000, '['), 1).ok());
  EXPECT_FALSE(PrepareYaml(std::string(10001, '{'), 1).ok());
  // Those that are closed do not count, nor do those that close nothing.
  std::string pairs(100, ']');
  for (int i = 0; i < 20000; ++i) pairs += "[}";
  EXPECT_TRUE(PrepareYaml(pairs, 1).ok());
}

}  // namespace
}  // namespace kube::codec::internal
