#include "apimachinery/managedfields/field_manager.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/managedfields/compare.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/fields_v1_cache.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/entry_lines.h"
#include "apimachinery/managedfields/testing/sample_versions.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/managedfields/validate.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// apimachinery/managedfields/differential compares many more writes with Go.
namespace kube::managedfields {
namespace {

using api::meta::v1::ManagedFieldsEntry;
using api::meta::v1::ObjectMeta;
using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using unstructured::ParseJson;
using unstructured::Value;
using Lines = std::vector<std::string>;

constexpr char kOwnsReplicas[] = R"({"f:spec":{"f:replicas":{}}})";

absl::Time At(int64_t seconds) { return absl::FromUnixSeconds(seconds); }
absl::Time Now() { return At(100); }

const SampleVersions& Versions() {
  static const SampleVersions kVersions;
  return kVersions;
}

FieldManagerOptions Options() {
  return {.converter = &Versions(), .api_version = "apps/v1", .kind = "Deployment"};
}

// Returns a Deployment with this spec. A stored one has a uid, a namespace and a name.
Value Stored(absl::string_view spec) {
  return *ParseJson(
      absl::StrCat(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web",)",
                   R"("namespace":"default","uid":"u"},"spec":)", spec, "}"));
}
Value Configuration(absl::string_view spec) {
  return *ParseJson(
      absl::StrCat(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web",)",
                   R"("namespace":"default"},"spec":)", spec, "}"));
}

TrackedObject Tracked(Value object, const Lines& entries = {}) {
  return {.object = std::move(object), .managed_fields = ParseEntryLines(entries)};
}

// Returns the entries, or the error.
Lines LinesOf(const absl::StatusOr<TrackedObject>& result) {
  return result.ok() ? EntryLines(result->managed_fields)
                     : Lines{std::string(result.status().message())};
}

// The same write, of objects that compare themselves.
class ValueWrite : public TrackedWrite {
 public:
  // All must outlive this.
  ValueWrite(const TrackedObject& live, const TrackedObject& object,
             const FieldManagerOptions& options)
      : options_(options),
        live_(live),
        object_(object),
        live_metadata_(MetadataOf(live)),
        metadata_(MetadataOf(object)) {}

  const ObjectMeta* metadata_before() const override {
    return live_.object.is_null() ? nullptr : &live_metadata_;
  }
  const ObjectMeta& metadata() const override { return metadata_; }
  absl::StatusOr<Comparison> Compare() const override {
    const Schema* schema = options_.converter->SchemaOf(options_.api_version);
    if (schema == nullptr) return absl::NotFoundError("no schema");
    KUBE_ASSIGN_OR_RETURN(const Value before, Before());
    KUBE_RETURN_IF_ERROR(Validate(object_.object, *schema, {.allow_duplicates = true}));
    KUBE_RETURN_IF_ERROR(Validate(before, *schema, {.allow_duplicates = true}));
    return managedfields::Compare(before, object_.object, *schema);
  }
  absl::StatusOr<Value> Before() const override {
    if (!live_.object.is_null()) return live_.object;
    if (!options_.zero_object.is_null()) return options_.zero_object;
    return Value(Map<Value>{{"apiVersion", options_.api_version}, {"kind", options_.kind}});
  }
  absl::StatusOr<Value> After() const override { return object_.object; }

 private:
  static ObjectMeta MetadataOf(const TrackedObject& object) {
    absl::StatusOr<ObjectMeta> read;
    const Value& metadata = object.object["metadata"];
    if (metadata.is_object()) read = unstructured::FromValue<ObjectMeta>(metadata);
    ObjectMeta found = read.ok() ? *std::move(read) : ObjectMeta();
    found.managed_fields = object.managed_fields;
    return found;
  }

