#include "apimachinery/managedfields/remove_items.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/merge.h"
#include "apimachinery/managedfields/testing/sample_schemas.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/managedfields/to_field_set.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::IsOkAndHolds;
using unstructured::EncodeJson;
using unstructured::ParseJson;
using unstructured::Value;

class RemoveItemsTest : public testing::Test {
 protected:
  absl::StatusOr<std::string> Removed(absl::string_view value, absl::string_view set) {
    return EncodeJson(RemoveItems(*ParseJson(value), *DecodeFieldsV1(set), *built_.schema));
  }
  absl::StatusOr<std::string> Extracted(absl::string_view value, absl::string_view set,
                                        const ExtractItemsOptions& options = {}) {
    return EncodeJson(
        ExtractItems(*ParseJson(value), *DecodeFieldsV1(set), *built_.schema, options));
  }

  const BuiltSchema built_ = *ParseSchema(kTwoKeysSchema, "root");
};

struct Case {
  absl::string_view name;
  absl::string_view value;
  absl::string_view set;
  absl::string_view result;
};

TEST_F(RemoveItemsTest, RemoveItems_Members_AreLeftOutWithAllThatIsBelow) {
  for (const Case& c : {
           Case{"nothing", R"({"text":"a"})", R"({})", R"({"text":"a"})"},
           {"scalar", R"({"number":1,"text":"a"})", R"({"f:text":{}})", R"({"number":1})"},
           {"field that the value lacks", R"({"text":"a"})", R"({"f:number":{}})",
            R"({"text":"a"})"},
           {"element of another type", R"({"text":"a"})", R"({"v:\"text\"":{}})",
            R"({"text":"a"})"},
           {"map", R"({"labels":{"a":"1"},"text":"a"})", R"({"f:labels":{}})", R"({"text":"a"})"},
           {"key of a map", R"({"labels":{"a":"1","b":"2"}})", R"({"f:labels":{"f:a":{}}})",
            R"({"labels":{"b":"2"}})"},
           {"member and below it", R"({"labels":{"a":"1"},"text":"a"})",
            R"({"f:labels":{".":{},"f:b":{}}})", R"({"text":"a"})"},
           {"atomic map", R"({"selector":{"a":"1"},"text":"a"})", R"({"f:selector":{}})",
            R"({"text":"a"})"},
           {"item of a set", R"({"letters":["a","b","c"]})", R"({"f:letters":{"v:\"b\"":{}}})",
            R"({"letters":["a","c"]})"},
           {"duplicates", R"({"letters":["a","b","a"]})", R"({"f:letters":{"v:\"a\"":{}}})",
            R"({"letters":["b"]})"},
           {"item by its key", R"({"ports":[{"name":"a","port":1},{"name":"a","port":2}]})",
            R"({"f:ports":{"k:{\"name\":\"a\",\"port\":1}":{}}})",
            R"({"ports":[{"name":"a","port":2}]})"},
           {"field of an item", R"({"ports":[{"host":"h","name":"a","port":1}]})",
            R"({"f:ports":{"k:{\"name\":\"a\",\"port\":1}":{"f:host":{}}}})",
            R"({"ports":[{"name":"a","port":1}]})"},
           {"item and its field", R"({"ports":[{"host":"h","name":"a"},{"name":"b"}]})",
            R"({"f:ports":{"k:{\"name\":\"a\"}":{".":{},"f:host":{}}}})",
            R"({"ports":[{"name":"b"}]})"},
       }) {
    EXPECT_THAT(Removed(c.value, c.set), IsOkAndHolds(std::string(c.result))) << c.name;
  }
}

