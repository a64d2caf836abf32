#include "apimachinery/managedfields/to_field_set.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/sample_schemas.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::StatusIs;
using unstructured::ParseJson;

struct Row {
  std::string name;
  std::string object;
  std::string fields;
};

class ToFieldSetCase : public testing::TestWithParam<Row> {};

TEST_P(ToFieldSetCase, ToFieldSet_Object_IsWhatAnApplyOwns) {
  const BuiltSchema built = *ParseSchema(kSampleSchema, "root");
  const absl::StatusOr<FieldSet> set = ToFieldSet(*ParseJson(GetParam().object), *built.schema);
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(EncodeFieldsV1(*set), GetParam().fields);
}

INSTANTIATE_TEST_SUITE_P(
    All, ToFieldSetCase,
    testing::Values(
        Row{"Root", "{}", "{}"}, Row{"NullRoot", "null", "{}"},
        Row{"Scalars", R"({"number":1,"text":"a"})", R"({"f:number":{},"f:text":{}})"},
        Row{"Nulls", R"({"labels":null,"number":null,"selector":null,"set":null})",
            R"({"f:labels":{},"f:number":{},"f:selector":{},"f:set":{}})"},
        Row{"StructIsNotAMember", R"({"nested":{"number":1}})", R"({"f:nested":{"f:number":{}}})"},
        Row{"EmptyStruct", R"({"nested":{}})", R"({"f:nested":{}})"},
        Row{"EmptyMap", R"({"labels":{}})", R"({"f:labels":{}})"},
        Row{"MapOfScalars", R"({"labels":{"a":"b"}})", R"({"f:labels":{"f:a":{}}})"},
        Row{"KeysOfMapsAreMembers", R"({"groups":{"g":{"number":1}}})",
            R"({"f:groups":{"f:g":{".":{},"f:number":{}}}})"},
        Row{"AtomicMapAndList", R"({"args":["a"],"selector":{"a":"b"}})",
            R"({"f:args":{},"f:selector":{}})"},
        Row{"EmptyAtomicMapAndList", R"({"args":[],"selector":{}})",
            R"({"f:args":{},"f:selector":{}})"},
        Row{"EmptyAssociativeListsAreNotOwned", R"({"ports":[],"set":[]})", "{}"},
        Row{"Set", R"({"set":["b","a"]})", R"({"f:set":{"v:\"a\"":{},"v:\"b\"":{}}})"},
        Row{"SetWithDuplicates", R"({"set":["b","a","b","b"]})",
            R"({"f:set":{"v:\"a\"":{},"v:\"b\"":{}}})"},
        Row{"ItemsWithDefaultedKeys", R"({"ports":[{"port":81},{"name":"x","port":80}]})",
            R"({"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":)"
            R"({".":{},"f:name":{},"f:port":{}},)"
            R"("k:{\"port\":81,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}})"},
        Row{"DuplicatesAreOneLeaf",
            R"({"ports":[{"name":"x","port":80},{"port":81},{"port":80},{"port":80}]})",
            R"({"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{},)"
            R"("k:{\"port\":81,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}})"},
        Row{"AtomicItemsAreLeaves", R"({"refs":[{"name":"n","uid":"u"}]})",
            R"({"f:refs":{"k:{\"uid\":\"u\"}":{}}})"}),
    [](const testing::TestParamInfo<Row>& row) { return row.param.name; });

TEST(ToFieldSetTest, ToFieldSet_DeducedSchema_OwnsKeysAndTheirParents) {
  const absl::StatusOr<FieldSet> set = ToFieldSet(
      *ParseJson(R"({"spec":{"l":["x"],"m":{"e":{},"k":"v"},"n":null}})"), DeducedSchema());
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(EncodeFieldsV1(*set),
            R"({"f:spec":{".":{},"f:l":{},"f:m":{".":{},"f:e":{},"f:k":{}},"f:n":{}}})");
}

// 2^53 as a double equals both integers, which differ: such a list has no order. Which number
// stands for its equals is unspecified.
TEST(ToFieldSetTest, ToFieldSet_NumbersWithoutOrder_AreOwned) {
  const BuiltSchema built = *ParseSchema(kSampleSchema, "root");
  const absl::StatusOr<FieldSet> set = ToFieldSet(
      *ParseJson(R"({"numbers":[1,9007199254740993,9007199254740992.0,9007199254740992]})"),
      *built.schema);
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_TRUE(set->Has({PathElement::Field("numbers"), PathElement::Item(1)}));
  EXPECT_GT(set->size(), 1u);
}

TEST(ToFieldSetTest, ToFieldSet_ItemsWithoutKey_IsInvalidArgument) {
  const BuiltSchema built = *ParseSchema(kSampleSchema, "root");
  EXPECT_THAT(
      ToFieldSet(*ParseJson(R"({"nested":{"refs":[{"uid":"u"},null]},"set":[{}]})"), *built.schema),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "errors:\n  .nested.refs: element 1: associative list with keys may not "
               "have a null element\n  .set: element 0: associative list without keys has "
               "an element that's a map type"));
}

}  // namespace
}  // namespace kube::managedfields
