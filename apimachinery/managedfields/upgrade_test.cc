#include "apimachinery/managedfields/upgrade.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using api::meta::v1::ManagedFieldsEntry;
using api::meta::v1::ObjectMeta;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

using Entries = List<ManagedFieldsEntry>;

ManagedFieldsEntry Apply(absl::string_view manager, absl::string_view fields) {
  return {.manager = manager,
          .operation = "Apply",
          .api_version = "v1",
          .time = Time::FromUnixSeconds(1767225600),
          .fields_type = "FieldsV1",
          .fields_v1 = FieldsV1(fields)};
}

ManagedFieldsEntry Update(absl::string_view manager, absl::string_view fields,
                          absl::string_view api_version = "v1",
                          absl::string_view subresource = "") {
  ManagedFieldsEntry entry = Apply(manager, fields);
  entry.operation = "Update";
  entry.api_version = api_version;
  entry.subresource = subresource;
  return entry;
}

TEST(Upgrade, UpgradeManagedFields_EntriesOfUpdaters_BecomeThoseOfTheApplier) {
  constexpr absl::string_view kA = R"({"f:a":{}})";
  constexpr absl::string_view kB = R"({"f:b":{}})";
  constexpr absl::string_view kBoth = R"({"f:a":{},"f:b":{}})";
  ManagedFieldsEntry beta = Apply("ssa", kB);
  beta.api_version = "v1beta1";
  struct Case {
    absl::string_view name;
    Entries entries;
    Entries upgraded;
  };
  for (const Case& c : {
           Case{"no applier", {Update("csa", kA)}, {Apply("ssa", kA)}},
           {"united", {Apply("ssa", kA), Update("csa", kB)}, {Apply("ssa", kBoth)}},
           {"places stay",
            {Update("x", kA), Update("csa", kB), Apply("other", kA), Apply("ssa", kA)},
            {Update("x", kA), Apply("other", kA), Apply("ssa", kBoth)}},
           {"the first one is converted, another one of its version united with it",
            {Update("csa", kA), Update("x", kA), Update("csa", kB)},
            {Apply("ssa", kBoth), Update("x", kA)}},
           {"of another version than the converted one",
            {Update("csa", kB, "v1beta1"), Update("csa", kA)},
            {beta}},
           {"only that of the applier's version is united",
            {Apply("ssa", kA), Update("csa", R"({"f:c":{}})", "v1beta1"), Update("csa", kB)},
            {Apply("ssa", kBoth)}},
           {"none of the applier's version",
            {Apply("ssa", kA), Update("csa", kB, "v1beta1")},
            {Apply("ssa", kA)}},
           {"of the subresource they are left",
            {Update("csa", kA, "v1", "status"), Update("csa", kB)},
            {Update("csa", kA, "v1", "status"), Apply("ssa", kB)}},
           {"applied by the updater they are left",
            {Apply("csa", kA), Update("csa", kB)},
            {Apply("csa", kA), Apply("ssa", kB)}},
           {"nothing to do",
            {Apply("ssa", kA), Update("x", kB)},
            {Apply("ssa", kA), Update("x", kB)}},
           {"fields of the applier are written anew",
            {Apply("ssa", R"({ "f:b": {}, "f:a": {} })")},
            {Apply("ssa", kBoth)}},
           {"no entries", {}, {}},
       }) {
    EXPECT_THAT(UpgradeManagedFields(c.entries, {"csa"}, "ssa"), IsOkAndHolds(c.upgraded))
        << c.name;
  }
}

TEST(Upgrade, UpgradeManagedFields_SeveralUpdaters_AreUnitedInTheOrderOfTheirNames) {
  const Entries entries = {Update("b", R"({"f:b":{}})"), Update("a", R"({"f:a":{}})"),
                           Update("c", R"({"f:c":{}})")};
  EXPECT_THAT(UpgradeManagedFields(entries, {"c", "b", "a"}, "b"),
              IsOkAndHolds(Entries{Apply("b", R"({"f:a":{},"f:b":{},"f:c":{}})")}));
  EXPECT_THAT(UpgradeManagedFields(entries, {}, "b"), IsOkAndHolds(entries));
  // The first updater decides the version, and entries of other versions are lost.
  EXPECT_THAT(
      UpgradeManagedFields({Update("b", R"({"f:b":{}})", "v1beta1"), Update("a", R"({"f:a":{}})")},
                           {"b", "a"}, "ssa"),
      IsOkAndHolds(Entries{Apply("ssa", R"({"f:a":{}})")}));
}

