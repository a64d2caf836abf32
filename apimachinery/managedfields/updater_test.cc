#include "apimachinery/managedfields/updater.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/testing/updater_fixture.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;
using unstructured::ParseJson;
using unstructured::Value;

class UpdaterTest : public testing::TestWithParam<SequenceCase> {};

TEST_P(UpdaterTest, Sequence_InOneVersion_ConvertsNothing) {
  Stored stored(OneSchema());
  RunSequence(GetParam(), stored);
  EXPECT_EQ(stored.converter().conversions(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Scalars, UpdaterTest,
    testing::Values(
        SequenceCase{
            "SameValueAppliedTwice_IsShared",
            {{Verb::kApply, "one", "v1", "image: x"}, {Verb::kApply, "two", "v1", "image: x"}},
            R"({"image":"x"})",
            {{"one", R"(v1 {"f:image":{}})"}, {"two", R"(v1 {"f:image":{}})"}}},
        SequenceCase{"SharedField_DroppedByOne_Stays",
                     {{Verb::kApply, "one", "v1", "{image: x, replicas: 1}"},
                      {Verb::kApply, "two", "v1", "image: x"},
                      {Verb::kApply, "one", "v1", "replicas: 1"}},
                     R"({"image":"x","replicas":1})",
                     {{"one", R"(v1 {"f:replicas":{}})"}, {"two", R"(v1 {"f:image":{}})"}}},
        SequenceCase{"FieldOfOneOwner_Dropped_IsRemoved",
                     {{Verb::kApply, "one", "v1", "{image: x, replicas: 1}"},
                      {Verb::kApply, "one", "v1", "replicas: 1"}},
                     R"({"replicas":1})",
                     {{"one", R"(v1 {"f:replicas":{}})"}}},
        SequenceCase{"FieldSharedWithUpdater_Dropped_Stays",
                     {{Verb::kUpdate, "ctl", "v1", "{image: x}"},
                      {Verb::kApply, "one", "v1", "{image: x, replicas: 1}"},
                      {Verb::kApply, "one", "v1", "replicas: 1"}},
                     R"({"image":"x","replicas":1})",
                     {{"ctl", R"(v1 {"f:image":{}})"}, {"one", R"(v1 {"f:replicas":{}})"}}},
        SequenceCase{
            "OtherValue_Conflicts",
            {{Verb::kApply, "one", "v1", "{image: x, replicas: 1}"},
             {Verb::kApply, "two", "v1", "{image: w, replicas: 2}", "one .image,one .replicas"}},
            R"({"image":"x","replicas":1})",
            {{"one", R"(v1 {"f:image":{},"f:replicas":{}})"}}},
        SequenceCase{"OtherValue_Forced_TakesTheField",
                     {{Verb::kApply, "one", "v1", "{image: x, replicas: 1}"},
                      {Verb::kForce, "two", "v1", "image: w"}},
                     R"({"image":"w","replicas":1})",
                     {{"one", R"(v1 {"f:replicas":{}})"}, {"two", R"(v1 {"f:image":{}})"}}},
        SequenceCase{
            "LastField_Forced_DropsTheManager",
            {{Verb::kApply, "one", "v1", "image: x"}, {Verb::kForce, "two", "v1", "image: w"}},
            R"({"image":"w"})",
            {{"two", R"(v1 {"f:image":{}})"}}},
        SequenceCase{"Update_TakesWhatItChanges_AndTheNextApplyConflicts",
                     {{Verb::kApply, "one", "v1", "{image: x, replicas: 1}"},
                      {Verb::kUpdate, "ctl", "v1", "{image: w, replicas: 1}"},
                      {Verb::kApply, "one", "v1", "{image: x, replicas: 1}", "ctl .image"}},
                     R"({"image":"w","replicas":1})",
                     {{"one", R"(v1 {"f:replicas":{}})"}, {"ctl", R"(v1 {"f:image":{}})"}}},
        SequenceCase{"Update_ThatOnlyRemoves_OwnsNothing",
                     {{Verb::kApply, "one", "v1", "{image: x, replicas: 1}"},
                      {Verb::kUpdate, "ctl", "v1", "replicas: 1"}},
                     R"({"replicas":1})",
                     {{"one", R"(v1 {"f:replicas":{}})"}}},
        SequenceCase{"Update_OwnsNewParentsToo",
                     {{Verb::kUpdate, "ctl", "v1", "spec: {name: a}"}},
                     R"({"spec":{"name":"a"}})",
                     {{"ctl", R"(v1 {"f:spec":{".":{},"f:name":{}}})"}}},
        SequenceCase{"Update_AddsToItsFields",
                     {{Verb::kUpdate, "ctl", "v1", "{image: x, replicas: 1}"},
                      {Verb::kUpdate, "ctl", "v1", "{image: x, spec: {}}"}},
                     R"({"image":"x","spec":{}})",
                     {{"ctl", R"(v1 {"f:image":{},"f:spec":{}})"}}}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Nested, UpdaterTest,
    testing::Values(
        SequenceCase{"Item_DroppedByOne_LeavesTheItemsOfOthers",
                     {{Verb::kApply, "one", "v1", "rows: [{name: a}, {name: b}]"},
                      {Verb::kApply, "two", "v1", "rows: [{name: c}]"},
                      {Verb::kApply, "one", "v1", "rows: [{name: a}]"}},
                     R"({"rows":[{"name":"a"},{"name":"c"}]})",
                     {{"one", R"(v1 {"f:rows":{"k:{\"name\":\"a\"}":{".":{},"f:name":{}}}})"},
                      {"two", R"(v1 {"f:rows":{"k:{\"name\":\"c\"}":{".":{},"f:name":{}}}})"}}},
        SequenceCase{"FieldOfASharedItem_WithAnotherValue_Conflicts",
                     {{Verb::kApply, "one", "v1", "rows: [{name: a, value: 0}]"},
                      {Verb::kApply, "two", "v1", "rows: [{name: a, value: 1}]",
                       R"(one .rows[name="a"].value)"}},
                     R"({"rows":[{"name":"a","value":0}]})",
                     {{"one", R"(v1 {"f:rows":{"k:{\"name\":\"a\"}":)"
                              R"({".":{},"f:name":{},"f:value":{}}}})"}}},
        SequenceCase{"SharedItem_DroppedByOne_KeepsTheFieldsOfTheOther",
                     {{Verb::kApply, "one", "v1", "rows: [{name: a}, {name: b, tags: [c]}]"},
                      {Verb::kApply, "two", "v1", "rows: [{name: b, tags: [d]}]"},
                      {Verb::kApply, "one", "v1", "rows: [{name: a}]"}},
                     R"({"rows":[{"name":"a"},{"name":"b","tags":["d"]}]})",
                     {{"one", R"(v1 {"f:rows":{"k:{\"name\":\"a\"}":{".":{},"f:name":{}}}})"},
                      {"two", R"(v1 {"f:rows":{"k:{\"name\":\"b\"}":)"
                              R"({".":{},"f:name":{},"f:tags":{"v:\"d\"":{}}}}})"}}},
        SequenceCase{"ItemWithAnUpdatersField_Dropped_IsRemovedWithIt",
                     {{Verb::kApply, "one", "v1", "rows: [{name: a}, {name: b, tags: [c]}]"},
                      {Verb::kUpdate, "ctl", "v1", "rows: [{name: a}, {name: b, tags: [c, d]}]"},
                      {Verb::kApply, "one", "v1", "rows: [{name: a}]"}},
                     R"({"rows":[{"name":"a"}]})",
                     {{"one", R"(v1 {"f:rows":{"k:{\"name\":\"a\"}":{".":{},"f:name":{}}}})"}}},
        SequenceCase{"Struct_Emptied_DisappearsIfNobodyOwnsIt",
                     {{Verb::kApply, "one", "v1", "spec: {name: a}"},
                      {Verb::kApply, "two", "v1", "replicas: 1"},
                      {Verb::kApply, "one", "v1", "{}"}},
                     R"({"replicas":1})",
                     {{"two", R"(v1 {"f:replicas":{}})"}}},
        SequenceCase{"Struct_Dropped_KeepsTheFieldsOfOthers",
                     {{Verb::kApply, "one", "v1", "spec: {name: a}"},
                      {Verb::kUpdate, "ctl", "v1", "spec: {name: a, value: 1}"},
                      {Verb::kApply, "one", "v1", "{}"}},
                     R"({"spec":{"value":1}})",
                     {{"ctl", R"(v1 {"f:spec":{"f:value":{}}})"}}},
        SequenceCase{"EmptyStruct_Applied_KeepsTheFieldsOfOthers",
                     {{Verb::kApply, "one", "v1", "spec: {name: a}"},
                      {Verb::kUpdate, "ctl", "v1", "spec: {name: a, value: 1}"},
                      {Verb::kApply, "one", "v1", "spec: {}"}},
                     R"({"spec":{"value":1}})",
                     {{"one", R"(v1 {"f:spec":{}})"}, {"ctl", R"(v1 {"f:spec":{"f:value":{}}})"}}},
        SequenceCase{"NullStruct_Applied_KeepsWhatAnUpdaterTookOver",
                     {{Verb::kApply, "one", "v1", "spec: {name: a}"},
                      {Verb::kUpdate, "ctl", "v1", "spec: {name: b, value: 1}"},
                      {Verb::kApply, "one", "v1", "spec: null"}},
                     R"({"spec":{"name":"b","value":1}})",
                     {{"one", R"(v1 {"f:spec":{}})"},
                      {"ctl", R"(v1 {"f:spec":{"f:name":{},"f:value":{}}})"}}},
        SequenceCase{"Struct_AppliedAsNull_BecomesNull",
                     {{Verb::kApply, "one", "v1", "spec: {name: a}"},
                      {Verb::kApply, "one", "v1", "spec: null"}},
                     R"({"spec":null})",
                     {{"one", R"(v1 {"f:spec":{}})"}}},
        SequenceCase{"MapKey_Renamed_IsReplaced",
                     {{Verb::kApply, "one", "v1", "tree: {a: {b: {c: null}}}"},
                      {Verb::kApply, "one", "v1", "tree: {a: {d: {c: null}}}"}},
                     R"({"tree":{"a":{"d":{"c":null}}}})",
                     {{"one", R"(v1 {"f:tree":{"f:a":{".":{},"f:d":{".":{},"f:c":{}}}}})"}}},
        SequenceCase{"AtomicMap_OfAnother_ConflictsAsAWhole",
                     {{Verb::kApply, "one", "v1", "selector: {a: '1'}"},
                      {Verb::kApply, "two", "v1", "selector: {b: '2'}", "one .selector"},
                      {Verb::kForce, "two", "v1", "selector: {b: '2'}"}},
                     R"({"selector":{"b":"2"}})",
                     {{"two", R"(v1 {"f:selector":{}})"}}}),
    NameOf);

FieldFilter Excluding(absl::string_view fields) {
  FieldFilter filter;
  filter.excluded = *DecodeFieldsV1(fields);
  return filter;
}

TEST(UpdaterFilterTest, ResetFields_AreNotOwnedAndDoNotConflict) {
  FieldFilters filters;
  filters["v1"] = Excluding(R"({"f:image":{},"f:spec":{}})");
  Stored stored(OneSchema(), filters);
  RunSequence({.name = "",
               .steps = {{Verb::kUpdate, "ctl", "v1", "{image: x, replicas: 1, spec: {name: a}}"},
                         {Verb::kApply, "one", "v1", "{image: x, replicas: 1, spec: {name: a}}"},
                         {Verb::kApply, "two", "v1", "{image: w, spec: {name: b}}"}},
               .object = R"({"image":"w","replicas":1,"spec":{"name":"b"}})",
               .owners = {{"ctl", R"(v1 {"f:replicas":{}})"}, {"one", R"(v1 {"f:replicas":{}})"}}},
              stored);
}

TEST(UpdaterFilterTest, ResetFields_OfOneVersion_AreOwnedInOthers) {
  FieldFilters filters;
  filters["v2"] = Excluding(R"({"f:image":{}})");
  Stored stored(OneSchema(), filters);
  RunSequence({.name = "",
               .steps = {{Verb::kApply, "one", "v1", "{image: x, replicas: 1}"},
                         {Verb::kApply, "two", "v2", "{image: w, replicas: 1}", "one .image"},
                         {Verb::kApply, "two", "v2", "{image: x, replicas: 1}"}},
               .object = R"({"image":"x","replicas":1})",
               .owners = {{"one", R"(v1 {"f:image":{},"f:replicas":{}})"},
                          {"two", R"(v2 {"f:replicas":{}})"}}},
              stored);
}

TEST(UpdaterFilterTest, IncludedFields_AreAllThatIsOwned) {
  FieldFilters filters;
  filters["v1"].included_patterns.push_back({{.element = PathElement::Field("spec")}});
  Stored stored(OneSchema(), filters);
  RunSequence({.name = "",
               .steps = {{Verb::kApply, "one", "v1", "{image: x, spec: {name: a}}"},
                         {Verb::kUpdate, "ctl", "v1", "{image: w, spec: {name: a, value: 1}}"}},
               .object = R"({"image":"w","spec":{"name":"a","value":1}})",
               .owners = {{"one", R"(v1 {"f:spec":{"f:name":{}}})"},
                          {"ctl", R"(v1 {"f:spec":{"f:value":{}}})"}}},
              stored);
}

TEST(UpdaterApplyTest, Changed_TellsWhetherTheObjectDiffers) {
  Stored stored(OneSchema());
  ASSERT_THAT(stored.Apply("one", "v1", "{image: x, replicas: 1}", false).status(), IsOk());
  EXPECT_TRUE(stored.changed());
  ASSERT_THAT(stored.Apply("one", "v1", "{image: x, replicas: 1.0}", false).status(), IsOk());
  EXPECT_FALSE(stored.changed());
  ASSERT_THAT(stored.Apply("two", "v1", "image: x", false).status(), IsOk());
  EXPECT_FALSE(stored.changed());
  ASSERT_THAT(stored.Apply("one", "v1", "image: x", false).status(), IsOk());
  EXPECT_TRUE(stored.changed());
}

TEST(UpdaterApplyTest, DuplicatesInTheConfiguration_AreInvalidArgument) {
  Stored stored(OneSchema());
  ASSERT_THAT(stored.Apply("two", "v1", "rows: [{name: a, value: 1}]", false).status(), IsOk());
  EXPECT_THAT(stored.Apply("one", "v1", "rows: [{name: b}, {name: b}]", false).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("failed to merge config: .rows: duplicate entries for key")));
}

