// Managers that use several versions of a kind, versions that are gone, and schemas that change.

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/testing/updater_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class VersionedUpdaterTest : public testing::TestWithParam<SequenceCase> {};

TEST_P(VersionedUpdaterTest, Sequence_InSeveralVersions_ComparesInEachOfThem) {
  Stored stored(RenamingSchemas());
  RunSequence(GetParam(), stored);
}

INSTANTIATE_TEST_SUITE_P(
    All, VersionedUpdaterTest,
    testing::Values(
        SequenceCase{"FieldOfOneOwner_DroppedInAnotherVersion_IsRemoved",
                     {{Verb::kApply, "one", "v1", "{name: a, size_v1: 1}"},
                      {Verb::kApply, "one", "v2", "name: a"}},
                     R"({"name":"a"})",
                     {{"one", R"(v2 {"f:name":{}})"}}},
        SequenceCase{"StructOfOneOwner_DroppedInAnotherVersion_IsRemoved",
                     {{Verb::kApply, "one", "v1", "{name: a, spec_v1: {name: b}}"},
                      {Verb::kApply, "one", "v3", "name: a"}},
                     R"({"name":"a"})",
                     {{"one", R"(v3 {"f:name":{}})"}}},
        SequenceCase{"FieldSharedWithAnApplier_Dropped_Stays",
                     {{Verb::kApply, "one", "v1", "{name: a, size_v1: 1}"},
                      {Verb::kApply, "two", "v2", "size_v2: 1"},
                      {Verb::kApply, "one", "v3", "name: a"}},
                     R"({"name":"a","size_v3":1})",
                     {{"one", R"(v3 {"f:name":{}})"}, {"two", R"(v2 {"f:size_v2":{}})"}}},
        SequenceCase{
            "StructSharedWithAnApplier_Dropped_Stays",
            {{Verb::kApply, "one", "v1", "{name: a, spec_v1: {name: b}}"},
             {Verb::kApply, "two", "v2", "spec_v2: {name: b}"},
             {Verb::kApply, "one", "v1", "name: a"}},
            R"({"name":"a","spec_v1":{"name":"b"}})",
            {{"one", R"(v1 {"f:name":{}})"}, {"two", R"(v2 {"f:spec_v2":{"f:name":{}}})"}}},
        SequenceCase{
            "FieldSharedWithAnUpdater_Dropped_Stays",
            {{Verb::kUpdate, "ctl", "v1", "{name: a, size_v1: 1}"},
             {Verb::kApply, "one", "v2", "{name: a, size_v2: 1}"},
             {Verb::kApply, "one", "v3", "name: a"}},
            R"({"name":"a","size_v3":1})",
            {{"ctl", R"(v1 {"f:name":{},"f:size_v1":{}})"}, {"one", R"(v3 {"f:name":{}})"}}},
        SequenceCase{"Update_TakesTheFieldInItsVersion",
                     {{Verb::kApply, "one", "v1", "{name: a, size_v1: 1}"},
                      {Verb::kUpdate, "ctl", "v2", "{name: a, size_v2: 2}"}},
                     R"({"name":"a","size_v2":2})",
                     {{"one", R"(v1 {"f:name":{}})"}, {"ctl", R"(v2 {"f:size_v2":{}})"}}},
        SequenceCase{"OtherValue_ConflictsInTheVersionOfTheOwner",
                     {{Verb::kApply, "one", "v1", "size_v1: 1"},
                      {Verb::kApply, "two", "v2", "size_v2: 2", "one .size_v1"}},
                     R"({"size_v2":1})",
                     {{"one", R"(v1 {"f:size_v1":{}})"}}},
        SequenceCase{
            "Applier_InAnotherVersion_HasOneEntry",
            {{Verb::kApply, "one", "v1", "size_v1: 1"}, {Verb::kApply, "one", "v2", "size_v2: 1"}},
            R"({"size_v2":1})",
            {{"one", R"(v2 {"f:size_v2":{}})"}}}),
    NameOf);

TEST(UpdaterVersionsTest, Update_ManagerOfAMissingVersion_IsDropped) {
  Stored stored(OneSchema());
  ASSERT_THAT(stored.Update("old", "v1", "image: x"), IsOk());
  ASSERT_THAT(stored.Update("ctl", "v2", "{image: x, replicas: 1}"), IsOk());
  stored.converter().schemas().erase("v1");
  ASSERT_THAT(stored.Update("ctl", "v2", "{image: x, replicas: 2}"), IsOk());
  EXPECT_THAT(stored.Owners(), ElementsAre(Pair("ctl", R"(v2 {"f:replicas":{}})")));
}

