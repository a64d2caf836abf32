#include "apimachinery/patch/internal/strategic_conflicts.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/patch/internal/patch_schema.h"
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

absl::StatusOr<std::optional<std::string>> Find(absl::string_view left, absl::string_view right) {
  const Value a = *ParseJson(left), b = *ParseJson(right);
  return FindStrategicConflict(*a.object(), *b.object(), PatchSchema(api::core::v1::Pod::kMessage));
}

struct Row {
  std::string name;
  std::string left;
  std::string right;
  std::optional<std::string> path = std::nullopt;
};

class ConflictCase : public testing::TestWithParam<Row> {};

TEST_P(ConflictCase, FromBothSides) {
  EXPECT_THAT(Find(GetParam().left, GetParam().right), IsOkAndHolds(GetParam().path));
  EXPECT_THAT(Find(GetParam().right, GetParam().left), IsOkAndHolds(GetParam().path));
}

INSTANTIATE_TEST_SUITE_P(
    All, ConflictCase,
    testing::Values(
        Row{"Others", R"({"spec":{"nodeName":"a"}})", R"({"spec":{"hostname":"b"}})"},
        Row{"SameValue", R"({"spec":{"nodeName":"a"}})", R"({"spec":{"nodeName":"a"}})"},
        Row{"Member", R"({"spec":{"nodeName":"a"}})", R"({"spec":{"nodeName":"b"}})",
            "spec.nodeName"},
        Row{"BothDelete", R"({"spec":null})", R"({"spec":null})"},
        Row{"AfterOneThatAgrees", R"({"metadata":{"name":"x"},"spec":{"nodeName":"a"}})",
            R"({"metadata":{"name":"x"},"spec":{"nodeName":"b"}})", "spec.nodeName"},
        Row{"OtherElements", R"({"spec":{"containers":[{"name":"a","image":"x"}]}})",
            R"({"spec":{"containers":[{"name":"b","image":"y"}]}})"},
        Row{"SameElement", R"({"spec":{"containers":[{"name":"b"},{"name":"a","image":"x"}]}})",
            R"({"spec":{"containers":[{"name":"a","image":"y"}]}})", "spec.containers.image"},
        Row{"ScalarsThatMerge", R"({"metadata":{"finalizers":["a"]}})",
            R"({"metadata":{"finalizers":["b"]}})"},
        Row{"ListsThatDoNot", R"({"spec":{"tolerations":[{"key":"a"}]}})",
            R"({"spec":{"tolerations":[{"key":"b"}]}})", "spec.tolerations.key"},
        Row{"Lengths", R"({"spec":{"tolerations":[{"key":"a"}]}})",
            R"({"spec":{"tolerations":[{"key":"a"},{"key":"b"}]}})", "spec.tolerations"},
        Row{"OneDirective", R"({"spec":{"$patch":"replace","nodeName":"a"}})",
            R"({"spec":{"nodeName":"a"}})", "spec"},
        Row{"OneDirectiveAtTheTop", R"({"$patch":"delete"})", R"({})", "$patch"},
        Row{"SameDirectives", R"({"$patch":"replace"})", R"({"$patch":"replace"})"},
        Row{"RetainKeysDoNotCount", R"({"spec":{"$retainKeys":["a"]}})",
            R"({"spec":{"$retainKeys":["b"]}})"}),
    [](const testing::TestParamInfo<Row>& row) { return row.param.name; });

TEST(StrategicConflicts, Refuses) {
  // An element without its merge key cannot be compared.
  EXPECT_THAT(Find(R"({"spec":{"containers":[{"image":"x"}]}})",
                   R"({"spec":{"containers":[{"image":"x"}]}})"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Find(R"({"none":{"a":1}})", R"({"none":{"a":1}})"),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::patch::internal
