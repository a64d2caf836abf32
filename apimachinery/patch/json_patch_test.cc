#include "apimachinery/patch/json_patch.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status_matchers.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::patch {
namespace {

using base::StatusIs;
using unstructured::ParseJson;
using unstructured::Value;

absl::StatusOr<Value> Apply(absl::string_view object, absl::string_view patch,
                            const ApplyJsonPatchOptions& options = {}) {
  return ApplyJsonPatch(*ParseJson(object), *ParseJsonPatch(patch), options);
}

struct Row {
  std::string name;
  std::string object;
  std::string patch;
  std::string result;
};

class JsonPatchCase : public testing::TestWithParam<Row> {};

TEST_P(JsonPatchCase, Applies) {
  const absl::StatusOr<Value> result = Apply(GetParam().object, GetParam().patch);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result, *ParseJson(GetParam().result));
}

INSTANTIATE_TEST_SUITE_P(
    All, JsonPatchCase,
    testing::Values(
        Row{"AddsMember", R"({"a":1})", R"([{"op":"add","path":"/b","value":2}])",
            R"({"a":1,"b":2})"},
        Row{"Inserts", "[1,2]", R"([{"op":"add","path":"/1","value":9}])", "[1,9,2]"},
        Row{"Appends", "[1]", R"([{"op":"add","path":"/-","value":2}])", "[1,2]"},
        Row{"NegativeIndex", "[1,2]", R"([{"op":"remove","path":"/-1"}])", "[1]"},
        Row{"ReplacesNewMember", "{}", R"([{"op":"replace","path":"/a","value":1}])", R"({"a":1})"},
        Row{"ReplacesAll", "{}", R"([{"op":"replace","path":"","value":[1]}])", "[1]"},
        Row{"Moves", R"({"a":{"b":1}})", R"([{"op":"move","from":"/a/b","path":"/c"}])",
            R"({"a":{},"c":1})"},
        Row{"CopiesNothing", "{}", R"([{"op":"copy","from":"/a","path":"/b"}])", R"({"b":null})"},
        Row{"Escapes", R"({"a/b":{"~1":1}})", R"([{"op":"remove","path":"/a~1b/~01"}])",
            R"({"a/b":{}})"},
        Row{"Tests", R"({"a":{"b":[null]}})",
            R"([{"op":"test","path":"/a","value":{"b":[null]}},{"op":"test","path":"/x"}])",
            R"({"a":{"b":[null]}})"}),
    [](const testing::TestParamInfo<Row>& row) { return row.param.name; });

TEST(JsonPatch, Refuses) {
  EXPECT_THAT(Apply("{}", R"([{"op":"test","path":"/a","value":1}])"),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(Apply("{}", R"([{"op":"remove","path":"/a"}])"),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(Apply("{}", R"([{"op":"add","path":"/a/b","value":1}])"),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(Apply("[]", R"([{"op":"add","path":"/1","value":1}])"),
              StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(Apply("[]", R"([{"op":"add","path":"/x","value":1}])"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Apply(R"({"a":"0123456789"})", R"([{"op":"copy","from":"/a","path":"/b"}])",
                    {.max_copied_bytes = 10}),
              StatusIs(absl::StatusCode::kResourceExhausted));
  for (const absl::string_view patch :
       {"{}", "[1]", R"([{"op":"add"}])", R"([{"path":"/a"}])", R"([{"op":"no","path":"/a"}])",
        R"([{"op":"move","path":"/a"}])"}) {
    EXPECT_THAT(ParseJsonPatch(patch), StatusIs(absl::StatusCode::kInvalidArgument)) << patch;
  }
}

TEST(JsonPatch, MakesWhatIsDifferent) {
  const Value from = *ParseJson(R"({"a":[1,2,3,4],"b/c":{"x":1},"gone":1})");
  const Value to = *ParseJson(R"({"a":[1,9,4],"b/c":{"x":2},"new":[]})");
  const absl::StatusOr<JsonPatch> patch = MakeJsonPatch(from, to);
  ASSERT_TRUE(patch.ok()) << patch.status();
  EXPECT_EQ(*EncodeJsonPatch(*patch),
            R"([{"op":"replace","path":"/a/1","value":9},{"op":"remove","path":"/a/2"},)"
            R"({"op":"replace","path":"/b~1c/x","value":2},{"op":"remove","path":"/gone"},)"
            R"({"op":"add","path":"/new","value":[]}])");
  EXPECT_EQ(*ApplyJsonPatch(from, *patch), to);
  EXPECT_TRUE(MakeJsonPatch(to, to)->empty());
}

}  // namespace
}  // namespace kube::patch