TEST_F(RemoveItemsTest, RemoveItems_WhatHasNothingLeft_BecomesNull) {
  for (const Case& c : {
           Case{"object", R"({"text":"a"})", R"({"f:text":{}})", "null"},
           {"empty object", R"({})", R"({})", "null"},
           {"map", R"({"labels":{"a":"1"}})", R"({"f:labels":{"f:a":{}}})", R"({"labels":null})"},
           {"empty map", R"({"labels":{}})", R"({"f:labels":{"f:a":{}}})", R"({"labels":null})"},
           {"set", R"({"letters":["a"]})", R"({"f:letters":{"v:\"a\"":{}}})",
            R"({"letters":null})"},
           {"empty set", R"({"letters":[]})", R"({"f:letters":{"v:\"a\"":{}}})",
            R"({"letters":null})"},
           {"item", R"({"ports":[{"name":"a"}]})",
            R"({"f:ports":{"k:{\"name\":\"a\"}":{"f:name":{}}}})", R"({"ports":[null]})"},
           {"atomic list, of which the set has an item", R"({"args":["a","b"]})",
            R"({"f:args":{"i:0":{}}})", R"({"args":null})"},
           {"atomic map, of which the set has a field", R"({"selector":{"a":"1","b":"2"}})",
            R"({"f:selector":{"f:a":{}}})", R"({"selector":null})"},
           {"not those off the way", R"({"labels":{},"letters":[],"text":"a"})", R"({"f:text":{}})",
            R"({"labels":{},"letters":[]})"},
           {"not a scalar, of which the set has a field", R"({"text":"a"})",
            R"({"f:text":{"f:a":{}}})", R"({"text":"a"})"},
       }) {
    EXPECT_THAT(Removed(c.value, c.set), IsOkAndHolds(std::string(c.result))) << c.name;
  }
}

TEST_F(RemoveItemsTest, ExtractItems_Leaves_AreKeptWithTheirParents) {
  for (const Case& c : {
           Case{"scalar", R"({"number":1,"text":"a"})", R"({"f:text":{}})", R"({"text":"a"})"},
           {"null", R"({"number":null,"text":"a"})", R"({"f:number":{}})", R"({"number":null})"},
           {"key of a map", R"({"labels":{"a":"1","b":"2"}})", R"({"f:labels":{"f:a":{}}})",
            R"({"labels":{"a":"1"}})"},
           {"empty map", R"({"labels":{},"text":"a"})", R"({"f:labels":{}})", R"({"labels":{}})"},
           {"empty set", R"({"letters":[],"text":"a"})", R"({"f:letters":{}})",
            R"({"letters":[]})"},
           {"atomic map", R"({"selector":{"a":"1"}})", R"({"f:selector":{}})",
            R"({"selector":{"a":"1"}})"},
           {"atomic list", R"({"args":["a","a"]})", R"({"f:args":{}})", R"({"args":["a","a"]})"},
           {"atomic list by one item", R"({"args":["a","b"]})", R"({"f:args":{"i:0":{}}})",
            R"({"args":["a","b"]})"},
           {"item of a set", R"({"letters":["a","b","c"]})", R"({"f:letters":{"v:\"b\"":{}}})",
            R"({"letters":["b"]})"},
           {"duplicates", R"({"letters":["a","b","a"]})", R"({"f:letters":{"v:\"a\"":{}}})",
            R"({"letters":["a","a"]})"},
           {"atomic item", R"({"owners":[{"text":"t","uid":"u"},{"uid":"v"}]})",
            R"({"f:owners":{"k:{\"uid\":\"u\"}":{}}})", R"({"owners":[{"text":"t","uid":"u"}]})"},
           {"item as a whole", R"({"ports":[{"host":"h","name":"a"},{"name":"b"}]})",
            R"({"f:ports":{"k:{\"name\":\"a\"}":{}}})", R"({"ports":[{"host":"h","name":"a"}]})"},
           {"fields of an item", R"({"ports":[{"host":"h","letters":["x","y"],"name":"a"}]})",
            R"({"f:ports":{"k:{\"name\":\"a\"}":{"f:letters":{"v:\"x\"":{}},"f:name":{}}}})",
            R"({"ports":[{"letters":["x"],"name":"a"}]})"},
           {"key fields only if they are in the set", R"({"ports":[{"host":"h","name":"a"}]})",
            R"({"f:ports":{"k:{\"name\":\"a\"}":{"f:host":{}}}})", R"({"ports":[{"host":"h"}]})"},
       }) {
    EXPECT_THAT(Extracted(c.value, c.set), IsOkAndHolds(std::string(c.result))) << c.name;
  }
}