TEST(UpdaterApplyTest, VersionWithoutSchema_IsInvalidArgument) {
  const RenamingConverter converter(OneSchema());
  const Updater updater(&converter);
  const Value empty = Map<Value>::Empty();
  EXPECT_THAT(updater.Apply(empty, empty, "v9", {}, ApplierId("one"), false).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("v9")));
  EXPECT_THAT(updater.Update(empty, empty, "v9", {}, UpdaterId("ctl", "v9")).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("v9")));
}

TEST(UpdaterWrittenObjectsTest, Values_AreMadeOnlyForOtherVersions) {
  const RenamingConverter converter(RenamingSchemas());
  const Updater updater(&converter);
  const Value before = *ParseJson(R"({"size_v1":1})");
  const Value after = *ParseJson(R"({"size_v1":2})");
  const auto owner = [](absl::string_view version) {
    FieldSet fields;
    fields.Insert({PathElement::Field(absl::StrCat("size_", version))});
    return OwnedFields{.fields = std::move(fields), .api_version = std::string(version)};
  };
  const ManagerId writer = UpdaterId("writer", "v1");
  const struct {
    const char* version;
    int values;
  } rows[] = {{"v1", 0}, {"v2", 2}};
  for (const auto& [version, values] : rows) {
    SCOPED_TRACE(version);
    const ValueObjects objects(before, after, converter.SchemaOf("v1"));
    const Managers managers = {{UpdaterId("a", version), owner(version)},
                               {UpdaterId("b", version), owner(version)}};
    const absl::StatusOr<Managers> updated = updater.Update(objects, "v1", managers, writer);
    ASSERT_THAT(updated.status(), IsOk());
    EXPECT_TRUE(*updated == (Managers{{writer, owner("v1")}}));
    EXPECT_EQ(objects.values(), values);
  }
}

TEST(UpdaterWrittenObjectsTest, ObjectsThatCannotBeCompared_AreAnError) {
  const RenamingConverter converter(RenamingSchemas());
  const Value object = *ParseJson(R"({"size_v1":1})");
  const ValueObjects objects(object, object, nullptr);
  EXPECT_THAT(Updater(&converter).Update(objects, "v1", {}, UpdaterId("writer", "v1")),
              StatusIs(absl::StatusCode::kInvalidArgument, "failed to compare objects: no schema"));
}

}  // namespace
}  // namespace kube::managedfields
