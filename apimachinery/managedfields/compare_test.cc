#include "apimachinery/managedfields/compare.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/sample_schemas.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::managedfields {
namespace {

using base::StatusIs;
using unstructured::ParseJson;
using unstructured::Value;

struct Row {
  std::string name;
  std::string before;
  std::string after;
  // As FieldsV1.
  std::string removed = "{}";
  std::string modified = "{}";
  std::string added = "{}";
};

class CompareCase : public testing::TestWithParam<Row> {};

TEST_P(CompareCase, Compare_TwoObjects_FindsWhatDiffers) {
  const BuiltSchema built = *ParseSchema(kSampleSchema, "root");
  const absl::StatusOr<Comparison> found =
      Compare(*ParseJson(GetParam().before), *ParseJson(GetParam().after), *built.schema);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(EncodeFieldsV1(found->removed), GetParam().removed);
  EXPECT_EQ(EncodeFieldsV1(found->modified), GetParam().modified);
  EXPECT_EQ(EncodeFieldsV1(found->added), GetParam().added);
}

TEST_P(CompareCase, Compare_TheOtherWayAround_IsTheMirrorImage) {
  const BuiltSchema built = *ParseSchema(kSampleSchema, "root");
  const absl::StatusOr<Comparison> found =
      Compare(*ParseJson(GetParam().after), *ParseJson(GetParam().before), *built.schema);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(EncodeFieldsV1(found->removed), GetParam().added);
  EXPECT_EQ(EncodeFieldsV1(found->modified), GetParam().modified);
  EXPECT_EQ(EncodeFieldsV1(found->added), GetParam().removed);
}

const auto kRowName = [](const testing::TestParamInfo<Row>& row) { return row.param.name; };

INSTANTIATE_TEST_SUITE_P(
    Maps, CompareCase,
    testing::Values(
        Row{.name = "Same", .before = R"({"number":1})", .after = R"({"number":1})"},
        Row{.name = "EqualNumbers", .before = R"({"number":1})", .after = R"({"number":1.0})"},
        Row{.name = "Modified",
            .before = R"({"labels":{"a":"x"},"number":1})",
            .after = R"({"labels":{"a":"y"},"number":2})",
            .modified = R"({"f:labels":{"f:a":{}},"f:number":{}})"},
        Row{.name = "AddedWithParents",
            .before = "{}",
            .after = R"({"nested":{"labels":{"a":"x"},"nested":{}}})",
            .added = R"({"f:nested":{".":{},"f:labels":{".":{},"f:a":{}},"f:nested":{}}})"},
        Row{.name = "AddedToNull",
            .before = "null",
            .after = R"({"number":1})",
            .added = R"({"f:number":{}})"},
        Row{.name = "RemovedAndAdded",
            .before = R"({"labels":{"a":"x","b":"x","d":"x"}})",
            .after = R"({"labels":{"b":"x","c":"x","e":"x"}})",
            .removed = R"({"f:labels":{"f:a":{},"f:d":{}}})",
            .added = R"({"f:labels":{"f:c":{},"f:e":{}}})"},
        Row{.name = "NullIsNotAbsent",
            .before = "{}",
            .after = R"({"labels":null,"number":null,"set":null})",
            .added = R"({"f:labels":{},"f:number":{},"f:set":{}})"},
        Row{.name = "NullIsNotEmpty",
            .before = R"({"labels":null,"selector":null,"set":null})",
            .after = R"({"labels":{},"selector":{},"set":[]})",
            .modified = R"({"f:labels":{},"f:selector":{},"f:set":{}})"},
        Row{.name = "OnlyTheContentOfNullIsAdded",
            .before = R"({"labels":null})",
            .after = R"({"labels":{"a":"x"}})",
            .added = R"({"f:labels":{"f:a":{}}})"},
        Row{.name = "Atomic",
            .before = R"({"args":["a","b"],"selector":{"a":"x"}})",
            .after = R"({"args":["b","a"],"selector":{"b":"x"}})",
            .modified = R"({"f:args":{},"f:selector":{}})"},
        Row{.name = "AtomicAdded",
            .before = "{}",
            .after = R"({"args":["a"],"selector":{"a":"x"}})",
            .added = R"({"f:args":{},"f:selector":{}})"}),
    kRowName);

INSTANTIATE_TEST_SUITE_P(
    Lists, CompareCase,
    testing::Values(
        Row{.name = "OrderDoesNotCount",
            .before = R"({"ports":[{"port":1},{"port":2}],"set":["a","b","c"]})",
            .after = R"({"ports":[{"port":2},{"port":1}],"set":["c","a","b"]})"},
        Row{.name = "Set",
            .before = R"({"set":["a","b"]})",
            .after = R"({"set":["c","b"]})",
            .removed = R"({"f:set":{"v:\"a\"":{}}})",
            .added = R"({"f:set":{"v:\"c\"":{}}})"},
        Row{.name = "ListAdded",
            .before = "{}",
            .after = R"({"set":["b","a"]})",
            .added = R"({"f:set":{".":{},"v:\"a\"":{},"v:\"b\"":{}}})"},
        Row{.name = "EmptyListAdded",
            .before = "{}",
            .after = R"({"set":[]})",
            .added = R"({"f:set":{}})"},
        Row{.name = "EmptyListFilled",
            .before = R"({"set":[]})",
            .after = R"({"set":["a"]})",
            .added = R"({"f:set":{"v:\"a\"":{}}})"},
        Row{.name = "ItemModified",
            .before = R"({"ports":[{"port":1},{"name":"a","port":2}]})",
            .after = R"({"ports":[{"port":1},{"name":"b","port":2,"protocol":"TCP"}]})",
            .modified = R"({"f:ports":{"k:{\"port\":2,\"protocol\":\"TCP\"}":{"f:name":{}}}})",
            .added = R"({"f:ports":{"k:{\"port\":2,\"protocol\":\"TCP\"}":{"f:protocol":{}}}})"},
        Row{.name = "ItemAdded",
            .before = R"({"ports":[{"port":1}]})",
            .after = R"({"ports":[{"name":"x","port":2},{"port":1}]})",
            .added = R"({"f:ports":{"k:{\"port\":2,\"protocol\":\"TCP\"}":)"
                     R"({".":{},"f:name":{},"f:port":{}}}})"},
        Row{.name = "ListInItem",
            .before = R"({"ports":[{"port":1,"set":["a"]}]})",
            .after = R"({"ports":[{"port":1,"set":["a","b"]}]})",
            .added =
                R"({"f:ports":{"k:{\"port\":1,\"protocol\":\"TCP\"}":{"f:set":{"v:\"b\"":{}}}}})"},
        Row{.name = "AtomicItem",
            .before = R"({"refs":[{"name":"a","uid":"1"},{"uid":"2"}]})",
            .after = R"({"refs":[{"name":"b","uid":"1"},{"uid":"3"}]})",
            .removed = R"({"f:refs":{"k:{\"uid\":\"2\"}":{}}})",
            .modified = R"({"f:refs":{"k:{\"uid\":\"1\"}":{}}})",
            .added = R"({"f:refs":{"k:{\"uid\":\"3\"}":{}}})"}),
    kRowName);

