#include "apimachinery/cel/escape.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace kube::cel {
namespace {

TEST(EscapeTest, BothWays) {
  struct Row {
    const char* name;
    const char* identifier;
  };
  for (const Row& row : {
           Row{"a", "a"},
           Row{"a_b", "a_b"},
           Row{"_", "_"},
           Row{"a-b.c/d", "a__dash__b__dot__c__slash__d"},
           Row{"a__b", "a__underscores__b"},
           Row{"a___b", "a__underscores___b"},
           Row{"namespace", "__namespace__"},
           Row{"while", "__while__"},
           Row{"namespaces", "namespaces"},
           Row{"-", "__dash__"},
           Row{"$", nullptr},
           Row{"a b", nullptr},
           Row{"\xc3\xa9", nullptr},
           Row{"1a", nullptr},
           Row{"", nullptr},
       }) {
    const std::optional<std::string> escaped = EscapeIdentifier(row.name);
    if (row.identifier == nullptr) {
      EXPECT_EQ(escaped, std::nullopt) << row.name;
      continue;
    }
    EXPECT_EQ(escaped, std::string(row.identifier));
    EXPECT_EQ(UnescapeIdentifier(row.identifier), std::string(row.name));
  }
}

TEST(EscapeTest, EscapesThatDoNotExist) {
  EXPECT_EQ(UnescapeIdentifier("a__unknown__b"), std::nullopt);
  EXPECT_EQ(UnescapeIdentifier("a__namespace__"), std::nullopt);
  EXPECT_EQ(UnescapeIdentifier("a__b"), std::string("a__b"));
  EXPECT_EQ(UnescapeIdentifier("___dash__"), std::string("_-"));
}

}  // namespace
}  // namespace kube::cel
