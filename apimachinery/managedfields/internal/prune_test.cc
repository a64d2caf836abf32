#include "apimachinery/managedfields/internal/prune.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/merge.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/managedfields/to_field_set.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::managedfields::internal {
namespace {

using base::IsOkAndHolds;
using oracle::Dice;
using unstructured::ParseJson;
using unstructured::Value;

constexpr absl::string_view kTypes = R"(
types:
- name: root
  map:
    fields:
    - name: count
      type: {scalar: numeric}
    - name: tree
      type: {namedType: tree}
    - name: items
      type: {namedType: items}
    - name: selector
      type: {map: {elementType: {scalar: string}, elementRelationship: atomic}}
- name: tree
  map:
    elementType: {namedType: tree}
- name: items
  list:
    elementRelationship: associative
    keys: [name, kind]
    elementType: {namedType: item}
- name: item
  map:
    fields:
    - name: name
      type: {scalar: string}
    - name: kind
      type: {scalar: string}
      default: x
    - name: value
      type: {scalar: numeric}
    - name: tags
      type: {list: {elementType: {scalar: string}, elementRelationship: associative}}
)";

const Schema& Root() {
  static const BuiltSchema kBuilt = *ParseSchema(kTypes, "root");
  return *kBuilt.schema;
}

class OneVersion : public VersionConverter {
 public:
  const Schema* SchemaOf(absl::string_view api_version) const override {
    return api_version == "v1" ? &Root() : nullptr;
  }
  absl::StatusOr<Value> Convert(const Value&, absl::string_view) const override {
    return absl::InternalError("nothing has to be converted");
  }
};

ManagerId Applier(absl::string_view name) {
  return {.name = std::string(name), .operation = Operation::kApply};
}

OwnedFields Owned(FieldSet fields) { return {.fields = std::move(fields), .api_version = "v1"}; }
OwnedFields Owned(absl::string_view json) { return Owned(*DecodeFieldsV1(json)); }

struct PruneCase {
  const char* name;
  const char* merged;
  const char* last;
  const char* now;
  const char* other;  // what another manager owns
  const char* pruned;
};

class PruneCaseTest : public testing::TestWithParam<PruneCase> {};

TEST_P(PruneCaseTest, RemovesWhatNobodyOwnsAnyMore) {
  const Managers managers = {{Applier("one"), Owned(GetParam().now)},
                             {Applier("two"), Owned(GetParam().other)}};
  const OneVersion converter;
  const OwnedFields last = Owned(GetParam().last);
  const Value expected = *ParseJson(GetParam().pruned);
  EXPECT_THAT(Prune(converter, *ParseJson(GetParam().merged), managers, Applier("one"), last),
              IsOkAndHolds(expected));
  EXPECT_THAT(PruneFully(converter, *ParseJson(GetParam().merged), managers, Applier("one"), last),
              IsOkAndHolds(expected));
}