INSTANTIATE_TEST_SUITE_P(
    Duplicates, CompareCase,
    testing::Values(Row{.name = "Same",
                        .before = R"({"ports":[{"port":1},{"name":"x","port":1}]})",
                        .after = R"({"ports":[{"port":1},{"name":"x","port":1}]})"},
                    Row{.name = "SameWithAnotherItem",
                        .before = R"({"set":["b","b"]})",
                        .after = R"({"set":["a","b","b"]})",
                        .added = R"({"f:set":{"v:\"a\"":{}}})"},
                    Row{.name = "OrderCounts",
                        .before = R"({"ports":[{"port":1},{"name":"x","port":1}]})",
                        .after = R"({"ports":[{"name":"x","port":1},{"port":1}]})",
                        .modified = R"({"f:ports":{"k:{\"port\":1,\"protocol\":\"TCP\"}":{}}})"},
                    Row{.name = "OrderCountsBelowThem",
                        .before = R"({"ports":[{"port":1,"set":["a","b"]},{"port":1}]})",
                        .after = R"({"ports":[{"port":1,"set":["b","a"]},{"port":1}]})",
                        .modified = R"({"f:ports":{"k:{\"port\":1,\"protocol\":\"TCP\"}":{}}})"},
                    Row{.name = "NumberCounts",
                        .before = R"({"set":["a","a"]})",
                        .after = R"({"set":["a","a","a"]})",
                        .modified = R"({"f:set":{"v:\"a\"":{}}})"},
                    Row{.name = "Added",
                        .before = R"({"ports":[]})",
                        .after = R"({"ports":[{"port":1},{"port":1}]})",
                        .added = R"({"f:ports":{"k:{\"port\":1,\"protocol\":\"TCP\"}":{}}})"},
                    Row{.name = "OneBecomesTwo",
                        .before = R"({"ports":[{"name":"x","port":1}]})",
                        .after = R"({"ports":[{"name":"x","port":1},{"port":1}]})",
                        .removed = R"({"f:ports":{"k:{\"port\":1,\"protocol\":\"TCP\"}":)"
                                   R"({".":{},"f:name":{},"f:port":{}}}})",
                        .added = R"({"f:ports":{"k:{\"port\":1,\"protocol\":\"TCP\"}":{}}})"},
                    Row{.name = "ListAdded",
                        .before = "{}",
                        .after = R"({"set":["b","a","b"]})",
                        .added = R"({"f:set":{".":{},"v:\"a\"":{},"v:\"b\"":{}}})"}),
    kRowName);

