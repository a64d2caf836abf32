#include "tests/conformance/pattern.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Wrong(absl::string_view pattern, absl::string_view actual,
                               bool exactly = false) {
  return Mismatches(*unstructured::ParseJson(pattern), *unstructured::ParseJson(actual), exactly);
}

TEST(PatternTest, SaysWhatIsWrongAndWhere) {
  struct Row {
    std::string name, pattern, actual;
    bool exactly;
    std::vector<std::string> wrong;
  };
  const std::vector<Row> rows = {
      {"the same", R"({"a":[1,"x"]})", R"({"a":[1,"x"]})", true, {}},
      {"more than asked for", R"({"a":1})", R"({"a":1,"b":2})", false, {}},
      {"exactly", R"({"a":1})", R"({"a":1,"b":2})", true, {".b: expected nothing, is 2"}},
      {"managed fields are not named", R"({})", R"({"managedFields":[]})", true, {}},
      {"managed fields are named",
       R"({"managedFields":[{"manager":"m","time":"$time","fieldsV1":{"f:a":{}}}]})",
       R"({"managedFields":[{"manager":"m","time":"2026-01-02T03:04:05Z","fieldsV1":{"f:a":{}}}]})",
       false,
       {}},
      {"more managed fields than named",
       R"({"managedFields":[{"fieldsV1":{"f:a":{}}}]})",
       R"({"managedFields":[{"time":"t","fieldsV1":{"f:a":{".":{}}}}],"other":1})",
       false,
       {".managedFields[0].fieldsV1.f:a..: expected nothing, is {}",
        ".managedFields[0].time: expected nothing, is \"t\""}},
      {"managed fields in another order",
       R"({"managedFields":[{"manager":"a"},{"manager":"b"}]})",
       R"({"managedFields":[{"manager":"b"},{"manager":"a"}]})",
       false,
       {".managedFields[0].manager: expected \"a\", is \"b\"",
        ".managedFields[1].manager: expected \"b\", is \"a\""}},
      {"no managed fields", R"({"managedFields":"$absent"})", R"({})", false, {}},
      {"another value", R"({"a":1})", R"({"a":2})", false, {".a: expected 1, is 2"}},
      {"another type", R"({"a":1})", R"({"a":"1"})", false, {".a: expected 1, is \"1\""}},
      {"missing", R"({"a":"$any"})", "{}", false, {".a: expected \"$any\", is nothing"}},
      {"absent", R"({"a":"$absent"})", "{}", true, {}},
      {"not absent", R"({"a":"$absent"})", R"({"a":1})", false, {".a: expected nothing, is 1"}},
      {"items", "[1]", "[1,2]", false, {": expected [1], is [1,2]"}},
      {"deep", R"([{"a":"x"}])", R"([{"a":"y"}])", false, {"[0].a: expected \"x\", is \"y\""}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Wrong(row.pattern, row.actual, row.exactly), row.wrong) << row.name;
  }
}

TEST(PatternTest, KnowsHowValuesLook) {
  EXPECT_TRUE(MatchesText("$uid", "01234567-89ab-cdef-0123-456789abcdef"));
  EXPECT_FALSE(MatchesText("$uid", "01234567-89ab-cdef-0123-456789abcdeg"));
  EXPECT_TRUE(MatchesText("$time", "2026-01-02T03:04:05Z"));
  EXPECT_TRUE(MatchesText("$time", "2026-01-02T03:04:05.123456Z"));
  EXPECT_FALSE(MatchesText("$time", "yesterday"));
  EXPECT_TRUE(MatchesText("$rv", "7"));
  EXPECT_FALSE(MatchesText("$rv", "0"));
  EXPECT_FALSE(MatchesText("$rv", "a"));
  EXPECT_TRUE(MatchesText("$contains b", "abc"));
  EXPECT_FALSE(MatchesText("$contains d", "abc"));
  EXPECT_TRUE(MatchesText("$prefix ab", "abc"));
  EXPECT_FALSE(MatchesText("$prefix b", "abc"));
  EXPECT_FALSE(MatchesText("$other", "abc"));
}

}  // namespace
}  // namespace kube::conformance