  const FieldManagerOptions& options_;
  const TrackedObject& live_;
  const TrackedObject& object_;
  const ObjectMeta live_metadata_;
  const ObjectMeta metadata_;
};

// Returns the entries after an update, or the error. Expects that objects that compare themselves
// have the same entries, with a cache that knows nothing and with one that knows the sets.
Lines Update(const TrackedObject& live, TrackedObject object,
             const FieldManagerOptions& options = Options()) {
  const WriteOptions write_options = {.manager = "ctl", .now = Now()};
  const absl::StatusOr<TrackedObject> updated =
      FieldManager(options).Update(live, object, write_options);
  FieldsV1Cache cache;
  FieldManagerOptions with_cache = options;
  with_cache.cache = &cache;
  for (int i = 0; i < 2; ++i) {
    const ValueWrite write(live, object, options);
    const absl::StatusOr<List<ManagedFieldsEntry>> entries =
        FieldManager(with_cache).Update(write, write_options);
    EXPECT_EQ(entries.ok(), updated.ok()) << entries.status();
    if (entries.ok() && updated.ok()) {
      EXPECT_EQ(EntryLines(*entries), EntryLines(updated->managed_fields));
      EXPECT_EQ(entries->is_null(), updated->managed_fields.is_null());
    }
  }
  return LinesOf(updated);
}

Lines Apply(const TrackedObject& live, const Value& configuration, WriteOptions options = {}) {
  if (options.manager.empty()) options.manager = "ctl";
  options.now = Now();
  return LinesOf(FieldManager(Options()).Apply(live, configuration, options));
}

// ---- ordinary writes

TEST(FieldManagerUpdate, Create_OwnsAllButWhatNamesTheObject) {
  const Value object =
      *ParseJson(R"({"apiVersion":"apps/v1","kind":"Deployment",)"
                 R"("metadata":{"labels":{"a":"b"},"name":"web"},"spec":{"replicas":1}})");
  EXPECT_THAT(Update({}, Tracked(object)),
              ElementsAre(R"(ctl Update apps/v1 - 100 {"f:metadata":{"f:labels":{".":{},)"
                          R"("f:a":{}}},"f:spec":{".":{},"f:replicas":{}}})"));
}

TEST(FieldManagerUpdate, CreateWithZeroObject_DoesNotOwnItsFields) {
  FieldManagerOptions options = Options();
  options.zero_object = *ParseJson(
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{},"spec":{},"status":{}})");
  EXPECT_THAT(Update({}, Tracked(Configuration(R"({"replicas":1})")), options),
              ElementsAre(absl::StrCat("ctl Update apps/v1 - 100 ", kOwnsReplicas)));
}

TEST(FieldManagerUpdate, StoredObjectWithoutEntries_StaysUntracked) {
  const TrackedObject live = Tracked(Stored(R"({"replicas":1})"));
  EXPECT_THAT(Update(live, Tracked(Stored(R"({"replicas":2})"))), IsEmpty());
  // It is not even looked at.
  EXPECT_THAT(Update(live, Tracked(Stored(R"({"undeclared":2})"))), IsEmpty());
}

TEST(FieldManagerUpdate, ChangedField_IsTakenFromAllOthers) {
  const Lines entries = {R"(a Apply apps/v1 - 10 {"f:spec":{"f:paused":{},"f:replicas":{}}})",
                         R"(b Update apps/v1 - 20 {"f:spec":{"f:replicas":{}}})"};
  EXPECT_THAT(Update(Tracked(Stored(R"({"paused":true,"replicas":1})"), entries),
                     Tracked(Stored(R"({"paused":true,"replicas":2})"))),
              ElementsAre(R"(a Apply apps/v1 - 10 {"f:spec":{"f:paused":{}}})",
                          R"(ctl Update apps/v1 - 100 {"f:spec":{"f:replicas":{}}})"));
}

TEST(FieldManagerUpdate, OwnEntry_IsUnitedAndGetsTheTimeOnlyIfSomethingIsAddedOrChanged) {
  const TrackedObject live =
      Tracked(Stored(R"({"paused":true,"replicas":1})"),
              {R"(ctl Update apps/v1 - 10 {"f:spec":{"f:paused":{},"f:replicas":{}}})"});
  struct Case {
    absl::string_view name;
    absl::string_view spec;
    absl::string_view want;
  };
  for (const auto& [name, spec, want] : {
           Case{"changed", R"({"paused":true,"replicas":2})",
                R"(ctl Update apps/v1 - 100 {"f:spec":{"f:paused":{},"f:replicas":{}}})"},
           Case{"removed", R"({"replicas":1})",
                R"(ctl Update apps/v1 - 10 {"f:spec":{"f:replicas":{}}})"},
           Case{"unchanged", R"({"paused":true,"replicas":1})",
                R"(ctl Update apps/v1 - 10 {"f:spec":{"f:paused":{},"f:replicas":{}}})"},
       }) {
    EXPECT_THAT(Update(live, Tracked(Stored(spec))), ElementsAre(std::string(want))) << name;
  }
}

TEST(FieldManagerUpdate, EntriesOfTheRequest_ReplaceThoseOfTheLiveObject) {
  const Value object = Stored(R"({"replicas":1})");
  const std::string own = absl::StrCat("own Update apps/v1 - 10 ", kOwnsReplicas);
  const std::string other = absl::StrCat("other Update apps/v1 - 20 ", kOwnsReplicas);
  const TrackedObject live = Tracked(object, {own});
  EXPECT_THAT(Update(live, Tracked(object, {other})), ElementsAre(other));
  EXPECT_THAT(Update(live, Tracked(object)), ElementsAre(own));
  EXPECT_THAT(Update(Tracked(object), Tracked(object, {other})), ElementsAre(other));
  EXPECT_THAT(Update(live, {.object = object, .managed_fields = {ManagedFieldsEntry()}}),
              IsEmpty());
  EXPECT_THAT(Update(live, {.object = object, .managed_fields = List<ManagedFieldsEntry>::Empty()}),
              IsEmpty());
}

TEST(FieldManagerUpdate, UndecodableLiveEntries_EndTheTracking) {
  const TrackedObject live = Tracked(Stored(R"({"replicas":1})"), {"a Delete apps/v1 - 1 {}"});
  EXPECT_THAT(Update(live, Tracked(Stored(R"({"replicas":2})"))), IsEmpty());
}

TEST(FieldManagerUpdate, Subresource_HasAnEntryOfItsOwnAndIgnoresThoseOfTheRequest) {
  const Value before = Stored(R"({"replicas":1})");
  Value after = before;
  ASSERT_THAT(unstructured::SetNestedField(*after.object(), 1, {"status", "replicas"}), IsOk());
  const std::string own = absl::StrCat("own Update apps/v1 - 10 ", kOwnsReplicas);
  const std::string other = absl::StrCat("other Update apps/v1 - 20 ", kOwnsReplicas);
  FieldManagerOptions options = Options();
  options.subresource = "status";
  EXPECT_THAT(
      Update(Tracked(before, {own}), Tracked(after, {other}), options),
      ElementsAre(own, R"(ctl Update apps/v1 status 100 {"f:status":{".":{},"f:replicas":{}}})"));
}

TEST(FieldManagerUpdate, ResetFields_AreNotOwned) {
  FieldManagerOptions options = Options();
  options.reset_fields["apps/v1"].excluded.Insert({PathElement::Field("status")});
  Value object = Configuration(R"({"replicas":1})");
  ASSERT_THAT(unstructured::SetNestedField(*object.object(), 1, {"status", "replicas"}), IsOk());
  EXPECT_THAT(Update({}, Tracked(object), options),
              ElementsAre(R"(ctl Update apps/v1 - 100 {"f:spec":{".":{},"f:replicas":{}}})"));
}

TEST(FieldManagerUpdate, ManagerWithoutAName_IsUnknown) {
  EXPECT_THAT(LinesOf(FieldManager(Options()).Update(
                  {}, Tracked(Configuration(R"({"replicas":1})")), {.now = Now()})),
              ElementsAre(StartsWith("unknown Update apps/v1 - 100 ")));
}

TEST(FieldManagerUpdate, EleventhUpdater_UnitesTheOldest) {
  Lines entries;
  for (int i = 10; i < 20; ++i) {
    entries.push_back(absl::StrCat("u", i, " Update apps/v1 - ", i,
                                   R"( {"f:metadata":{"f:labels":{"f:l)", i, R"(":{}}}})"));
  }
  const Lines updated =
      Update(Tracked(Stored(R"({"replicas":1})"), entries), Tracked(Stored(R"({"replicas":2})")));
  EXPECT_THAT(updated, SizeIs(10));
  EXPECT_THAT(updated, Contains(R"(ancient-changes Update apps/v1 - 11 )"
                                R"({"f:metadata":{"f:labels":{"f:l10":{},"f:l11":{}}}})"));
}

TEST(FieldManagerUpdate, ObjectThatDoesNotFit_IsAnErrorOfHttpCode500) {
  const std::string entry = absl::StrCat("own Update apps/v1 - 10 ", kOwnsReplicas);
  const Value good = Stored(R"({"replicas":1})");
  const Value bad = Stored(R"({"size":1})");
  FieldManagerOptions unknown_version = Options();
  unknown_version.api_version = "apps/v9";
  EXPECT_THAT(Update(Tracked(good, {entry}), Tracked(bad)),
              ElementsAre("failed to convert new object (default/web; apps/v1, Kind=Deployment) to "
                          "smd typed: .spec.size: field not declared in schema"));
  EXPECT_THAT(Update(Tracked(bad, {entry}), Tracked(good)),
              ElementsAre("failed to convert live object (default/web; apps/v1, Kind=Deployment) "
                          "to smd typed: .spec.size: field not declared in schema"));
  EXPECT_THAT(Update(Tracked(good, {entry}), Tracked(good), unknown_version),
              ElementsAre("failed to convert new object (default/web; apps/v1, Kind=Deployment) to "
                          "smd typed: no corresponding type for apps/v1, Kind=Deployment"));
  const absl::Status error =
      FieldManager(Options()).Update(Tracked(good, {entry}), Tracked(bad), {.now = Now()}).status();
  EXPECT_THAT(error, StatusIs(absl::StatusCode::kInternal));
  EXPECT_EQ(errors::StatusOf(error)->code, 500);
}

TEST(FieldManagerUpdate, NoErrors_LogsOnceASecondAndDropsTheEntries) {
  const FieldManager manager(Options());
  const TrackedObject live = Tracked(Stored(R"({"replicas":1})"),
                                     {absl::StrCat("own Update apps/v1 - 10 ", kOwnsReplicas)});
  const TrackedObject bad = Tracked(Stored(R"({"size":1})"));
  log::LogCapture capture;
  for (const int second : {1000, 1000, 1001}) {
    const TrackedObject updated =
        manager.UpdateNoErrors(live, bad, {.manager = "ctl", .now = At(second)});
    EXPECT_EQ(updated.object, bad.object);
    EXPECT_TRUE(updated.managed_fields.is_null());
  }
  EXPECT_THAT(capture.Lines(), SizeIs(2));
  EXPECT_THAT(capture.Lines(), Contains(HasSubstr("failed to update managedFields")));

  const TrackedObject good = Tracked(Stored(R"({"replicas":2})"));
  EXPECT_THAT(
      EntryLines(
          manager.UpdateNoErrors(live, good, {.manager = "ctl", .now = Now()}).managed_fields),
      ElementsAre(absl::StrCat("ctl Update apps/v1 - 100 ", kOwnsReplicas)));
}

TEST(FieldManagerUpdate, NoErrors_LogsNoValues) {
  log::LogCapture capture;
  FieldManager(Options()).UpdateNoErrors({}, Tracked(Configuration(R"({"paused":"hunter2"})")),
                                         {.manager = "ctl", .now = At(3000)});
  EXPECT_THAT(capture.Lines(), ElementsAre(AllOf(HasSubstr(".spec.paused: expected boolean"),
                                                 Not(HasSubstr("hunter2")))));
}

TEST(FieldManagerUpdate, NoErrorsOfAWrite_LogsAndHasNoEntries) {
  const FieldManagerOptions options = Options();
  const FieldManager manager(options);
  const TrackedObject live = Tracked(Stored(R"({"replicas":1})"),
                                     {absl::StrCat("own Update apps/v1 - 10 ", kOwnsReplicas)});
  const TrackedObject bad = Tracked(Stored(R"({"size":1})"));
  const TrackedObject good = Tracked(Stored(R"({"replicas":2})"));
  log::LogCapture capture;
  const ValueWrite bad_write(live, bad, options);
  EXPECT_TRUE(manager.UpdateNoErrors(bad_write, {.manager = "ctl", .now = At(2000)}).is_null());
  EXPECT_THAT(capture.Lines(), ElementsAre(HasSubstr("failed to update managedFields")));
  EXPECT_THAT(capture.Lines(), ElementsAre(HasSubstr("web")));
  const ValueWrite good_write(live, good, options);
  EXPECT_THAT(EntryLines(manager.UpdateNoErrors(good_write, {.manager = "ctl", .now = Now()})),
              ElementsAre(absl::StrCat("ctl Update apps/v1 - 100 ", kOwnsReplicas)));
}

// ---- apply

absl::StatusOr<TrackedObject> ApplyExample(const VersionConverter& converter,
                                           const TrackedObject& live, const Value& configuration) {
  const FieldManager manager({.converter = &converter, .api_version = "apps/v1"});
  KUBE_ASSIGN_OR_RETURN(TrackedObject applied,
                        manager.Apply(live, configuration, {.manager = "ctl", .now = Now()}));
  return applied;
}

TEST(FieldManagerApply, Create_ReturnsTheConfiguration) {
  const Value configuration = Configuration(R"({"replicas":1})");
  const absl::StatusOr<TrackedObject> applied = ApplyExample(Versions(), {}, configuration);
  ASSERT_THAT(applied, IsOk());
  EXPECT_EQ(applied->object, configuration);
  EXPECT_THAT(EntryLines(applied->managed_fields),
              ElementsAre(absl::StrCat("ctl Apply apps/v1 - 100 ", kOwnsReplicas)));
}

TEST(FieldManagerApply, UntrackedObject_BelongsToBeforeFirstApply) {
  const TrackedObject live = Tracked(Stored(R"({"replicas":1})"));
  // A shared value: a new applier that changes nothing has no time.
  EXPECT_THAT(Apply(live, Configuration(R"({"replicas":1})")),
              ElementsAre(absl::StrCat("ctl Apply apps/v1 - - ", kOwnsReplicas),
                          R"(before-first-apply Update apps/v1 - 100 )"
                          R"({"f:spec":{".":{},"f:replicas":{}}})"));
  EXPECT_THAT(
      Apply(live, Configuration(R"({"replicas":2})")),
      ElementsAre("Apply failed with 1 conflict: conflict with \"before-first-apply\" using "
                  "apps/v1: .spec.replicas"));
  EXPECT_THAT(Apply(live, Configuration(R"({"replicas":2})"), {.force = true}),
              ElementsAre(absl::StrCat("ctl Apply apps/v1 - 100 ", kOwnsReplicas),
                          R"(before-first-apply Update apps/v1 - 100 {"f:spec":{}})"));
}

TEST(FieldManagerApply, SameConfiguration_KeepsTheObjectAndTheTime) {
  const std::string entry = absl::StrCat("ctl Apply apps/v1 - 10 ", kOwnsReplicas);
  const TrackedObject live = Tracked(Stored(R"({"replicas":1})"), {entry});
  const absl::StatusOr<TrackedObject> applied = FieldManager(Options()).Apply(
      live, Configuration(R"({"replicas":1.0})"), {.manager = "ctl", .now = Now()});
  ASSERT_THAT(applied, IsOk());
  // Its number is still an integer.
  EXPECT_EQ(applied->object, live.object);
  EXPECT_THAT(EntryLines(applied->managed_fields), ElementsAre(entry));
}

TEST(FieldManagerApply, FieldThatIsNotAppliedAnyMore_IsRemoved) {
  const TrackedObject live =
      Tracked(Stored(R"({"paused":true,"replicas":1})"),
              {R"(ctl Apply apps/v1 - 10 {"f:spec":{"f:paused":{},"f:replicas":{}}})"});
  const absl::StatusOr<TrackedObject> applied = FieldManager(Options()).Apply(
      live, Configuration(R"({"replicas":1})"), {.manager = "ctl", .now = Now()});
  ASSERT_THAT(applied, IsOk());
  EXPECT_EQ(applied->object, Stored(R"({"replicas":1})"));
  EXPECT_THAT(EntryLines(applied->managed_fields),
              ElementsAre(absl::StrCat("ctl Apply apps/v1 - 100 ", kOwnsReplicas)));
}

TEST(FieldManagerApply, NothingButAName_HasNoEntry) {
  const std::string entry = absl::StrCat("own Update apps/v1 - 10 ", kOwnsReplicas);
  const Value configuration =
      *ParseJson(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"}})");
  EXPECT_THAT(Apply(Tracked(Stored(R"({"replicas":1})"), {entry}), configuration),
              ElementsAre(entry));
}

TEST(FieldManagerApply, ManagedFieldsThatAreNull_AreNotStored) {
  const Value configuration =
      *ParseJson(R"({"apiVersion":"apps/v1","kind":"Deployment",)"
                 R"("metadata":{"managedFields":null,"name":"web"},"spec":{"replicas":1}})");
  const absl::StatusOr<TrackedObject> applied =
      FieldManager(Options()).Apply({}, configuration, {.manager = "ctl", .now = Now()});
  ASSERT_THAT(applied, IsOk());
  EXPECT_EQ(applied->object, *ParseJson(R"({"apiVersion":"apps/v1","kind":"Deployment",)"
                                        R"("metadata":{"name":"web"},"spec":{"replicas":1}})"));
  EXPECT_THAT(EntryLines(applied->managed_fields),
              ElementsAre(absl::StrCat("ctl Apply apps/v1 - 100 ", kOwnsReplicas)));
}

struct ErrorCase {
  std::string name;
  TrackedObject live;
  Value configuration;
  int code;
  std::string reason;
  std::string message;
};

Value WithManagedFields(absl::string_view entries) {
  return *ParseJson(absl::StrCat(R"({"apiVersion":"apps/v1","kind":"Deployment",)",
                                 R"("metadata":{"managedFields":)", entries, "}}"));
}

std::vector<ErrorCase> ErrorCases() {
  const Lines entry = {absl::StrCat("own Update apps/v1 - 10 ", kOwnsReplicas)};
  const Value good = Configuration(R"({"replicas":1})");
  const Value bad = Configuration(R"({"size":1})");
  const std::string why = ".spec.size: field not declared in schema";
  const std::string web = " (default/web; apps/v1, Kind=Deployment)";
  return {
      {"another version", Tracked(good, entry),
       *ParseJson(R"({"apiVersion":"apps/v2","kind":"Deployment"})"), 400, "BadRequest",
       "invalid object type: apps/v2, Kind=Deployment"},
      {"another kind", Tracked(good, entry),
       *ParseJson(R"({"apiVersion":"apps/v1","kind":"ReplicaSet"})"), 400, "BadRequest",
       "invalid object type: apps/v1, Kind=ReplicaSet"},
      {"no object", Tracked(good, entry), Value(), 400, "BadRequest",
       "invalid object type: /, Kind="},
      {"an empty list of managed fields", Tracked(good, entry), WithManagedFields("[]"), 400,
       "BadRequest", "metadata.managedFields must be nil"},
      {"managed fields", Tracked(good, entry), WithManagedFields(R"([{"manager":"m"}])"), 400,
       "BadRequest", "metadata.managedFields must be nil"},
      {"managed fields that are no list", Tracked(good, entry), WithManagedFields(R"("m")"), 500,
       "", "failed to create typed patch object (/; apps/v1, Kind=Deployment): "},
      {"a configuration that does not fit", Tracked(good, entry), bad, 500, "",
       absl::StrCat("failed to create typed patch object", web, ": ", why)},
      {"duplicates in the configuration", Tracked(good, entry),
       Configuration(R"({"containers":[{"name":"c"},{"name":"c"}]})"), 500, "",
       absl::StrCat("failed to create typed patch object", web, ": .spec.containers: ")},
      {"a live object that does not fit", Tracked(bad, entry), good, 500, "",
       absl::StrCat("failed to create typed live object", web, ": ", why)},
      {"an untracked live object that does not fit", Tracked(bad), good, 500, "",
       absl::StrCat("failed to create manager for existing fields: failed to convert new object",
                    web, " to smd typed: ", why)},
      {"live entries that cannot be decoded", Tracked(good, {"a Delete apps/v1 - 1 {}"}), good, 500,
       "", "failed to decode managed fields: "},
      {"a conflict", Tracked(good, entry), Configuration(R"({"replicas":2})"), 409, "Conflict",
       "Apply failed with 1 conflict: conflict with \"own\" using apps/v1: .spec.replicas"},
  };
}

TEST(FieldManagerApply, EachError_HasUpstreamsTextCodeAndReason) {
  for (const auto& [name, live, configuration, code, reason, message] : ErrorCases()) {
    const absl::Status error = FieldManager(Options())
                                   .Apply(live, configuration, {.manager = "ctl", .now = Now()})
                                   .status();
    const std::optional<api::meta::v1::Status> status = errors::StatusOf(error);
    ASSERT_TRUE(status.has_value()) << name << ": " << error;
    EXPECT_EQ(status->code, code) << name;
    EXPECT_EQ(status->reason, reason) << name;
    EXPECT_THAT(std::string(status->message.view()), StartsWith(message)) << name;
    EXPECT_EQ(error.message(), status->message.view()) << name;
  }
}

TEST(FieldManagerApply, WithoutKind_AcceptsAnyKind) {
  FieldManagerOptions options = Options();
  options.kind.clear();
  const Value configuration =
      *ParseJson(R"({"apiVersion":"apps/v1","kind":"Other","spec":{"replicas":1}})");
  EXPECT_THAT(FieldManager(options).Apply({}, configuration, {.manager = "ctl", .now = Now()}),
              IsOk());
}

TEST(FieldManagerApply, DuplicatesInTheLiveObject_AreAccepted) {
  const Value live = Stored(R"({"containers":[{"name":"c"},{"name":"c"}],"replicas":1})");
  const std::string entry = absl::StrCat("own Update apps/v1 - 10 ", kOwnsReplicas);
  EXPECT_THAT(Apply(Tracked(live, {entry}), Configuration(R"({"paused":true})")),
              ElementsAre(R"(ctl Apply apps/v1 - 100 {"f:spec":{"f:paused":{}}})", entry));
}

// ---- kubectl

// Returns a live object that client-side apply made with .spec.replicas 1 and .spec.paused true.
TrackedObject ClientSideApplied(absl::string_view spec) {
  Value object = Stored(spec);
  EXPECT_THAT(unstructured::SetNestedField(
                  *object.object(),
                  R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},)"
                  R"("spec":{"paused":true,"replicas":1}})",
                  {"metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"}),
              IsOk());
  return Tracked(object, {R"(csa Update apps/v1 - 10 {"f:spec":{"f:paused":{},"f:replicas":{}}})"});
}

