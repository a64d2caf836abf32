#include "apimachinery/managedfields/managers.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1_cache.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using api::meta::v1::ManagedFieldsEntry;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;

FieldSet Replicas() {
  FieldSet set;
  set.Insert({PathElement::Field("spec"), PathElement::Field("replicas")});
  return set;
}

ManagedFieldsEntry Entry() {
  return {.manager = "ctl",
          .operation = "Update",
          .api_version = "apps/v1",
          .time = Time::FromUnixSeconds(1767225600),
          .fields_type = "FieldsV1",
          .fields_v1 = FieldsV1(R"({"f:spec":{"f:replicas":{}}})"),
          .subresource = "scale"};
}

TEST(ManagersTest, Decode_Update_IsIdentifiedByItsVersionToo) {
  const absl::StatusOr<Managed> managed = DecodeManagedFields({Entry()});
  ASSERT_TRUE(managed.ok()) << managed.status();
  const ManagerId id = {.name = "ctl",
                        .operation = Operation::kUpdate,
                        .api_version = "apps/v1",
                        .subresource = "scale"};
  ASSERT_EQ(managed->managers.size(), 1u);
  ASSERT_TRUE(managed->managers.contains(id));
  EXPECT_EQ(managed->managers.at(id).api_version, "apps/v1");
  EXPECT_EQ(managed->managers.at(id).fields, Replicas());
  EXPECT_EQ(managed->times.at(id), Time::FromUnixSeconds(1767225600));
}

TEST(ManagersTest, Decode_Apply_HasNoVersionInItsIdentity) {
  ManagedFieldsEntry entry = Entry();
  entry.operation = "Apply";
  const absl::StatusOr<Managed> managed = DecodeManagedFields({entry});
  ASSERT_TRUE(managed.ok()) << managed.status();
  const ManagerId id = {.name = "ctl", .operation = Operation::kApply, .subresource = "scale"};
  ASSERT_TRUE(managed->managers.contains(id));
  EXPECT_EQ(managed->managers.at(id).api_version, "apps/v1");
}

TEST(ManagersTest, Decode_WithoutFields_IsAnEmptySet) {
  ManagedFieldsEntry entry = Entry();
  entry.fields_v1.reset();
  const absl::StatusOr<Managed> managed = DecodeManagedFields({entry});
  ASSERT_TRUE(managed.ok()) << managed.status();
  ASSERT_EQ(managed->managers.size(), 1u);
  EXPECT_TRUE(managed->managers.begin()->second.fields.empty());
}

TEST(ManagersTest, Decode_TwoEntriesOfOneManager_KeepsTheLater) {
  ManagedFieldsEntry first = Entry(), second = Entry();
  first.fields_v1 = FieldsV1(R"({"f:kind":{}})");
  second.time.reset();
  const absl::StatusOr<Managed> managed = DecodeManagedFields({first, second});
  ASSERT_TRUE(managed.ok()) << managed.status();
  ASSERT_EQ(managed->managers.size(), 1u);
  EXPECT_EQ(managed->managers.begin()->second.fields, Replicas());
  EXPECT_TRUE(managed->times.empty());
}

TEST(ManagersTest, Decode_NoEntries_IsEmpty) {
  const absl::StatusOr<Managed> managed = DecodeManagedFields({});
  ASSERT_TRUE(managed.ok()) << managed.status();
  EXPECT_EQ(*managed, Managed());
}

struct DefectCase {
  const char* name;
  void (*spoil)(ManagedFieldsEntry& entry);
  const char* message;
};

class ManagersDefectTest : public testing::TestWithParam<DefectCase> {};