INSTANTIATE_TEST_SUITE_P(SeveralTypes, CompareCase,
                         testing::Values(Row{.name = "MapAndScalar",
                                             .before = R"({"deduced":{"b":{}}})",
                                             .after = R"({"deduced":"b"})",
                                             .removed = R"({"f:deduced":{"f:b":{}}})",
                                             .modified = R"({"f:deduced":{}})"},
                                         Row{.name = "MapAndAtomicList",
                                             .before = R"({"deduced":{"b":{}}})",
                                             .after = R"({"deduced":["b"]})",
                                             .removed = R"({"f:deduced":{"f:b":{}}})",
                                             .modified = R"({"f:deduced":{}})"},
                                         Row{.name = "NullAndMap",
                                             .before = R"({"deduced":null})",
                                             .after = R"({"deduced":{"b":{}}})",
                                             .added = R"({"f:deduced":{"f:b":{}}})"},
                                         Row{.name = "NullAndScalar",
                                             .before = R"({"deduced":null})",
                                             .after = R"({"deduced":"b"})",
                                             .modified = R"({"f:deduced":{}})"},
                                         Row{.name = "ScalarAndAtomicList",
                                             .before = R"({"deduced":"b"})",
                                             .after = R"({"deduced":["b"]})",
                                             .modified = R"({"f:deduced":{}})"},
                                         Row{.name = "MapAndList",
                                             .before = R"({"separable":{"b":{}}})",
                                             .after = R"({"separable":["b"]})",
                                             .removed = R"({"f:separable":{"f:b":{}}})",
                                             .added = R"({"f:separable":{"v:\"b\"":{}}})"},
                                         Row{.name = "NullAndList",
                                             .before = R"({"separable":null})",
                                             .after = R"({"separable":["b"]})",
                                             .modified = R"({"f:separable":{}})",
                                             .added = R"({"f:separable":{"v:\"b\"":{}}})"},
                                         Row{.name = "ListAndScalar",
                                             .before = R"({"separable":["b"]})",
                                             .after = R"({"separable":"b"})",
                                             .removed = R"({"f:separable":{"v:\"b\"":{}}})",
                                             .modified = R"({"f:separable":{}})"}),
                         kRowName);

TEST(CompareTest, Compare_ItemsWithoutKey_IsInvalidArgument) {
  const BuiltSchema built = *ParseSchema(kSampleSchema, "root");
  EXPECT_THAT(Compare(*ParseJson("{}"), *ParseJson(R"({"nested":{"refs":[null]}})"), *built.schema),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       ".nested.refs: element 0: associative list with keys may not have a null "
                       "element"));
  EXPECT_THAT(Compare(*ParseJson(R"({"nested":{"set":["a"]}})"),
                      *ParseJson(R"({"nested":{"set":["a",{}]}})"), *built.schema),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       ".nested.set: element 1: associative list without keys has an element "
                       "that's a map type"));
}

TEST(CompareTest, Filter_ExcludedFields_AreInNoneOfTheSets) {
  const BuiltSchema built = *ParseSchema(kSampleSchema, "root");
  const absl::StatusOr<Comparison> found =
      Compare(*ParseJson(R"({"nested":{"labels":{"a":"x","b":"x"}},"set":["a"]})"),
              *ParseJson(R"({"nested":{"labels":{"b":"y","c":"x"}},"set":["b"]})"), *built.schema);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_FALSE(found->IsSame());
  const Comparison filtered =
      found->Filter({.excluded = *DecodeFieldsV1(R"({"f:nested":{}})"), .included_patterns = {}});
  EXPECT_EQ(EncodeFieldsV1(filtered.removed), R"({"f:set":{"v:\"a\"":{}}})");
  EXPECT_EQ(EncodeFieldsV1(filtered.modified), "{}");
  EXPECT_EQ(EncodeFieldsV1(filtered.added), R"({"f:set":{"v:\"b\"":{}}})");
  const FieldSet all = *DecodeFieldsV1(R"({"f:nested":{},"f:set":{}})");
  EXPECT_TRUE(found->Filter({.excluded = all, .included_patterns = {}}).IsSame());
}