INSTANTIATE_TEST_SUITE_P(
    All, PruneCaseTest,
    testing::Values(
        PruneCase{"NothingOwnedBefore", R"({"count":1})", "{}", "{}", "{}", R"({"count":1})"},
        PruneCase{"Scalar", R"({"count":1,"selector":{"a":"b"}})",
                  R"({"f:count":{},"f:selector":{}})", R"({"f:selector":{}})", "{}",
                  R"({"selector":{"a":"b"}})"},
        PruneCase{"ScalarOfAnother", R"({"count":1,"selector":{"a":"b"}})",
                  R"({"f:count":{},"f:selector":{}})", R"({"f:selector":{}})", R"({"f:count":{}})",
                  R"({"count":1,"selector":{"a":"b"}})"},
        PruneCase{"Item", R"({"items":[{"name":"a"},{"name":"b"}]})",
                  R"({"f:items":{"k:{\"kind\":\"x\",\"name\":\"a\"}":{".":{},"f:name":{}},)"
                  R"("k:{\"kind\":\"x\",\"name\":\"b\"}":{".":{},"f:name":{}}}})",
                  R"({"f:items":{"k:{\"kind\":\"x\",\"name\":\"b\"}":{".":{},"f:name":{}}}})", "{}",
                  R"({"items":[{"name":"b"}]})"},
        // The field of another manager keeps the item only together with the item itself.
        PruneCase{"ItemWithFieldOfAnother", R"({"count":1,"items":[{"name":"a","value":1}]})",
                  R"({"f:items":{"k:{\"kind\":\"x\",\"name\":\"a\"}":{".":{},"f:name":{}}}})", "{}",
                  R"({"f:items":{"k:{\"kind\":\"x\",\"name\":\"a\"}":{"f:value":{}}}})",
                  R"({"count":1,"items":null})"},
        PruneCase{"UnownedBelowTheField", R"({"tree":{"a":{"b":null}}})",
                  R"({"f:tree":{"f:a":{}}})", R"({"f:tree":{"f:a":{}}})", "{}",
                  R"({"tree":{"a":{"b":null}}})"},
        PruneCase{"EmptyObject", "{}", R"({"f:count":{}})", R"({"f:count":{}})", "{}", "null"}),
    [](const testing::TestParamInfo<PruneCase>& row) { return std::string(row.param.name); });

TEST(PruneTest, VersionThatDoesNotExist_KeepsEverything) {
  const OneVersion converter;
  const Managers managers = {{Applier("one"), Owned("{}")}};
  const OwnedFields last = {.fields = *DecodeFieldsV1(R"({"f:count":{}})"), .api_version = "v0"};
  const Value merged = *ParseJson(R"({"count":1})");
  EXPECT_THAT(Prune(converter, merged, managers, Applier("one"), last), IsOkAndHolds(merged));
}

struct KeepsCase {
  const char* name;
  const char* merged;
  const char* last;
  const char* now;
  bool keeps;
};

class KeepsEverythingTest : public testing::TestWithParam<KeepsCase> {};

TEST_P(KeepsEverythingTest, IsAsExpected) {
  const FieldSet present = *ToFieldSet(*ParseJson(GetParam().merged), Root());
  EXPECT_EQ(KeepsEverything(*DecodeFieldsV1(GetParam().last), *DecodeFieldsV1(GetParam().now),
                            present, Root()),
            GetParam().keeps);
}

constexpr char kItemA[] =
    R"({"f:items":{"k:{\"kind\":\"x\",\"name\":\"a\"}":{".":{},"f:name":{},"f:value":{}}}})";

INSTANTIATE_TEST_SUITE_P(
    All, KeepsEverythingTest,
    testing::Values(
        KeepsCase{"SameFields", R"({"count":1})", R"({"f:count":{}})", R"({"f:count":{}})", true},
        KeepsCase{"MoreFields", R"({"count":1,"tree":null})", R"({"f:count":{}})",
                  R"({"f:count":{},"f:tree":{}})", true},
        KeepsCase{"FewerFields", R"({"count":1,"tree":null})", R"({"f:count":{},"f:tree":{}})",
                  R"({"f:count":{}})", false},
        KeepsCase{"UnownedBelow", R"({"tree":{"a":null}})", R"({"f:tree":{}})", R"({"f:tree":{}})",
                  false},
        KeepsCase{"UnownedMapKeyAbove", R"({"tree":{"a":{"b":null}}})",
                  R"({"f:tree":{"f:a":{"f:b":{}}}})", R"({"f:tree":{"f:a":{"f:b":{}}}})", false},
        KeepsCase{"DefaultedKeyOfTheItem", R"({"items":[{"name":"a","kind":"x","value":1}]})",
                  kItemA, kItemA, true},
        KeepsCase{"UnownedKeyOfTheItem", R"({"items":[{"name":"a","value":1}]})",
                  R"({"f:items":{"k:{\"kind\":\"x\",\"name\":\"a\"}":{".":{},"f:value":{}}}})",
                  R"({"f:items":{"k:{\"kind\":\"x\",\"name\":\"a\"}":{".":{},"f:value":{}}}})",
                  false},
        // The other item could lose its kind, and then has the same key.
        KeepsCase{"UnownedKeyOfAnotherItem",
                  R"({"items":[{"name":"a","value":1},{"name":"a","kind":"y"}]})", kItemA, kItemA,
                  false}),
    [](const testing::TestParamInfo<KeepsCase>& row) { return std::string(row.param.name); });

