#include "apimachinery/managedfields/conflict.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/path_element.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

namespace metav1 = api::meta::v1;
using base::StatusIs;
using testing::AllOf;
using testing::ElementsAre;
using testing::IsEmpty;

const ManagerId kUpdater = {
    .name = "ctl", .operation = Operation::kUpdate, .api_version = "apps/v1"};
const ManagerId kApplier = {.name = "bot", .operation = Operation::kApply};

FieldSet SpecFields(std::vector<std::string> names) {
  FieldSet set;
  for (const std::string& name : names) {
    set.Insert({PathElement::Field("spec"), PathElement::Field(name)});
  }
  return set;
}

auto Conflict(const std::string& manager, const std::string& field) {
  return AllOf(testing::Field(&ApplyConflict::manager, manager),
               testing::Field(&ApplyConflict::field, field));
}

TEST(ConflictTest, Error_OneField_IsOneSentence) {
  const absl::Status error =
      ConflictError({{.manager = kUpdater, .fields = SpecFields({"replicas"})}});
  EXPECT_THAT(error, StatusIs(absl::StatusCode::kAborted,
                              "Apply failed with 1 conflict: conflict with \"ctl\" using apps/v1: "
                              ".spec.replicas"));
  const std::optional<metav1::Status> status = errors::StatusOf(error);
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(status->status, "Failure");
  EXPECT_EQ(status->reason, "Conflict");
  EXPECT_EQ(status->code, 409);
  ASSERT_TRUE(status->details.has_value());
  EXPECT_EQ(status->details->name, "");
  EXPECT_EQ(status->details->kind, "");
  ASSERT_EQ(status->details->causes.size(), 1u);
  EXPECT_EQ(status->details->causes[0].reason, "FieldManagerConflict");
  EXPECT_EQ(status->details->causes[0].message, "conflict with \"ctl\" using apps/v1");
  EXPECT_EQ(status->details->causes[0].field, ".spec.replicas");
}

TEST(ConflictTest, Error_SeveralFields_AreGroupedBySortedManagers) {
  const absl::Status error =
      ConflictError({{.manager = kUpdater, .fields = SpecFields({"replicas", "paused"})},
                     {.manager = kApplier, .fields = SpecFields({"paused"})}});
  EXPECT_EQ(error.message(),
            "Apply failed with 3 conflicts: conflicts with \"bot\":\n"
            "- .spec.paused\n"
            "conflicts with \"ctl\" using apps/v1:\n"
            "- .spec.paused\n"
            "- .spec.replicas");
  EXPECT_THAT(ApplyConflicts(error),
              ElementsAre(Conflict("\"bot\"", ".spec.paused"),
                          Conflict("\"ctl\" using apps/v1", ".spec.paused"),
                          Conflict("\"ctl\" using apps/v1", ".spec.replicas")));
}

TEST(ConflictTest, Error_Subresource_IsNamed) {
  ManagerId updater = kUpdater, applier = kApplier;
  updater.subresource = "scale";
  applier.subresource = "status";
  EXPECT_THAT(
      ApplyConflicts(ConflictError({{.manager = updater, .fields = SpecFields({"replicas"})},
                                    {.manager = applier, .fields = SpecFields({"replicas"})}})),
      ElementsAre(Conflict(R"("bot" with subresource "status")", ".spec.replicas"),
                  Conflict(R"("ctl" with subresource "scale" using apps/v1)", ".spec.replicas")));
}

TEST(ConflictTest, Error_NameWithSpecialCharacters_IsQuotedAsGoDoes) {
  ManagerId manager = kApplier;
  manager.name = "a\"b\n";
  EXPECT_EQ(ConflictError({{.manager = manager, .fields = SpecFields({"x"})}}).message(),
            "Apply failed with 1 conflict: conflict with \"a\\\"b\\n\": .spec.x");
}

TEST(ConflictTest, Conflicts_WithContext_AreFound) {
  const absl::Status error = base::Annotate(
      ConflictError({{.manager = kApplier, .fields = SpecFields({"x"})}}), "apply \"web\"");
  EXPECT_THAT(ApplyConflicts(error), ElementsAre(Conflict("\"bot\"", ".spec.x")));
}

TEST(ConflictTest, Conflicts_OtherErrors_HaveNone) {
  EXPECT_THAT(ApplyConflicts(absl::OkStatus()), IsEmpty());
  EXPECT_THAT(ApplyConflicts(absl::AbortedError("conflict with \"bot\"")), IsEmpty());
  EXPECT_THAT(ApplyConflicts(errors::Conflict({.resource = "pods"}, "web", "it changed")),
              IsEmpty());
  EXPECT_THAT(ApplyConflicts(errors::BadRequest("conflict with \"bot\"")), IsEmpty());
}

TEST(ConflictTest, Conflicts_OtherCauses_AreLeftOut) {
  const absl::Status error = errors::ApplyConflict(
      {metav1::StatusCause{.reason = "FieldValueInvalid", .message = "m", .field = ".a"},
       metav1::StatusCause{
           .reason = "FieldManagerConflict", .message = "owned by \"x\"", .field = ".b"}},
      "no");
  EXPECT_THAT(ApplyConflicts(error), ElementsAre(Conflict("owned by \"x\"", ".b")));
}

}  // namespace
}  // namespace kube::managedfields
