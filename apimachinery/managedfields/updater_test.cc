#include "apimachinery/managedfields/updater.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/compare.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/conflict.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using unstructured::EncodeJson;
using unstructured::ParseJson;
using unstructured::ParseYaml;
using unstructured::Value;

constexpr absl::string_view kTypes = R"(
types:
- name: root
  map:
    fields:
    - name: image
      type: {scalar: string}
    - name: replicas
      type: {scalar: numeric}
    - name: rows
      type: {namedType: rows}
    - name: selector
      type: {map: {elementType: {scalar: string}, elementRelationship: atomic}}
    - name: spec
      type: {namedType: spec}
    - name: tree
      type: {namedType: tree}
- name: rows
  list:
    elementRelationship: associative
    keys: [name]
    elementType: {namedType: row}
- name: row
  map:
    fields:
    - name: name
      type: {scalar: string}
    - name: value
      type: {scalar: numeric}
    - name: tags
      type: {list: {elementType: {scalar: string}, elementRelationship: associative}}
- name: spec
  map:
    fields:
    - name: name
      type: {scalar: string}
    - name: value
      type: {scalar: numeric}
- name: tree
  map:
    elementType: {namedType: tree}
)";

// The field of VERSION is renamed from one version to the next.
constexpr absl::string_view kVersionedTypes = R"(
types:
- name: root
  map:
    fields:
    - name: name
      type: {scalar: string}
    - name: rows
      type: {list: {elementRelationship: associative, keys: [name],
                    elementType: {namedType: row}}}
    - name: size_VERSION
      type: {scalar: numeric}
    - name: spec_VERSION
      type: {namedType: spec}
- name: row
  map:
    fields:
    - name: name
      type: {scalar: string}
- name: spec
  map:
    fields:
    - name: name
      type: {scalar: string}
)";

using Schemas = std::map<std::string, BuiltSchema, std::less<>>;

BuiltSchema Parse(absl::string_view types) { return *ParseSchema(types, "root"); }

// Three versions with the same schema.
Schemas OneSchema(absl::string_view types = kTypes) {
  return {{"v1", Parse(types)}, {"v2", Parse(types)}, {"v3", Parse(types)}};
}

Schemas RenamingSchemas() {
  Schemas schemas;
  for (const char* version : {"v1", "v2", "v3"}) {
    schemas[version] = Parse(absl::StrReplaceAll(kVersionedTypes, {{"VERSION", version}}));
  }
  return schemas;
}

// Makes size_v2 of size_v1 when it converts to v2, and so on.
class RenamingConverter : public VersionConverter {
 public:
  explicit RenamingConverter(Schemas schemas) : schemas_(std::move(schemas)) {}

  const Schema* SchemaOf(absl::string_view api_version) const override {
    const auto found = schemas_.find(api_version);
    return found == schemas_.end() ? nullptr : found->second.schema;
  }
  absl::StatusOr<Value> Convert(const Value& object, absl::string_view api_version) const override {
    ++conversions_;
    if (api_version == broken_version_) return absl::InternalError("the webhook is away");
    KUBE_ASSIGN_OR_RETURN(const std::string json, EncodeJson(object));
    const std::string suffix = absl::StrCat("_", api_version, "\":");
    return ParseJson(
        absl::StrReplaceAll(json, {{"_v1\":", suffix}, {"_v2\":", suffix}, {"_v3\":", suffix}}));
  }

  Schemas& schemas() { return schemas_; }
  void Break(std::string version) { broken_version_ = std::move(version); }
  int conversions() const { return conversions_; }

 private:
  Schemas schemas_;
  std::string broken_version_;
  mutable int conversions_ = 0;
};

ManagerId UpdaterId(const std::string& name, const std::string& version) {
  return {.name = name, .operation = Operation::kUpdate, .api_version = version};
}
ManagerId ApplierId(const std::string& name) {
  return {.name = name, .operation = Operation::kApply};
}

// Two Values that compare themselves, and count how often Values are asked for.
class ValueObjects : public WrittenObjects {
 public:
  // All must outlive this. `schema` may be null: then they cannot be compared.
  ValueObjects(const Value& before, const Value& after, const Schema* schema)
      : before_(before), after_(after), schema_(schema) {}

  absl::StatusOr<Comparison> Compare() const override {
    if (schema_ == nullptr) return absl::InvalidArgumentError("no schema");
    return managedfields::Compare(before_, after_, *schema_);
  }
  absl::StatusOr<Value> Before() const override {
    ++values_;
    return before_;
  }
  absl::StatusOr<Value> After() const override {
    ++values_;
    return after_;
  }
  int values() const { return values_; }

 private:
  const Value& before_;
  const Value& after_;
  const Schema* const schema_;
  mutable int values_ = 0;
};