Value RandomTree(Dice& dice, int depth) {
  if (depth == 0 || dice.Below(4) == 0) {
    return dice.Below(2) == 0 ? Value() : Value(Map<Value>::Empty());
  }
  Map<Value> tree;
  for (const char* key : {"a", "b"}) {
    if (dice.Below(2) == 0) tree[key] = RandomTree(dice, depth - 1);
  }
  return tree;
}

Value RandomItems(Dice& dice) {
  List<Value> items = List<Value>::Empty();
  for (const auto& [name, kind] : std::vector<std::pair<std::string, std::string>>{
           {"a", "x"}, {"a", "y"}, {"b", "x"}, {"", "x"}, {"", "y"}}) {
    if (dice.Below(2) == 0) continue;
    Map<Value> item = Map<Value>::Empty();
    if (!name.empty()) item["name"] = name;
    if (kind != "x" || dice.Below(2) == 0) item["kind"] = kind;
    if (dice.Below(2) == 0) item["value"] = static_cast<int64_t>(dice.Below(2));
    if (dice.Below(4) == 0) item["tags"] = List<Value>{"t"};
    if (dice.Below(8) == 0) item["tags"] = List<Value>::Empty();
    items.push_back(std::move(item));
  }
  return items;
}

Value RandomObject(Dice& dice) {
  Map<Value> object = Map<Value>::Empty();
  if (dice.Below(2) == 0) object["count"] = static_cast<int64_t>(dice.Below(2));
  if (dice.Below(2) == 0) object["tree"] = RandomTree(dice, 3);
  if (dice.Below(4) != 0) object["items"] = RandomItems(dice);
  if (dice.Below(2) == 0) object["selector"] = Map<Value>{{"a", "b"}};
  return object;
}

// Returns `set` without about one in `n` of its members.
FieldSet Thinned(const FieldSet& set, Dice& dice, size_t n) {
  FieldSet result;
  for (const Path& path : set.Paths()) {
    if (dice.Below(n) != 0) result.Insert(path);
  }
  return result;
}

TEST(PruneTest, RandomSets_WithTheTestForChanges_GiveTheSameObjects) {
  const OneVersion converter;
  int kept = 0, compared = 0;
  for (uint64_t seed = 0; seed < 8'000; ++seed) {
    Dice dice(seed);
    const Value live = RandomObject(dice), configuration = RandomObject(dice);
    const Value merged = *Merge(live, configuration, Root());
    const FieldSet configured = *ToFieldSet(configuration, Root());
    const FieldSet present = *ToFieldSet(merged, Root());
    const FieldSet now = Thinned(configured, dice, dice.Below(2) == 0 ? 1000 : 10);
    const FieldSet last = Thinned(now, dice, dice.Below(2) == 0 ? 1000 : 4);
    const Managers managers = {{Applier("one"), Owned(now)},
                               {Applier("two"), Owned(Thinned(present, dice, 2))}};
    if (!KeepsEverything(last, now, present, Root())) continue;
    ++kept;
    const absl::StatusOr<Value> fully =
        PruneFully(converter, merged, managers, Applier("one"), Owned(last));
    // An item that lost its key has no field set, where upstream goes on.
    if (!fully.ok()) continue;
    ++compared;
    ASSERT_EQ(*fully, merged) << "seed " << seed << ", last:\n" << last << "\nnow:\n" << now;
  }
  EXPECT_GT(kept, 500);
  EXPECT_GT(compared, kept / 2);
}

}  // namespace
}  // namespace kube::managedfields::internal
