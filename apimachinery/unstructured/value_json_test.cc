#include "apimachinery/unstructured/value_json.h"

#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::unstructured {
namespace {

using base::StatusIs;
using ::testing::HasSubstr;

// behaviour.md: COD-13
TEST(ParseJsonTest, Parse_EachForm_MeansWhatItMeansInGo) {
  struct Case {
    const char* name;
    absl::string_view json;
    Value value;
  };
  const Case kCases[] = {
      {"null", "null", nullptr},
      {"bools", "[true,false]", List<Value>{true, false}},
      {"space around", " \n\t1\r ", 1},
      {"int", "-9223372036854775808", std::numeric_limits<int64_t>::min()},
      {"negative zero is an int", "-0", 0},
      {"int beyond 64 bits", "9223372036854775808", 9223372036854775808.0},
      {"fraction", "1.0", 1.0},
      {"exponent", "1e21", 1e21},
      {"tiny", "1e-999", 0.0},
      {"empty string", "\"\"", ""},
      {"escapes", R"("\u0041\n\/")", "A\n/"},
      {"surrogates", R"("\ud83d\ude00")", "\xF0\x9F\x98\x80"},
      {"lone surrogate", R"("\ud83d!")", "\xEF\xBF\xBD!"},
      {"invalid UTF-8", "\"\xff\"", "\xEF\xBF\xBD"},
      {"empty", "[{},[]]", List<Value>{Map<Value>(), List<Value>()}},
      {"keys in any order", R"({"b":1,"a":{"c":null}})",
       Map<Value>{{"a", Map<Value>{{"c", nullptr}}}, {"b", 1}}},
      {"the last of a key", R"({"a":{"x":1},"b":2,"a":{"y":1}})",
       Map<Value>{{"a", Map<Value>{{"y", 1}}}, {"b", 2}}},
      {"escaped key", R"({"\u0061":1})", Map<Value>{{"a", 1}}},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    absl::StatusOr<Value> value = ParseJson(c.json);
    ASSERT_TRUE(value.ok()) << value.status();
    EXPECT_EQ(*value, c.value);
    absl::StatusOr<std::string> json = EncodeJson(*value);
    ASSERT_TRUE(json.ok()) << json.status();
    absl::StatusOr<Value> again = ParseJson(*json);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(EncodeJson(*again).value(), *json);
  }
}

TEST(ParseJsonTest, Parse_InvalidText_SaysWhatIsWrongAndWhere) {
  struct Case {
    absl::string_view json;
    const char* error;
  };
  const Case kCases[] = {
      {"", "decode JSON: unexpected end of input (line 1, column 1)"},
      {"{\"spec\":{\"replicas\":x}}",
       "decode JSON: spec.replicas: expected a value (line 1, column 21)"},
      {"[1,\n[2,]]", "decode JSON: [1][1]: expected a value (line 2, column 4)"},
      {"1e999", "decode JSON: number is out of range (line 1, column 1)"},
      {"01", "decode JSON: unexpected data after the object (line 1, column 2)"},
      {"{\"a\":1,}", "decode JSON: expected a key in quotes (line 1, column 8)"},
      {"{\"a\" 1}", "decode JSON: expected ':' after a name (line 1, column 6)"},
      {"[1 2]", "decode JSON: [0]: expected ',' or ']' after an element (line 1, column 4)"},
      {"\"a", "decode JSON: unexpected end of input (line 1, column 3)"},
      {"nul", "decode JSON: unexpected end of input (line 1, column 4)"},
  };
  for (const Case& c : kCases) {
    EXPECT_THAT(ParseJson(c.json), StatusIs(absl::StatusCode::kInvalidArgument, c.error)) << c.json;
  }
}

TEST(ParseJsonTest, Parse_MoreThanTenThousandLevels_IsInvalidArgument) {
  std::string json(10000, '[');
  json.append(10000, ']');
  absl::StatusOr<Value> value = ParseJson(json);
  ASSERT_TRUE(value.ok()) << value.status();
  const Value copy = *value;
  EXPECT_TRUE(copy == *value);
  EXPECT_EQ(EncodeJson(copy).value(), json);
  EXPECT_THAT(ParseJson("[" + json + "]"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("nested too deeply")));
}

TEST(EncodeJsonTest, Encode_EachType_WritesWhatGoWrites) {
  const Value value = Map<Value>{{"html", "<&>"},
                                 {"double", List<Value>{1.0, 0.1, 1e21, 1e-7, -0.0}},
                                 {"Zebra", nullptr},
                                 {"list", List<Value>()},
                                 {"object", Map<Value>()}};
  EXPECT_EQ(EncodeJson(value).value(),
            R"({"Zebra":null,"double":[1,0.1,1e+21,1e-7,-0],"html":"\u003c\u0026\u003e",)"
            R"("list":[],"object":{}})");
}

TEST(EncodeJsonTest, Encode_InfinityOrNan_IsInvalidArgument) {
  const Value value = Map<Value>{
      {"spec", List<Value>{1, std::numeric_limits<double>::infinity()}},
  };
  EXPECT_THAT(EncodeJson(value), StatusIs(absl::StatusCode::kInvalidArgument,
                                          "encode [spec][1]: unsupported value: infinity or NaN"));
}

TEST(ParseYamlTest, Parse_ScalarsOfYaml_BecomeJsonValues) {
  absl::StatusOr<Value> value = ParseYaml("spec:\n  on: [yes, 0x10, 1.5, ~]\n");
  ASSERT_TRUE(value.ok()) << value.status();
  EXPECT_EQ(EncodeJson(*value).value(), R"({"spec":{"true":[true,16,1.5,null]}})");
  EXPECT_EQ(EncodeYaml(*value).value(),
            "spec:\n  \"true\":\n  - true\n  - 16\n  - 1.5\n  - null\n");
  EXPECT_FALSE(ParseYaml("a: [").ok());
}

TEST(ParseJsonTest, MakesAnObject_AsInTheHeader) {
  absl::StatusOr<Value> object = ParseJson(R"({"spec": {"replicas": 3}})");
  ASSERT_TRUE(object.ok()) << object.status();
  EXPECT_EQ((*object)["spec"]["replicas"].integer(), 3);
}

}  // namespace
}  // namespace kube::unstructured