TEST(CompareTest, Compare_LongListsInOtherOrder_AreTheSame) {
  const BuiltSchema built = *ParseSchema(kSampleSchema, "root");
  List<Value> ports;
  for (int i = 0; i < 2000; ++i) ports.push_back(Map<Value>{{"port", i}});
  const Value before = Map<Value>{{"ports", ports}};
  std::reverse(ports.begin(), ports.end());
  Value after = Map<Value>{{"ports", ports}};
  absl::StatusOr<Comparison> found = Compare(before, after, *built.schema);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(found->IsSame());
  after.Find("ports")->list()->pop_back();
  found = Compare(before, after, *built.schema);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(EncodeFieldsV1(found->removed),
            R"({"f:ports":{"k:{\"port\":0,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}})");
}

// Objects of the schema above, with duplicates.
class RandomObjects {
 public:
  explicit RandomObjects(uint64_t seed) : dice_(seed) {}

  Value Next(int depth = 0) {
    Map<Value> object = Map<Value>::Empty();
    if (Sometimes()) object["args"] = Strings();
    if (Sometimes()) object["deduced"] = Anything(0);
    if (Sometimes()) object["labels"] = Labels();
    if (Sometimes() && depth < 3) object["nested"] = Next(depth + 1);
    if (Sometimes()) object["number"] = dice_.Below(2) == 0 ? Value(Small()) : Value(1.0);
    if (Sometimes()) object["ports"] = Ports();
    if (Sometimes()) object["selector"] = Labels();
    if (Sometimes()) object["separable"] = Anything(0);
    if (Sometimes()) object["set"] = Strings();
    return object;
  }

 private:
  bool Sometimes() { return dice_.Below(2) == 0; }
  int Small() { return static_cast<int>(dice_.Below(3)); }
  std::string Letter() { return std::string(1, static_cast<char>('a' + Small())); }
  Value Strings() {
    List<Value> list = List<Value>::Empty();
    for (size_t i = dice_.Below(4); i != 0; --i) list.push_back(Letter());
    return list;
  }
  Value Labels() {
    Map<Value> map = Map<Value>::Empty();
    for (size_t i = dice_.Below(3); i != 0; --i) map[Letter()] = Letter();
    return map;
  }
  Value Ports() {
    List<Value> list = List<Value>::Empty();
    for (size_t i = dice_.Below(4); i != 0; --i) {
      Map<Value> port = {{"port", Small()}};
      if (Sometimes()) port["protocol"] = Sometimes() ? "TCP" : "UDP";
      if (Sometimes()) port["name"] = Letter();
      if (Sometimes()) port["set"] = Strings();
      list.push_back(std::move(port));
    }
    return list;
  }
  Value Anything(int depth) {
    if (depth < 3 && Sometimes()) {
      Map<Value> map = Map<Value>::Empty();
      for (size_t i = dice_.Below(3); i != 0; --i) map[Letter()] = Anything(depth + 1);
      return map;
    }
    switch (dice_.Below(4)) {
      case 0:
        return Value();
      case 1:
        return Strings();
      case 2:
        return Small();
      default:
        return Letter();
    }
  }

  oracle::Dice dice_;
};

// Returns the members of both sets.
size_t CommonMembers(const FieldSet& a, const FieldSet& b) { return a.Intersection(b).size(); }

TEST(CompareTest, Compare_RandomObjects_IsConsistent) {
  const BuiltSchema built = *ParseSchema(kSampleSchema, "root");
  constexpr uint64_t kSeed = 7;
  RandomObjects objects(kSeed);
  for (int i = 0; i < 2000; ++i) {
    SCOPED_TRACE(absl::StrCat("object ", i, ", seed ", kSeed));
    const Value a = objects.Next();
    const Value b = objects.Next();
    const absl::StatusOr<Comparison> same = Compare(a, a, *built.schema);
    ASSERT_TRUE(same.ok()) << same.status();
    EXPECT_TRUE(same->IsSame()) << a;
    const absl::StatusOr<Comparison> there = Compare(a, b, *built.schema);
    const absl::StatusOr<Comparison> back = Compare(b, a, *built.schema);
    ASSERT_TRUE(there.ok()) << there.status();
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(there->removed, back->added) << a << "\n" << b;
    EXPECT_EQ(there->modified, back->modified) << a << "\n" << b;
    EXPECT_EQ(there->added, back->removed) << a << "\n" << b;
    EXPECT_EQ(CommonMembers(there->modified, there->added), 0u) << a << "\n" << b;
    EXPECT_EQ(CommonMembers(there->modified, there->removed), 0u) << a << "\n" << b;
  }
}

}  // namespace
}  // namespace kube::managedfields
