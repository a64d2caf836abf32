#include "apimachinery/patch/merge_patch.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/patch/preconditions.h"
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

struct Row {
  std::string name;
  std::string object;
  std::string patch;
  std::string merged;
};

class ApplyMergePatchCase : public testing::TestWithParam<Row> {};

TEST_P(ApplyMergePatchCase, Apply_EachPatch_ReturnsTheMergedValue) {
  const absl::StatusOr<Value> merged =
      ApplyMergePatch(*ParseJson(GetParam().object), *ParseJson(GetParam().patch));
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_EQ(*merged, *ParseJson(GetParam().merged));
}

INSTANTIATE_TEST_SUITE_P(
    // Appendix A of the RFC, and what json-patch does differently.
    Rfc7386, ApplyMergePatchCase,
    testing::Values(
        Row{"Replaces", R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
        Row{"Adds", R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
        Row{"Removes", R"({"a":"b"})", R"({"a":null})", R"({})"},
        Row{"ListByText", R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
        Row{"Nested", R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
        Row{"ListWhole", R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
        Row{"NullStays", R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
        Row{"NewNestedNull", R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
        Row{"NullsInNewLists", R"({"a":[]})", R"({"a":[{"b":null},null]})", R"({"a":[{},null]})"},
        Row{"NullsInListForObject", R"({"a":{}})", R"({"a":[{"b":null}]})",
            R"({"a":[{"b":null}]})"},
        Row{"PatchIsList", R"({"a":1})", R"([{"b":null}])", R"([{}])"}),
    [](const testing::TestParamInfo<Row>& row) { return row.param.name; });

TEST(MergePatch, Apply_PatchIsAScalar_IsInvalidArgument) {
  for (const absl::string_view patch : {"1", "null", "\"x\""}) {
    EXPECT_THAT(ApplyMergePatch(*ParseJson("{}"), *ParseJson(patch)),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << patch;
  }
  EXPECT_THAT(MakeMergePatch(Value(1), *ParseJson("{}")),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("the original")));
}

class MakeMergePatchCase : public testing::TestWithParam<Row> {};

TEST_P(MakeMergePatchCase, Make_TwoValues_ReturnsTheirDifference) {
  const absl::StatusOr<Value> patch =
      MakeMergePatch(*ParseJson(GetParam().object), *ParseJson(GetParam().patch));
  ASSERT_TRUE(patch.ok()) << patch.status();
  EXPECT_EQ(*patch, *ParseJson(GetParam().merged));
}

INSTANTIATE_TEST_SUITE_P(
    All, MakeMergePatchCase,
    testing::Values(
        Row{"Nothing", R"({"a":{"b":[1,"x"]}})", R"({"a":{"b":[1,"\u0078"]}})", "{}"},
        Row{"NumbersNotTheirTypes", R"({"a":1,"b":[1]})", R"({"a":1.0,"b":[1.0]})", "{}"},
        Row{"Removed", R"({"a":{"b":1,"c":2}})", R"({"a":{"c":2}})", R"({"a":{"b":null}})"},
        Row{"Emptied", R"({"a":{"b":1}})", R"({"a":{}})", R"({"a":{"b":null}})"},
        Row{"List", R"({"a":[1,2],"b":[1]})", R"({"a":[1,3],"b":[1]})", R"({"a":[1,3]})"},
        Row{"TextInsteadOfObject", R"({"a":{"b":1}})", R"({"a":"x"})", R"({"a":"x"})"},
        Row{"LargeIntegers", R"({"a":9007199254740993})", R"({"a":9007199254740992})",
            R"({"a":9007199254740992})"}),
    [](const testing::TestParamInfo<Row>& row) { return row.param.name; });

TEST(MergePatch, MakeThreeWay_ChangeOfAnother_IsNotInThePatch) {
  const Value original = *ParseJson(R"({"a":1,"gone":1,"o":{"x":1}})");
  const Value modified = *ParseJson(R"({"a":2,"o":{}})");
  const Value current = *ParseJson(R"({"a":1,"gone":1,"theirs":1,"o":{"x":1,"y":2}})");
  const absl::StatusOr<Value> patch = MakeThreeWayMergePatch(original, modified, current);
  ASSERT_TRUE(patch.ok()) << patch.status();
  EXPECT_EQ(*patch, *ParseJson(R"({"a":2,"gone":null,"o":{"x":null}})"));
  const absl::Status refused =
      MakeThreeWayMergePatch(original, modified, current, {RequireKeyUnchanged("a")}).status();
  EXPECT_TRUE(IsPreconditionFailed(refused)) << refused;
  EXPECT_FALSE(IsConflict(refused));
}

TEST(MergePatch, MakeThenApply_TypedObjects_ReturnsTheSecond) {
  const Pod before = {.metadata = {.name = "web", .labels = {{"app", "web"}, {"old", "1"}}},
                      .spec = {.containers = {{.name = "a", .image = "x"}}}};
  Pod after = before;
  after.metadata.labels = {{"app", "shop"}};
  after.spec.containers[0].image = "y";
  const absl::StatusOr<std::string> patch = MakeMergePatch(before, after);
  EXPECT_THAT(patch, IsOkAndHolds(R"({"metadata":{"labels":{"app":"shop","old":null}},)"
                                  R"("spec":{"containers":[{"image":"y","name":"a",)"
                                  R"("resources":{}}]}})"));
  EXPECT_THAT(ApplyMergePatch(before, *patch), IsOkAndHolds(after));
  EXPECT_THAT(MakeMergePatch(before, before), IsOkAndHolds("{}"));
}

TEST(MergePatch, HasNullForWhatIsRemoved_AsInTheHeader) {
  const Deployment before = {.metadata = {.labels = {{"app", "web"}, {"old", "1"}}},
                             .spec = {.replicas = 3}};
  const Deployment after = {.metadata = {.labels = {{"app", "web"}}}, .spec = {.replicas = 5}};
  const absl::StatusOr<std::string> patch = patch::MakeMergePatch(before, after);
  // {"metadata":{"labels":{"old":null}},"spec":{"replicas":5}}
  EXPECT_THAT(patch, IsOkAndHolds(R"({"metadata":{"labels":{"old":null}},"spec":{"replicas":5}})"));
}

TEST(MergePatch, Apply_TypedObjectThatDoesNotFit_IsInvalidArgument) {
  const Pod pod = {.metadata = {.name = "web"}};
  for (const absl::string_view patch :
       {"", "{", "1", R"({"spec":[]})", R"({"metadata":{"labels":{"a":1}}})"}) {
    EXPECT_THAT(ApplyMergePatch(pod, patch), StatusIs(absl::StatusCode::kInvalidArgument)) << patch;
  }
  constexpr absl::string_view kUnknown = R"({"spec":{"none":1}})";
  EXPECT_THAT(ApplyMergePatch(pod, kUnknown), IsOkAndHolds(pod));
  EXPECT_THAT(
      ApplyMergePatch(pod, kUnknown,
                      codec::DecodeOptions{.field_validation = codec::FieldValidation::kStrict}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("none")));
}

TEST(MergePatch, MergePatchesConflict_SameMemberWithOtherValues_IsTrue) {
  EXPECT_FALSE(
      MergePatchesConflict(*ParseJson(R"({"a":{"b":1}})"), *ParseJson(R"({"a":{"c":2}})")));
  EXPECT_TRUE(MergePatchesConflict(*ParseJson(R"({"a":[1]})"), *ParseJson(R"({"a":[1,2]})")));
  EXPECT_TRUE(MergePatchesConflict(*ParseJson(R"({"a":1})"), *ParseJson(R"({"a":1.0})")));
}

}  // namespace
}  // namespace kube::patch
