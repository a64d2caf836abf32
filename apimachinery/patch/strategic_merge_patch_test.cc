#include "apimachinery/patch/strategic_merge_patch.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/patch/preconditions.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// apimachinery/patch/differential compares many more with Go.
namespace kube::patch {
namespace {

using api::apps::v1::Deployment;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;
using unstructured::ParseJson;
using unstructured::Value;

const KindInfo& Pod() {
  static const KindInfo kPod = {.kind = "Pod", .message = &api::core::v1::Pod::kMessage};
  return kPod;
}

constexpr absl::string_view kOne = R"({"spec":{"containers":[{"name":"a","image":"x"}]}})";
constexpr absl::string_view kTwo =
    R"({"spec":{"containers":[{"name":"b"},{"name":"a","image":"y"}]}})";

// behaviour.md: COD-15
TEST(StrategicMergePatch, MakeThenApply_KeyedList_MergesByItsKey) {
  const Value patch =
      *ParseJson(R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],)"
                 R"("containers":[{"name":"b"},{"image":"y","name":"a"}]}})");
  EXPECT_THAT(MakeStrategicMergePatch(*ParseJson(kOne), *ParseJson(kTwo), Pod()),
              IsOkAndHolds(patch));
  EXPECT_THAT(ApplyStrategicMergePatch(*ParseJson(kOne), patch, Pod()),
              IsOkAndHolds(*ParseJson(kTwo)));
}

TEST(StrategicMergePatch, MakeThreeWay_SameMemberChanged_ConflictsUnlessOverwritten) {
  const Value current = *ParseJson(R"({"spec":{"containers":[{"name":"a","image":"z"}]}})");
  EXPECT_TRUE(
      MakeThreeWayStrategicMergePatch(*ParseJson(kOne), *ParseJson(kTwo), current, Pod()).ok());
  const absl::Status conflict =
      MakeThreeWayStrategicMergePatch(*ParseJson(kOne), *ParseJson(kTwo), current, Pod(),
                                      {.overwrite = false})
          .status();
  EXPECT_TRUE(IsConflict(conflict)) << conflict;
  EXPECT_THAT(conflict, StatusIs(absl::StatusCode::kAborted, HasSubstr("image")));
  EXPECT_TRUE(IsPreconditionFailed(
      MakeThreeWayStrategicMergePatch(*ParseJson(kOne), *ParseJson(kTwo), current, Pod(),
                                      {.preconditions = {RequireKeyUnchanged("spec")}})
          .status()));
}

TEST(StrategicMergePatch, Apply_InvalidDirective_IsInvalidArgument) {
  for (const auto& [patch, why] : {
           std::pair{R"([])", "the patch is not an object"},
           {R"({"spec":{"$patch":"x"}})", "unknown patch type: x"},
           {R"({"spec":{"containers":[{"image":"y"}]}})", "declared merge key: name"},
           {R"({"spec":{"containers":[[]]}})", "list element types"},
           {R"({"spec":{"$retainKeys":[],"nodeName":"x"}})", "retainKeys"},
           {R"({"spec":{"$setElementOrder/containers":1}})", "expected a list"},
           {R"({"spec":{"$deleteFromPrimitiveList":1}})", "primitive list"},
       }) {
    EXPECT_THAT(ApplyStrategicMergePatch(*ParseJson(kOne), *ParseJson(patch), Pod()),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(why)))
        << patch;
  }
}

// behaviour.md: COD-15
TEST(StrategicMergePatch, MakeThenApply_TypedObjects_ReturnsTheSecond) {
  const api::core::v1::Pod before = {.metadata = {.name = "web", .finalizers = {"a", "b"}}};
  api::core::v1::Pod after = before;
  after.metadata.finalizers = {"b", "c"};
  const absl::StatusOr<std::string> patch = MakeStrategicMergePatch(before, after);
  EXPECT_THAT(patch, IsOkAndHolds(R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"],)"
                                  R"("$setElementOrder/finalizers":["b","c"],)"
                                  R"("finalizers":["c"]}})"));
  EXPECT_THAT(ApplyStrategicMergePatch(before, *patch), IsOkAndHolds(after));
}

TEST(StrategicMergePatch, NamesTheContainerThatChanges_AsInTheHeader) {
  Deployment before;
  before.spec.template_.spec.containers = {{.name = "web", .image = "web:1"}};
  Deployment after;
  after.spec.template_.spec.containers = {{.name = "web", .image = "web:2"}};
  const absl::StatusOr<std::string> patch = patch::MakeStrategicMergePatch(before, after);
  // {"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"web"}],
  //                              "containers":[{"image":"web:2","name":"web"}]}}}}
  EXPECT_THAT(
      patch,
      IsOkAndHolds(R"({"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"web"}],)"
                   R"("containers":[{"image":"web:2","name":"web"}]}}}})"));
}

}  // namespace
}  // namespace kube::patch
