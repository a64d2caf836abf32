#include "apimachinery/patch/json_patch.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::patch {
namespace {

using api::apps::v1::Deployment;
using api::core::v1::Pod;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;
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

TEST_P(JsonPatchCase, Apply_EachOperation_ReturnsTheResult) {
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

TEST(JsonPatch, Apply_FailedTestOrMissingPlace_HasItsCode) {
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

TEST(JsonPatch, Make_TwoValues_HasOneOperationForEachDifference) {
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

TEST(JsonPatch, MakeThenApply_TypedObjects_ReturnsTheSecond) {
  const Pod before = {.metadata = {.name = "web", .annotations = {{"example.com/a", "1"}}},
                      .spec = {.containers = {{.name = "a", .image = "x"}}}};
  Pod after = before;
  after.metadata.annotations = {{"example.com/b", "2"}};
  after.spec.containers[0].image = "y";
  const absl::StatusOr<std::string> patch = MakeJsonPatch(before, after);
  EXPECT_THAT(patch,
              IsOkAndHolds(R"([{"op":"remove","path":"/metadata/annotations/example.com~1a"},)"
                           R"({"op":"add","path":"/metadata/annotations/example.com~1b",)"
                           R"("value":"2"},)"
                           R"({"op":"replace","path":"/spec/containers/0/image","value":"y"}])"));
  EXPECT_THAT(ApplyJsonPatch(before, *patch), IsOkAndHolds(after));
  EXPECT_THAT(MakeJsonPatch(before, before), IsOkAndHolds("[]"));
}

TEST(JsonPatch, ReplacesTheReplicasOfADeployment_AsInTheHeader) {
  const Deployment before = {.spec = {.replicas = 3}};
  const Deployment after = {.spec = {.replicas = 5}};
  const absl::StatusOr<std::string> patch = patch::MakeJsonPatch(before, after);
  // [{"op":"replace","path":"/spec/replicas","value":5}]
  EXPECT_THAT(patch, IsOkAndHolds(R"([{"op":"replace","path":"/spec/replicas","value":5}])"));
}

TEST(JsonPointer, EscapesAKey_AsInTheHeader) {
  const std::string path = "/metadata/annotations" + JsonPointer("example.com/a");
  EXPECT_EQ(path, "/metadata/annotations/example.com~1a");
}

TEST(JsonPatch, Apply_TypedObjectThatDoesNotFit_HasItsCode) {
  struct Refusal {
    const char* patch;
    absl::StatusCode code;
  };
  const Pod pod = {.metadata = {.name = "web"}};
  for (const auto& [patch, code] : {
           Refusal{"{}", absl::StatusCode::kInvalidArgument},
           {R"([{"op":"replace","path":"/spec","value":[]}])", absl::StatusCode::kInvalidArgument},
           {R"([{"op":"replace","path":"","value":[]}])", absl::StatusCode::kInvalidArgument},
           {R"([{"op":"test","path":"/metadata/name","value":"db"}])",
            absl::StatusCode::kFailedPrecondition},
           {R"([{"op":"remove","path":"/metadata/labels"}])", absl::StatusCode::kNotFound},
       }) {
    EXPECT_THAT(ApplyJsonPatch(pod, patch), StatusIs(code)) << patch;
  }
  constexpr absl::string_view kUnknown = R"([{"op":"add","path":"/spec/none","value":1}])";
  EXPECT_THAT(ApplyJsonPatch(pod, kUnknown), IsOkAndHolds(pod));
  EXPECT_THAT(
      ApplyJsonPatch(pod, kUnknown,
                     codec::DecodeOptions{.field_validation = codec::FieldValidation::kStrict}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("none")));
}

}  // namespace
}  // namespace kube::patch