TEST(FieldManagerApplyByKubectl, FieldsOfTheLastApply_AreTakenWithoutConflict) {
  const TrackedObject live = ClientSideApplied(R"({"paused":true,"replicas":1})");
  const Value configuration = Configuration(R"({"replicas":2})");
  const absl::StatusOr<TrackedObject> applied =
      FieldManager(Options()).Apply(live, configuration, {.manager = "kubectl", .now = Now()});
  EXPECT_THAT(LinesOf(applied),
              ElementsAre(absl::StrCat("kubectl Apply apps/v1 - 100 ", kOwnsReplicas),
                          R"(csa Update apps/v1 - 10 {"f:spec":{"f:paused":{}}})"));
  ASSERT_THAT(applied, IsOk());
  const Value& annotations = applied->object["metadata"]["annotations"];
  EXPECT_EQ(annotations["kubectl.kubernetes.io/last-applied-configuration"],
            Value(*unstructured::EncodeJson(configuration) + "\n"));
  EXPECT_THAT(Apply(live, configuration),
              ElementsAre(HasSubstr("conflict with \"csa\" using apps/v1: .spec.replicas")));
}

TEST(FieldManagerApplyByKubectl, FieldsChangedSinceTheLastApply_Conflict) {
  const TrackedObject live = ClientSideApplied(R"({"paused":true,"replicas":5})");
  // Only one of the two fields: the other one may be taken.
  EXPECT_THAT(
      Apply(live, Configuration(R"({"paused":false,"replicas":2})"), {.manager = "kubectl"}),
      ElementsAre("Apply failed with 1 conflict: conflict with \"csa\" using apps/v1: "
                  ".spec.replicas"));
}

TEST(FieldManagerApplyByKubectl, UntrackedObject_IsTakenFromBeforeFirstApply) {
  TrackedObject live = ClientSideApplied(R"({"paused":true,"replicas":1})");
  live.managed_fields.reset();
  const Lines entries =
      Apply(live, Configuration(R"({"paused":true,"replicas":2})"), {.manager = "kubectl"});
  EXPECT_THAT(entries, Contains(R"(kubectl Apply apps/v1 - 100 )"
                                R"({"f:spec":{"f:paused":{},"f:replicas":{}}})"));
  EXPECT_THAT(entries, Contains(HasSubstr(R"("f:spec":{".":{},"f:paused":{}})")));
}

}  // namespace
}  // namespace kube::managedfields