TEST(Upgrade, UpgradeManagedFields_Subresource_OnlyItsEntriesAreMigrated) {
  ManagedFieldsEntry status = Apply("ssa", R"({"f:a":{}})");
  status.subresource = "status";
  EXPECT_THAT(UpgradeManagedFields(
                  {Update("csa", R"({"f:a":{}})", "v1", "status"), Update("csa", R"({"f:b":{}})")},
                  {"csa"}, "ssa", {.subresource = "status"}),
              IsOkAndHolds(Entries{status, Update("csa", R"({"f:b":{}})")}));
}

TEST(Upgrade, UpgradeManagedFields_FieldsThatCannotBeDecoded_IsInvalidArgument) {
  ManagedFieldsEntry without_fields = Update("csa", "");
  without_fields.fields_v1.reset();
  for (const Entries& entries : {
           Entries{Update("csa", "[]")},
           {Apply("ssa", "[]")},
           {Apply("ssa", R"({"f:a":{}})"), Update("csa", "[]")},
           {without_fields},
       }) {
    EXPECT_THAT(UpgradeManagedFields(entries, {"csa"}, "ssa"),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         StartsWith("failed to convert fields to set: ")));
  }
  // Entries of others are not decoded.
  const Entries others = {Update("x", "[]")};
  EXPECT_THAT(UpgradeManagedFields(others, {"csa"}, "ssa"), IsOkAndHolds(others));
}

TEST(Upgrade, UpgradeManagedFieldsPatch_Migration_ReplacesEntriesAndTestsTheVersion) {
  ManagedFieldsEntry other = Update("x", R"({"f:<b>":{}})", "v1", "status");
  other.time.reset();
  const ObjectMeta metadata = {.resource_version = "12",
                               .managed_fields = {Update("csa", R"({"f:a":{}})"), other}};
  EXPECT_THAT(
      UpgradeManagedFieldsPatch(metadata, {"csa"}, "ssa"),
      IsOkAndHolds(std::string(
          R"([{"op":"replace","path":"/metadata/managedFields","value":[)"
          R"({"manager":"ssa","operation":"Apply","apiVersion":"v1",)"
          R"("time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}}},)"
          R"({"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1",)"
          "\"fieldsV1\":{\"f:\\u003cb\\u003e\":{}},\"subresource\":\"status\"}]},"
          R"({"op":"replace","path":"/metadata/resourceVersion","value":"12"}])")));
}

TEST(Upgrade, UpgradeManagedFieldsPatch_NothingToMigrate_IsEmpty) {
  const ObjectMeta metadata = {.resource_version = "12",
                               .managed_fields = {Apply("ssa", R"({"f:a":{}})")}};
  EXPECT_THAT(UpgradeManagedFieldsPatch(metadata, {"csa"}, "ssa"), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(UpgradeManagedFieldsPatch({}, {"csa"}, "ssa"), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(UpgradeManagedFieldsPatch({.managed_fields = {Update("csa", "[]")}}, {"csa"}, "ssa"),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(Upgrade, FindFieldsOwners_FieldsOfSeveral_ReturnsThoseThatOwnAll) {
  const Entries entries = {Update("a", R"({"f:x":{},"f:y":{".":{},"f:z":{}}})"),
                           Update("b", R"({"f:x":{}})"), Update("c", "[]"),
                           Apply("d", R"({"f:x":{},"f:y":{}})")};
  const auto names = [&](Operation operation, absl::string_view fields) {
    std::vector<std::string> managers;
    for (const ManagedFieldsEntry& entry :
         FindFieldsOwners(entries, operation, *DecodeFieldsV1(fields))) {
      managers.push_back(std::string(entry.manager.view()));
    }
    return managers;
  };
  EXPECT_THAT(names(Operation::kUpdate, R"({"f:x":{}})"), ElementsAre("a", "b"));
  EXPECT_THAT(names(Operation::kUpdate, R"({"f:x":{},"f:y":{}})"), ElementsAre("a"));
  EXPECT_THAT(names(Operation::kUpdate, R"({"f:y":{"f:other":{}}})"), ElementsAre());
  EXPECT_THAT(names(Operation::kApply, R"({"f:x":{},"f:y":{}})"), ElementsAre("d"));
  EXPECT_THAT(names(Operation::kUpdate, "{}"), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace kube::managedfields
