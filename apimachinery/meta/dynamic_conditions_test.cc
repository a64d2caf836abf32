#include "apimachinery/meta/dynamic_conditions.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/time.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

namespace metav1 = api::meta::v1;
using base::IsOkAndHolds;
using base::StatusIs;
using unstructured::Unstructured;

Unstructured Web(absl::string_view json) { return unstructured::DecodeUnstructured(json).value(); }

metav1::Condition Ready(absl::string_view status, absl::string_view reason) {
  return {.type = "Ready",
          .status = status,
          .last_transition_time = absl::FromUnixSeconds(1'800'000'000),
          .reason = reason};
}

TEST(DynamicConditions, SetFindAndRemove_ConditionsOfUnstructured_WorkAsTyped) {
  Unstructured web = Web(R"({"kind":"Web"})");
  EXPECT_EQ(FindStatusCondition(web, "Ready"), std::nullopt);
  EXPECT_THAT(SetStatusCondition(web, Ready("True", "a")), IsOkAndHolds(true));
  EXPECT_THAT(SetStatusCondition(web, Ready("True", "a")), IsOkAndHolds(false));
  EXPECT_TRUE(IsStatusConditionTrue(web, "Ready"));
  EXPECT_FALSE(IsStatusConditionFalse(web, "Ready"));
  EXPECT_FALSE(IsStatusConditionTrue(web, "Other"));
  EXPECT_EQ(FindStatusCondition(web, "Ready")->reason, "a");
  EXPECT_THAT(SetStatusCondition(web, {.type = "Other", .status = "Unknown"}), IsOkAndHolds(true));
  EXPECT_TRUE(IsStatusConditionPresentAndEqual(web, "Other", "Unknown"));
  EXPECT_THAT(RemoveStatusCondition(web, "Ready"), IsOkAndHolds(true));
  EXPECT_THAT(RemoveStatusCondition(web, "Ready"), IsOkAndHolds(false));
  EXPECT_EQ(FindStatusCondition(web, "Ready"), std::nullopt);
  EXPECT_TRUE(IsStatusConditionPresentAndEqual(web, "Other", "Unknown"));
}

TEST(DynamicConditions, Set_UnknownMembersAndOtherConditions_AreKept) {
  Unstructured web =
      Web(R"({"kind":"Web","status":{"a":1,"conditions":[{"type":"Ready","status":"False",)"
          R"("observedGeneration":3,"owner":"me","lastTransitionTime":"2026-01-01T00:00:00Z"},)"
          R"({"type":"Other","odd":[1]}]}})");
  EXPECT_TRUE(IsStatusConditionFalse(web, "Ready"));
  EXPECT_THAT(SetStatusCondition(web, Ready("True", "b")), IsOkAndHolds(true));
  EXPECT_THAT(
      codec::EncodeJson(web),
      IsOkAndHolds(std::string(
          R"({"kind":"Web","status":{"a":1,"conditions":[{"lastTransitionTime":)"
          R"("2027-01-15T08:00:00Z","message":"","owner":"me","reason":"b","status":"True",)"
          R"("type":"Ready"},{"odd":[1],"type":"Other"}]}})")));
}

TEST(DynamicConditions, Set_OtherShape_IsInvalidArgumentWithoutItsText) {
  for (const char* json :
       {R"({"kind":"Web","status":"secret"})", R"({"kind":"Web","status":{"conditions":"secret"}})",
        R"({"kind":"Web","status":{"conditions":{"secret":1}}})",
        R"({"kind":"Web","status":{"conditions":[{"type":"Ready","status":{"secret":1}}]}})"}) {
    SCOPED_TRACE(json);
    Unstructured web = Web(json);
    const Unstructured before = web;
    const absl::Status status = SetStatusCondition(web, Ready("True", "a")).status();
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument));
    EXPECT_EQ(status.message().find("secret"), absl::string_view::npos) << status;
    EXPECT_FALSE(IsStatusConditionTrue(web, "Ready"));
    EXPECT_EQ(web, before);
  }
  Unstructured odd = Web(R"({"kind":"Web","status":{"conditions":["Ready",1,null]}})");
  EXPECT_THAT(RemoveStatusCondition(odd, "Ready"), IsOkAndHolds(false));
  EXPECT_THAT(SetStatusCondition(odd, Ready("True", "a")), IsOkAndHolds(true));
  EXPECT_TRUE(IsStatusConditionTrue(odd, "Ready"));
}

TEST(DynamicConditions, AreSetAndRead_AsInTheHeader) {
  Unstructured widget = Web(R"({"kind":"Widget"})");
  const absl::StatusOr<bool> changed =
      meta::SetStatusCondition(widget, {.type = "Ready", .status = metav1::kConditionTrue});
  const bool is_ready = meta::IsStatusConditionTrue(widget, "Ready");
  EXPECT_THAT(changed, IsOkAndHolds(true));
  EXPECT_TRUE(is_ready);
}

}  // namespace
}  // namespace kube::meta
