#include "apimachinery/codec/yaml/yaml_text.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

TEST(CheckYamlTextTest, TakesAllThatGoTakes) {
  for (const char* text : {"",
                           "a\r\nb\rc\xC2\x85"
                           "d\n\r\n",
                           "\t \xC2\xA0 ~", "a\xEF\xBB\xBF", "\xF0\x9F\xBF\xBF"}) {
    EXPECT_TRUE(CheckYamlText(text, 1).ok()) << text;
  }
}

TEST(CheckYamlTextTest, RefusesWhatGoRefuses) {
  for (const std::string& text :
       {std::string("a\0b", 3), std::string("\x7F"), std::string("\x1B"), std::string("\xC2\x80"),
        std::string("\xC2\x9F"), std::string("\xEF\xBF\xBE"), std::string("\xEF\xBF\xBF")}) {
    EXPECT_EQ(CheckYamlText(text, 1).ok(), false) << text;
  }
  EXPECT_EQ(CheckYamlText("\xFE\xFF", 5), YamlError(5, 1, "text is UTF-16, not UTF-8"));
}

TEST(CheckYamlTextTest, ErrorsHaveLineAndColumn) {
  EXPECT_EQ(CheckYamlText("a\r\nbc\xFF", 5), YamlError(6, 3, "text is not UTF-8"));
  EXPECT_EQ(CheckYamlText("a\rb\nc\xC2\x85"
                          "d\xE2\x80\xA8\xC3\xA9\x01",
                          1),
            YamlError(5, 3, "control characters are not allowed"));
  EXPECT_EQ(CheckYamlText("a: 1\n\xEF\xBB\xBF"
                          "b: 2",
                          1),
            YamlError(2, 1, "byte order mark is not allowed within the text"));
}

TEST(CheckYamlTextTest, BoundsTagDirectives) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "%TAG !a! b\n";
  EXPECT_TRUE(CheckYamlText(text, 1).ok());
  EXPECT_EQ(CheckYamlText(text + "%TAG", 1), YamlError(101, 1, "too many %TAG directives"));
}

}  // namespace
}  // namespace kube::codec::internal
