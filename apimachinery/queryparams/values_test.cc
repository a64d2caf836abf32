#include "apimachinery/queryparams/values.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace kube::queryparams {
namespace {

TEST(ValuesTest, EncodesByName) {
  EXPECT_EQ(EncodeQuery({}), "");
  EXPECT_EQ(EncodeQuery({{"none", {}}}), "");
  EXPECT_EQ(EncodeQuery({{"b", {"2", "1"}}, {"a", {""}}, {"c d", {"x=y&z"}}}),
            "a=&b=2&b=1&c+d=x%3Dy%26z");
}

TEST(ValuesTest, EscapesAllButTheUnreserved) {
  EXPECT_EQ(EscapeQuery("aZ09-_.~"), "aZ09-_.~");
  EXPECT_EQ(EscapeQuery(" +%/\x7f\xc3\xa9"), "+%2B%25%2F%7F%C3%A9");
}

TEST(ValuesTest, Parses) {
  struct Case {
    const char* name;
    const char* query;
    Values want;
  };
  const std::vector<Case> cases = {
      {"nothing", "", {}},
      {"one", "a=1", {{"a", {"1"}}}},
      {"several of a name", "a=1&b=2&a=3", {{"a", {"1", "3"}}, {"b", {"2"}}}},
      {"no value", "a&b=", {{"a", {""}}, {"b", {""}}}},
      {"no name", "=1", {{"", {"1"}}}},
      {"empty pairs", "&&a=1&", {{"a", {"1"}}}},
      {"only the first = counts", "a=b=c", {{"a", {"b=c"}}}},
      {"escapes", "a%3D=+%2b%2B", {{"a=", {" ++"}}}},
      {"broken escapes", "a=%&b=%4&c=%zz&%=1&d=4%34", {{"d", {"44"}}}},
      {"semicolons", "a=1;b=2&c=3", {{"c", {"3"}}}},
  };
  for (const Case& c : cases) EXPECT_EQ(ParseQuery(c.query), c.want) << c.name;
}

}  // namespace
}  // namespace kube::queryparams