TEST(UpdaterVersionsTest, Apply_OwnMissingVersion_RemovesNothing) {
  Stored stored(OneSchema());
  ASSERT_THAT(stored.Apply("one", "v1", "{image: x, replicas: 1}", false).status(), IsOk());
  stored.converter().schemas().erase("v1");
  ASSERT_THAT(stored.Apply("one", "v2", "replicas: 1", false).status(), IsOk());
  EXPECT_EQ(stored.ObjectJson(), R"({"image":"x","replicas":1})");
  EXPECT_THAT(stored.Owners(), ElementsAre(Pair("one", R"(v2 {"f:replicas":{}})")));
}

TEST(UpdaterVersionsTest, Update_EntryWhoseVersionIsNone_IsInvalidArgument) {
  Stored stored(OneSchema());
  stored.managers()[UpdaterId("ctl", "a/b/c")] = {.fields = *DecodeFieldsV1(R"({"f:image":{}})"),
                                                  .api_version = "a/b/c"};
  EXPECT_THAT(stored.Update("new", "v1", "image: x"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("unexpected GroupVersion string: a/b/c")));
}

TEST(UpdaterVersionsTest, Writes_FailingConversion_ReturnItsError) {
  Stored stored(OneSchema());
  ASSERT_THAT(stored.Update("ctl", "v1", "image: x"), IsOk());
  ASSERT_THAT(stored.Update("ctl", "v2", "image: w"), IsOk());
  ASSERT_THAT(stored.Update("old", "v3", "image: z"), IsOk());
  ASSERT_THAT(stored.Update("ctl", "v2", "{image: z, replicas: 1}"), IsOk());
  stored.converter().Break("v3");
  EXPECT_THAT(stored.Update("ctl", "v2", "image: a"),
              StatusIs(absl::StatusCode::kInternal, "the webhook is away"));
  EXPECT_THAT(stored.Apply("one", "v2", "replicas: 2", true).status(),
              StatusIs(absl::StatusCode::kInternal, "the webhook is away"));
}

TEST(UpdaterVersionsTest, Update_DuplicatesInAConvertedObject_AreInvalidArgument) {
  Stored stored(OneSchema());
  ASSERT_THAT(stored.Update("old", "v1", "image: x"), IsOk());
  ASSERT_THAT(stored.Update("ctl", "v2", "{image: x, replicas: 1}"), IsOk());
  constexpr absl::string_view kDuplicates = "{image: x, replicas: 1, rows: [{name: a}, {name: a}]}";
  EXPECT_THAT(
      stored.Update("ctl", "v2", kDuplicates),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("failed to convert new object: ")));
  stored.managers().erase(UpdaterId("old", "v1"));
  EXPECT_THAT(stored.Update("ctl", "v2", kDuplicates), IsOk());
}

// Returns kTypes with an atomic `spec`.
std::string AtomicTypes() {
  constexpr absl::string_view kGranular = "- name: spec\n  map:\n";
  return absl::StrReplaceAll(
      kTypes, {{kGranular, absl::StrCat(kGranular, "    elementRelationship: atomic\n")}});
}

TEST(UpdaterSchemaTest, Struct_MadeAtomic_IsOwnedAsAWhole) {
  Stored stored(OneSchema());
  ASSERT_THAT(stored.Apply("one", "v1", "spec: {value: 1}", false).status(), IsOk());
  stored.SetSchema(AtomicTypes());
  RunSequence({.name = "",
               .steps = {{Verb::kApply, "two", "v1", "spec: {name: s}", "one .spec"},
                         {Verb::kForce, "two", "v1", "spec: {name: s}"}},
               .object = R"({"spec":{"name":"s"}})",
               .owners = {{"two", R"(v1 {"f:spec":{}})"}}},
              stored);
}

// Upstream cannot tell whether a struct without fields was atomic, and leaves the set as it is.
TEST(UpdaterSchemaTest, AtomicStruct_MadeGranular_KeepsItsOwnerButNotItsConflicts) {
  Stored stored(OneSchema(AtomicTypes()));
  ASSERT_THAT(stored.Apply("one", "v1", "spec: {name: a, value: 1}", false).status(), IsOk());
  stored.SetSchema(kTypes);
  RunSequence(
      {.name = "",
       .steps = {{Verb::kApply, "two", "v1", "spec: {name: b}"}},
       .object = R"({"spec":{"name":"b","value":1}})",
       .owners = {{"one", R"(v1 {"f:spec":{}})"}, {"two", R"(v1 {"f:spec":{"f:name":{}}})"}}},
      stored);
}

}  // namespace
}  // namespace kube::managedfields