TEST_F(RemoveItemsTest, ExtractItems_MembersThatAreNoLeavesOrDoNotExist_GiveNull) {
  for (const Case& c : {
           Case{"nothing", R"({"text":"a"})", R"({})", "null"},
           {"empty object", R"({})", R"({})", "{}"},
           {"field that the value lacks", R"({"text":"a"})", R"({"f:number":{}})", "null"},
           {"map", R"({"labels":{"a":"1"}})", R"({"f:labels":{}})", R"({"labels":null})"},
           {"map with a key that the set has one level above",
            R"({"labels":{"a":"1","text":"2"},"text":"a"})", R"({"f:labels":{},"f:text":{}})",
            R"({"labels":{"text":"2"},"text":"a"})"},
           {"map within itself", R"({"nested":{"a":{},"nested":{"nested":{}}}})",
            R"({"f:nested":{}})", R"({"nested":{"nested":{"nested":{}}}})"},
           {"set", R"({"letters":["a"]})", R"({"f:letters":{}})", R"({"letters":null})"},
           {"key that the map lacks", R"({"labels":{"a":"1"}})", R"({"f:labels":{"f:b":{}}})",
            R"({"labels":null})"},
           {"item that the set lacks", R"({"letters":["a"]})", R"({"f:letters":{"v:\"b\"":{}}})",
            R"({"letters":null})"},
           {"field that the item lacks", R"({"ports":[{"name":"a"}]})",
            R"({"f:ports":{"k:{\"name\":\"a\"}":{"f:host":{}}}})", R"({"ports":[null]})"},
       }) {
    EXPECT_THAT(Extracted(c.value, c.set), IsOkAndHolds(std::string(c.result))) << c.name;
  }
}

TEST_F(RemoveItemsTest, ExtractItems_AppendKeyFields_KeepsThoseOfItemsWithMembers) {
  for (const Case& c : {
           Case{"all of the keys", R"({"ports":[{"host":"h","name":"a","port":1}]})",
                R"({"f:ports":{"k:{\"name\":\"a\",\"port\":1}":{"f:host":{}}}})",
                R"({"ports":[{"host":"h","name":"a","port":1}]})"},
           {"also from deeper members",
            R"({"ports":[{"letters":["x","y"],"name":"a","port":1},{"name":"b"}]})",
            R"({"f:ports":{"k:{\"name\":\"a\",\"port\":1}":{"f:letters":{"v:\"y\"":{}}}}})",
            R"({"ports":[{"letters":["y"],"name":"a","port":1}]})"},
           {"one key is in the set already", R"({"ports":[{"host":"h","name":"a","port":1}]})",
            R"({"f:ports":{"k:{\"name\":\"a\",\"port\":1}":{"f:host":{},"f:port":{}}}})",
            R"({"ports":[{"host":"h","name":"a","port":1}]})"},
           {"nothing of the item", R"({"ports":[{"name":"a"}]})",
            R"({"f:ports":{"k:{\"name\":\"a\"}":{"f:host":{}}}})", R"({"ports":[null]})"},
           {"atomic item", R"({"owners":[{"text":"t","uid":"u"}]})",
            R"({"f:owners":{"k:{\"uid\":\"u\"}":{}}})", R"({"owners":[{"text":"t","uid":"u"}]})"},
           {"no lists", R"({"number":1,"text":"a"})", R"({"f:text":{}})", R"({"text":"a"})"},
       }) {
    EXPECT_THAT(Extracted(c.value, c.set, {.append_key_fields = true}),
                IsOkAndHolds(std::string(c.result)))
        << c.name;
  }
}

// What has been applied can be extracted again.
TEST_F(RemoveItemsTest, ExtractItems_LeavesOfAnAppliedConfiguration_ReturnsTheConfiguration) {
  constexpr absl::string_view kLive =
      R"({"args":["a"],"labels":{"a":"1","b":"2"},"letters":["a","b"],"number":1,)"
      R"("owners":[{"text":"t","uid":"u"}],"ports":[{"host":"h","letters":["x"],"name":"a"}]})";
  for (const absl::string_view configuration : {
           R"({"text":"a"})",
           R"({"labels":{"b":"3","c":"4"},"letters":["c","b"]})",
           R"({"args":["b"],"selector":{}})",
           R"({"labels":null,"number":null})",
           R"({"owners":[{"uid":"u"},{"text":"s","uid":"v"}]})",
           R"({"ports":[{"name":"b","port":1},{"letters":["y"],"name":"a"}]})",
           R"({"nested":{"a":{"b":{},"c":null}}})",
       }) {
    const Value applied = *ParseJson(configuration);
    const absl::StatusOr<Value> merged = Merge(*ParseJson(kLive), applied, *built_.schema);
    ASSERT_THAT(merged, base::IsOk()) << configuration;
    const absl::StatusOr<FieldSet> set = ToFieldSet(applied, *built_.schema);
    ASSERT_THAT(set, base::IsOk()) << configuration;
    EXPECT_THAT(EncodeJson(ExtractItems(*merged, set->Leaves(), *built_.schema)),
                IsOkAndHolds(std::string(configuration)));
  }
}

}  // namespace
}  // namespace kube::managedfields