TEST_P(ManagersDefectTest, Decode_IsInvalidArgument) {
  ManagedFieldsEntry entry = Entry();
  GetParam().spoil(entry);
  EXPECT_THAT(DecodeManagedFields({Entry(), entry}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    All, ManagersDefectTest,
    testing::Values(
        DefectCase{"NoOperation", [](ManagedFieldsEntry& entry) { entry.operation = ""; },
                   "operation must be `Apply` or `Update` in managed fields entry 1"},
        DefectCase{"OtherOperation", [](ManagedFieldsEntry& entry) { entry.operation = "apply"; },
                   "operation must be `Apply` or `Update` in managed fields entry 1"},
        DefectCase{"NoVersion", [](ManagedFieldsEntry& entry) { entry.api_version = ""; },
                   "apiVersion must not be empty in managed fields entry 1"},
        DefectCase{"NoFieldsType", [](ManagedFieldsEntry& entry) { entry.fields_type = ""; },
                   "missing fieldsType in managed fields entry 1"},
        DefectCase{"OtherFieldsType",
                   [](ManagedFieldsEntry& entry) { entry.fields_type = "FieldsV2"; },
                   R"(invalid fieldsType "FieldsV2" in managed fields entry 1)"},
        DefectCase{"BrokenSet",
                   [](ManagedFieldsEntry& entry) { entry.fields_v1 = FieldsV1("{\"f:a\":"); },
                   "error decoding versioned set from managed fields entry 1"}),
    [](const testing::TestParamInfo<DefectCase>& row) { return std::string(row.param.name); });

TEST(ManagersTest, Encode_WritesEveryMember) {
  const absl::StatusOr<Managed> managed = DecodeManagedFields({Entry()});
  ASSERT_TRUE(managed.ok()) << managed.status();
  const List<ManagedFieldsEntry> entries = EncodeManagedFields(*managed);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0], Entry());
}

TEST(ManagersTest, Encode_EmptySet_WritesAnEmptyObject) {
  Managed managed;
  managed.managers[{.name = "ctl", .operation = Operation::kApply}].api_version = "v1";
  const List<ManagedFieldsEntry> entries = EncodeManagedFields(managed);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].operation, "Apply");
  EXPECT_EQ(entries[0].api_version, "v1");
  EXPECT_FALSE(entries[0].time.has_value());
  EXPECT_EQ(entries[0].fields_v1->view(), "{}");
}

TEST(ManagersTest, Encode_NoManagers_IsNull) { EXPECT_TRUE(EncodeManagedFields({}).is_null()); }

TEST(ManagersTest, Encode_SortsByOperationTimeNameVersionAndSubresource) {
  Managed managed;
  const auto add = [&managed](ManagerId id, int64_t seconds) {
    managed.managers[id] = {.fields = Replicas(),
                            .api_version = id.api_version.empty() ? "v1" : id.api_version};
    if (seconds != 0) managed.times[id] = Time::FromUnixSeconds(seconds);
  };
  add({.name = "a", .operation = Operation::kUpdate, .api_version = "v1"}, 20);
  add({.name = "d", .operation = Operation::kUpdate, .api_version = "v1"}, 10);
  add({.name = "c", .operation = Operation::kUpdate, .api_version = "v2"}, 10);
  add({.name = "c", .operation = Operation::kUpdate, .api_version = "v1", .subresource = "status"},
      10);
  add({.name = "c", .operation = Operation::kUpdate, .api_version = "v1"}, 10);
  add({.name = "z", .operation = Operation::kUpdate, .api_version = "v1"}, 0);
  add({.name = "y", .operation = Operation::kApply}, 30);

  std::vector<std::string> order;
  for (const ManagedFieldsEntry& entry : EncodeManagedFields(managed)) {
    order.push_back(absl::StrCat(entry.operation.view(), " ", entry.manager.view(), " ",
                                 entry.api_version.view(), " ", entry.subresource.view()));
  }
  EXPECT_THAT(order,
              ElementsAre("Apply y v1 ", "Update z v1 ", "Update c v1 ", "Update c v1 status",
                          "Update c v2 ", "Update d v1 ", "Update a v1 "));
}

// ---- With a cache

// Returns the texts of the sets in entries.
std::vector<std::string> TextsOf(const List<ManagedFieldsEntry>& entries) {
  std::vector<std::string> texts;
  for (const ManagedFieldsEntry& entry : entries) {
    texts.push_back(entry.fields_v1.has_value() ? std::string(entry.fields_v1->view()) : "absent");
  }
  return texts;
}

