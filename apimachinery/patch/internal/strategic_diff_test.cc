#include "apimachinery/patch/internal/strategic_diff.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/patch/internal/patch_schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::patch::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using unstructured::ParseJson;
using unstructured::Value;

absl::StatusOr<std::string> Diff(absl::string_view original, absl::string_view modified,
                                 const StrategicDiffOptions& options = {}) {
  const Value a = *ParseJson(original), b = *ParseJson(modified);
  absl::StatusOr<Map<Value>> patch = DiffStrategically(
      *a.object(), *b.object(), PatchSchema(api::core::v1::PodSpec::kMessage), options);
  if (!patch.ok()) return patch.status();
  return unstructured::EncodeJson(Value(*std::move(patch)));
}

struct Row {
  std::string name;
  std::string original;
  std::string modified;
  std::string patch;
  StrategicDiffOptions options = {};
};

class DiffCase : public testing::TestWithParam<Row> {};

TEST_P(DiffCase, Makes) {
  EXPECT_THAT(Diff(GetParam().original, GetParam().modified, GetParam().options),
              IsOkAndHolds(GetParam().patch));
}

constexpr char kBefore[] = R"({"containers":[{"image":"x","name":"a"},{"name":"b"}]})";
constexpr char kAfter[] = R"({"containers":[{"name":"c"},{"image":"y","name":"a"}]})";

INSTANTIATE_TEST_SUITE_P(
    All, DiffCase,
    testing::Values(
        Row{"Nothing", kBefore, kBefore, "{}", {.set_element_order = true}},
        Row{"ByMergeKey", kBefore, kAfter,
            R"({"containers":[{"name":"c"},{"image":"y","name":"a"},)"
            R"({"$patch":"delete","name":"b"}]})"},
        Row{"WithTheOrder",
            kBefore,
            kAfter,
            R"({"$setElementOrder/containers":[{"name":"c"},{"name":"a"}],)"
            R"("containers":[{"name":"c"},{"image":"y","name":"a"},)"
            R"({"$patch":"delete","name":"b"}]})",
            {.set_element_order = true}},
        Row{"OnlyTheOrder",
            R"({"containers":[{"name":"a"},{"name":"b"}]})",
            R"({"containers":[{"name":"b"},{"name":"a"}]})",
            R"({"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]})",
            {.set_element_order = true}},
        Row{"NoDeletions",
            R"({"hostname":"x","nodeName":"a"})",
            R"({"nodeName":"b"})",
            R"({"nodeName":"b"})",
            {.ignore_deletions = true}},
        Row{"OnlyDeletions",
            R"({"hostname":"x","nodeName":"a"})",
            R"({"nodeName":"b","priority":1})",
            R"({"hostname":null})",
            {.ignore_changes_and_additions = true}},
        Row{"ListsThatDoNotMerge", R"({"tolerations":[{"key":"a"},{"key":"b"}]})",
            R"({"tolerations":[{"key":"a"}]})", R"({"tolerations":[{"key":"a"}]})"},
        Row{"OtherType", R"({"containers":[]})", R"({"containers":"x"})", R"({"containers":"x"})"},
        Row{"RetainKeysOfElements", R"({"volumes":[{"name":"v","emptyDir":{}}]})",
            R"({"volumes":[{"name":"v","hostPath":{}}]})",
            R"({"volumes":[{"$retainKeys":["hostPath","name"],"emptyDir":null,"hostPath":{},)"
            R"("name":"v"}]})"},
        Row{"RetainKeys",
            R"({"hostname":"x","nodeName":"a"})",
            R"({"nodeName":"a"})",
            R"({"$retainKeys":["nodeName"],"hostname":null})",
            {.build_retain_keys = true}}),
    [](const testing::TestParamInfo<Row>& row) { return row.param.name; });

TEST(StrategicDiff, Scalars) {
  const PatchSchema pod(api::core::v1::Pod::kMessage);
  const Value before = *ParseJson(R"({"metadata":{"finalizers":["b","a"]}})");
  const Value after = *ParseJson(R"({"metadata":{"finalizers":["c","b"]}})");
  const absl::StatusOr<Map<Value>> patch =
      DiffStrategically(*before.object(), *after.object(), pod, {.set_element_order = true});
  ASSERT_TRUE(patch.ok()) << patch.status();
  EXPECT_EQ(Value(*patch),
            *ParseJson(R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"],)"
                       R"("$setElementOrder/finalizers":["c","b"],"finalizers":["c"]}})"));
}

TEST(StrategicDiff, WhatTheTypeDoesNotHave) {
  // Equal values need no schema.
  EXPECT_THAT(Diff(R"({"none":{"a":1}})", R"({"none":{"a":1}})"), IsOkAndHolds("{}"));
  EXPECT_THAT(Diff(R"({"none":{"a":1}})", R"({"none":{"a":2}})"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Diff(R"({"none":[1]})", R"({"none":[2]})"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Diff(R"({"containers":[{"image":"x"}]})", R"({"containers":[{"image":"y"}]})"),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::patch::internal
