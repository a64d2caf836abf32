#include "apimachinery/patch/internal/strategic_merge.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/patch/internal/merge_lists.h"
#include "apimachinery/patch/internal/patch_schema.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::patch::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;
using unstructured::ParseJson;
using unstructured::Value;

absl::StatusOr<std::string> Merge(absl::string_view original, absl::string_view patch,
                                  MergeTarget target) {
  Value a = *ParseJson(original), b = *ParseJson(patch);
  const absl::Status status = MergeStrategically(
      *a.object(), *b.object(), PatchSchema(api::core::v1::PodSpec::kMessage), target);
  if (!status.ok()) return status;
  return unstructured::EncodeJson(a);
}

// A patch, merged into an object and into another patch.
struct Row {
  std::string name;
  std::string original;
  std::string patch;
  std::string object;
  std::string merged_patch;
};

class MergeCase : public testing::TestWithParam<Row> {};

// behaviour.md: COD-15
TEST_P(MergeCase, IntoAnObject) {
  EXPECT_THAT(Merge(GetParam().original, GetParam().patch, MergeTarget::kObject),
              IsOkAndHolds(GetParam().object));
}

TEST_P(MergeCase, IntoAPatch) {
  EXPECT_THAT(Merge(GetParam().original, GetParam().patch, MergeTarget::kPatch),
              IsOkAndHolds(GetParam().merged_patch));
}

INSTANTIATE_TEST_SUITE_P(
    All, MergeCase,
    testing::Values(
        Row{"Nulls", R"({"hostname":"x"})", R"({"hostname":null,"nodeName":null})", "{}",
            R"({"hostname":null,"nodeName":null})"},
        Row{"NullsInWhatIsNew", "{}", R"({"securityContext":{"runAsUser":null}})",
            R"({"securityContext":{}})", R"({"securityContext":{"runAsUser":null}})"},
        Row{"ElementsByKey", R"({"containers":[{"image":"x","name":"a"},{"name":"b"}]})",
            R"({"containers":[{"name":"c"},{"image":"y","name":"a"}]})",
            R"({"containers":[{"name":"c"},{"image":"y","name":"a"},{"name":"b"}]})",
            R"({"containers":[{"name":"c"},{"image":"y","name":"a"},{"name":"b"}]})"},
        Row{"DeletesElement", R"({"containers":[{"name":"a"},{"name":"b"}]})",
            R"({"containers":[{"$patch":"delete","name":"a"}]})",
            R"({"containers":[{"name":"b"}]})", R"({"containers":[{"name":"b"}]})"},
        Row{"ReplacesObject", R"({"securityContext":{"runAsUser":1}})",
            R"({"securityContext":{"$patch":"replace","runAsGroup":2}})",
            R"({"securityContext":{"runAsGroup":2}})", R"({"securityContext":{"runAsGroup":2}})"},
        Row{"SetsTheOrder", R"({"containers":[{"name":"a"},{"name":"b"}]})",
            R"({"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]})",
            R"({"containers":[{"name":"b"},{"name":"a"}]})",
            R"({"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],)"
            R"("containers":[{"name":"b"},{"name":"a"}]})"},
        Row{"RetainsKeys", R"({"hostname":"x","nodeName":"a"})",
            R"({"$retainKeys":["nodeName","priority"],"priority":1})",
            R"({"nodeName":"a","priority":1})",
            R"({"$retainKeys":["nodeName","priority"],"hostname":"x","nodeName":"a","priority":1})"},
        Row{"OtherType", R"({"containers":"x"})", R"({"containers":[{"name":"a"}]})",
            R"({"containers":[{"name":"a"}]})", R"({"containers":[{"name":"a"}]})"}),
    [](const testing::TestParamInfo<Row>& row) { return row.param.name; });

TEST(StrategicMerge, PatchesThatDoNotAgree) {
  EXPECT_THAT(Merge(R"({"$retainKeys":["a"]})", R"({"$retainKeys":["b"]})", MergeTarget::kPatch),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("retainKeys")));
  EXPECT_THAT(Merge(R"({"$setElementOrder/containers":[{"name":"a"}]})",
                    R"({"$setElementOrder/containers":[{"name":"b"}]})", MergeTarget::kPatch),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("setElementOrder")));
}

TEST(MergeLists, ChecksTheOrder) {
  const auto check = [](absl::string_view patch, absl::string_view order) {
    const Value elements = *ParseJson(patch), keys = *ParseJson(order);
    return CheckOrder(*elements.list(), *keys.list(), "name");
  };
  constexpr char kOrder[] = R"([{"name":"a"},{"name":"b"},{"name":"c"}])";
  EXPECT_THAT(check(R"([{"name":"a"},{"name":"c"}])", kOrder), IsOk());
  EXPECT_THAT(check(R"([{"$patch":"delete","name":"x"},{"name":"b"}])", kOrder), IsOk());
  EXPECT_THAT(check("[]", kOrder), IsOk());
  for (const char* patch : {R"([{"name":"c"},{"name":"a"}])", R"([{"name":"x"}])",
                            R"([{"name":"a"},{"name":"a"}])", R"([{"image":"x"}])", "[1]"}) {
    EXPECT_THAT(check(patch, kOrder), StatusIs(absl::StatusCode::kInvalidArgument)) << patch;
  }
}

TEST(MergeLists, RemovesDirectives) {
  Value value = *ParseJson(R"({"a":{"$patch":"delete"},"b":[{"$patch":"x"},{"c":1}],"d":{}})");
  EXPECT_TRUE(RemoveDirectives(value));
  EXPECT_EQ(value, *ParseJson(R"({"b":[{"c":1}],"d":{}})"));
  Value directive = *ParseJson(R"({"$patch":"delete"})");
  EXPECT_FALSE(RemoveDirectives(directive));
}

}  // namespace
}  // namespace kube::patch::internal