TEST(ManagersTest, Cache_DecodedAndEncodedAgain_IsAsWithoutIt) {
  ManagedFieldsEntry other = Entry();
  other.manager = "other";
  other.fields_v1 = FieldsV1(R"({ "f:b": {}, "f:a": {} })");  // not as an API server writes it
  ManagedFieldsEntry without = Entry();
  without.manager = "without";
  without.fields_v1.reset();
  const List<ManagedFieldsEntry> entries = {Entry(), other, without};
  FieldsV1Cache cache;
  for (int i = 0; i < 2; ++i) {
    const absl::StatusOr<Managed> managed = DecodeManagedFields(entries, &cache);
    ASSERT_TRUE(managed.ok()) << managed.status();
    EXPECT_EQ(*managed, *DecodeManagedFields(entries));
    EXPECT_EQ(managed->texts.size(), 1u);
    const List<ManagedFieldsEntry> encoded = EncodeManagedFields(*managed, &cache);
    EXPECT_EQ(encoded, EncodeManagedFields(*managed));
    EXPECT_THAT(TextsOf(encoded),
                ElementsAre(R"({"f:spec":{"f:replicas":{}}})", R"({"f:a":{},"f:b":{}})", "{}"));
  }
}

TEST(ManagersTest, Cache_ChangedSet_IsWrittenAnew) {
  FieldsV1Cache cache;
  absl::StatusOr<Managed> managed = DecodeManagedFields({Entry()}, &cache);
  ASSERT_TRUE(managed.ok()) << managed.status();
  FieldSet& fields = managed->managers.begin()->second.fields;
  fields.Insert({PathElement::Field("x")});
  EXPECT_THAT(TextsOf(EncodeManagedFields(*managed, &cache)),
              ElementsAre(R"({"f:spec":{"f:replicas":{}},"f:x":{}})"));
  // A set that is equal to what it was has the text that it had.
  fields = Replicas();
  EXPECT_THAT(TextsOf(EncodeManagedFields(*managed, &cache)),
              ElementsAre(R"({"f:spec":{"f:replicas":{}}})"));
}

TEST(ManagersTest, Cache_ManyEntries_HaveTheTextsThatTheyHad) {
  List<ManagedFieldsEntry> entries;
  for (int i = 100; i < 300; ++i) {
    ManagedFieldsEntry entry = Entry();
    entry.manager = absl::StrCat("m", i);
    entry.fields_v1 = FieldsV1(absl::StrCat(R"({"f:a)", i, R"(":{}})"));
    entries.push_back(std::move(entry));
  }
  FieldsV1Cache cache;
  const absl::StatusOr<Managed> managed = DecodeManagedFields(entries, &cache);
  ASSERT_TRUE(managed.ok()) << managed.status();
  EXPECT_EQ(EncodeManagedFields(*managed, &cache), entries);
}

TEST(ManagersTest, Cache_DefectiveEntry_IsInvalidArgument) {
  ManagedFieldsEntry entry = Entry();
  entry.fields_v1 = FieldsV1("[]");
  FieldsV1Cache cache;
  EXPECT_EQ(DecodeManagedFields({entry}, &cache).status(), DecodeManagedFields({entry}).status());
}

TEST(ManagersTest, ToString_IsTheJsonOfUpstream) {
  EXPECT_EQ((ManagerId{.name = "a<b>&\"c\"",
                       .operation = Operation::kUpdate,
                       .api_version = "apps/v1",
                       .subresource = "status"})
                .ToString(),
            R"({"manager":"a\u003cb\u003e\u0026\"c\"","operation":"Update",)"
            R"("apiVersion":"apps/v1","subresource":"status"})");
  EXPECT_EQ((ManagerId{.name = "", .operation = Operation::kApply}).ToString(),
            R"({"operation":"Apply"})");
}

}  // namespace
}  // namespace kube::managedfields