// An object as a server stores it, with its managers.
class Stored {
 public:
  explicit Stored(Schemas schemas, FieldFilters filters = {})
      : converter_(std::move(schemas)), updater_(&converter_, std::move(filters)) {}

  absl::Status Update(const std::string& manager, const std::string& version,
                      absl::string_view yaml) {
    KUBE_RETURN_IF_ERROR(ConvertTo(version));
    KUBE_ASSIGN_OR_RETURN(Value object, ParseYaml(yaml));
    const ManagerId id = UpdaterId(manager, version);
    const ValueObjects objects(live_, object, converter_.SchemaOf(version));
    const absl::StatusOr<Managers> of_objects = updater_.Update(objects, version, managers_, id);
    absl::StatusOr<Managers> of_values = updater_.Update(live_, object, version, managers_, id);
    EXPECT_EQ(of_objects.ok(), of_values.ok()) << of_objects.status();
    if (!of_values.ok()) return of_values.status();
    EXPECT_TRUE(of_objects.ok() && *of_objects == *of_values);
    managers_ = *std::move(of_values);
    live_ = std::move(object);
    return absl::OkStatus();
  }

  // Returns "MANAGER PATH" for each conflict, with commas between; then nothing is stored.
  absl::StatusOr<std::string> Apply(const std::string& manager, const std::string& version,
                                    absl::string_view yaml, bool force) {
    KUBE_RETURN_IF_ERROR(ConvertTo(version));
    KUBE_ASSIGN_OR_RETURN(const Value configuration, ParseYaml(yaml));
    KUBE_ASSIGN_OR_RETURN(
        Updater::Applied applied,
        updater_.Apply(live_, configuration, version, managers_, ApplierId(manager), force));
    if (applied.conflicts.empty()) {
      changed_ = applied.changed;
      live_ = std::move(applied.object);
      managers_ = std::move(applied.managers);
    }
    std::vector<std::string> texts;
    for (const ManagerConflict& conflict : applied.conflicts) {
      for (const Path& path : conflict.fields.Paths()) {
        texts.push_back(absl::StrCat(conflict.manager.name, " ", PathText(path)));
      }
    }
    return absl::StrJoin(texts, ",");
  }

  // Changes all versions to this schema.
  void SetSchema(absl::string_view types) {
    for (auto& [version, schema] : converter_.schemas()) schema = Parse(types);
  }

  std::string ObjectJson() const { return *EncodeJson(live_); }
  // Returns what each manager owns, as "VERSION FIELDSV1".
  std::map<std::string, std::string> Owners() const {
    std::map<std::string, std::string> owners;
    for (const auto& [id, owned] : managers_) {
      owners[id.name] = absl::StrCat(owned.api_version, " ", EncodeFieldsV1(owned.fields));
    }
    return owners;
  }

  bool changed() const { return changed_; }
  Managers& managers() { return managers_; }
  RenamingConverter& converter() { return converter_; }

 private:
  absl::Status ConvertTo(const std::string& version) {
    if (version_ == version) return absl::OkStatus();
    KUBE_ASSIGN_OR_RETURN(live_, converter_.Convert(live_, version));
    version_ = version;
    return absl::OkStatus();
  }

  RenamingConverter converter_;
  const Updater updater_;
  Value live_ = Map<Value>::Empty();
  std::string version_ = "v1";
  Managers managers_;
  bool changed_ = false;
};

enum class Verb { kApply, kForce, kUpdate };

struct Step {
  Verb verb;
  const char* manager;
  const char* version;
  const char* yaml;
  const char* conflicts = "";
};

struct SequenceCase {
  const char* name;
  std::vector<Step> steps;
  const char* object;  // in the version of the last step
  std::map<std::string, std::string> owners;
};

void RunSequence(const SequenceCase& sequence, Stored& stored) {
  for (const Step& step : sequence.steps) {
    if (step.verb == Verb::kUpdate) {
      ASSERT_THAT(stored.Update(step.manager, step.version, step.yaml), IsOk()) << step.yaml;
      continue;
    }
    const absl::StatusOr<std::string> conflicts =
        stored.Apply(step.manager, step.version, step.yaml, step.verb == Verb::kForce);
    ASSERT_TRUE(conflicts.ok()) << conflicts.status() << "\n" << step.yaml;
    ASSERT_EQ(*conflicts, step.conflicts) << step.yaml;
  }
  EXPECT_EQ(stored.ObjectJson(), sequence.object);
  EXPECT_EQ(stored.Owners(), sequence.owners);
}

class UpdaterTest : public testing::TestWithParam<SequenceCase> {};

TEST_P(UpdaterTest, Sequence_InOneVersion_ConvertsNothing) {
  Stored stored(OneSchema());
  RunSequence(GetParam(), stored);
  EXPECT_EQ(stored.converter().conversions(), 0);
}

std::string NameOf(const testing::TestParamInfo<SequenceCase>& row) { return row.param.name; }

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
