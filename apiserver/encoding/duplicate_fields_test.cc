#include "apiserver/encoding/duplicate_fields.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

TEST(DuplicateFieldsTest, AreFoundWhereTheyAre) {
  const struct {
    const char* json;
    const char* expected;
  } rows[] = {
      {R"({})", ""},
      {R"({"a":1,"b":{"a":1}})", ""},
      {R"({"a":1,"a":2})", R"(duplicate field "a")"},
      {R"({"a":1,"a":2,"a":3})", R"(duplicate field "a")"},
      {R"({"a":{"b":1,"c":"}{,","b":2}})", R"(duplicate field "a.b")"},
      {R"({"a":[{"x":1},{"x":[1,2],"y":0,"x":2}]})", R"(duplicate field "a[1].x")"},
      {R"({"a":[[1],[{"x":1,"x":1}]]})", R"(duplicate field "a[1][0].x")"},
      {R"({"a":"a","b":"\"","\u0061":1})", R"(duplicate field "a")"},
      {R"({ "b" : 1 , "a" : 2 , "a" : 3 , "b" : 4 })",
       R"(duplicate field "a"; duplicate field "b")"},
      {R"([{"a":1},{"a":1}])", ""},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(absl::StrJoin(DuplicateFields(row.json), "; "), row.expected) << row.json;
  }
}

TEST(DuplicateFieldsTest, AreNotCountedForEver) {
  std::string json = "{";
  for (int i = 0; i < 300; ++i) absl::StrAppend(&json, "\"", i, "\":1,\"", i, "\":1,");
  json.back() = '}';
  EXPECT_EQ(DuplicateFields(json).size(), 100);
}

// It is given JSON, but must not care.
TEST(DuplicateFieldsTest, BrokenTextsAreNoTrouble) {
  for (const char* text : {"", "}", "]", ",", "\"", "\"\\", "{\"a", "[,,,}", "{\"a\":1,\"a\\"}) {
    EXPECT_LE(DuplicateFields(text).size(), 1) << text;
  }
}

}  // namespace
}  // namespace kube::apiserver::internal
