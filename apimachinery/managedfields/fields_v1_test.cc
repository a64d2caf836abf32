#include "apimachinery/managedfields/fields_v1.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// apimachinery/managedfields/differential compares many more sets with Go.
namespace kube::managedfields {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;
using unstructured::Value;

PathElement Field(absl::string_view name) { return PathElement::Field(name); }

std::string Repeated(absl::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out.append(text.data(), text.size());
  return out;
}

// Decodes and encodes.
absl::StatusOr<std::string> Again(absl::string_view json) {
  const absl::StatusOr<FieldSet> set = DecodeFieldsV1(json);
  if (!set.ok()) return set.status();
  return EncodeFieldsV1(*set);
}

TEST(FieldsV1Test, EncodeAndDecode_Deployment_AreAsTheServerWrites) {
  const PathElement web = PathElement::Key(Map<Value>{{"name", "web"}});
  const PathElement port = PathElement::Key(Map<Value>{{"protocol", "TCP"}, {"containerPort", 80}});
  const FieldSet set = {
      {Field("metadata"), Field("labels")},
      {Field("metadata"), Field("labels"), Field("app.kubernetes.io/name")},
      {Field("metadata"), Field("finalizers"), PathElement::Item("example.com/protect")},
      {Field("spec"), Field("replicas")},
      {Field("spec"), Field("containers"), web},
      {Field("spec"), Field("containers"), web, Field("image")},
      {Field("spec"), Field("containers"), web, Field("ports"), port},
      {Field("spec"), Field("containers"), web, Field("ports"), port, Field("containerPort")},
      {Field("spec"), Field("args"), PathElement::Index(1)},
  };
  constexpr absl::string_view kJson =
      R"({"f:metadata":{"f:finalizers":{"v:\"example.com/protect\"":{}},)"
      R"("f:labels":{".":{},"f:app.kubernetes.io/name":{}}},)"
      R"("f:spec":{"f:args":{"i:1":{}},"f:containers":{"k:{\"name\":\"web\"}":{".":{},)"
      R"("f:image":{},"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},)"
      R"("f:containerPort":{}}}}},"f:replicas":{}}})";
  EXPECT_EQ(EncodeFieldsV1(set), kJson);
  EXPECT_THAT(DecodeFieldsV1(kJson), IsOkAndHolds(set));
}

TEST(FieldsV1Test, EncodeAndDecode_SpecialCharacters_AreEscapedAsUpstream) {
  for (const auto& [element, json] : {
           std::pair<PathElement, absl::string_view>{Field("<a>&\u2028\u00e9"),
                                                     "{\"f:<a>&\u2028\u00e9\":{}}"},
           {Field("a\"\\\n\x01"), R"({"f:a\"\\\n\u0001":{}})"},
           {Field("."), R"({"f:.":{}})"},
           {Field(""), R"({"f:":{}})"},
           {PathElement::Item("<a>&\u2028\n\b"),
            R"({"v:\"\\u003ca\\u003e\\u0026\\u2028\\n\\u0008\"":{}})"},
           {PathElement::Item("\"\\"), R"({"v:\"\\\"\\\\\"":{}})"},
           {PathElement::Item(1e-7), R"({"v:1e-07":{}})"},
           {PathElement::Key(Map<Value>{{"<", "<"}}), R"({"k:{\"<\":\"\\u003c\"}":{}})"},
       }) {
    const FieldSet set = {{element}};
    EXPECT_EQ(EncodeFieldsV1(set), json);
    EXPECT_THAT(DecodeFieldsV1(json), IsOkAndHolds(set));
  }
}

TEST(FieldsV1Test, EncodeAndDecode_InvalidUtf8_IsKeptInFields) {
  const absl::string_view json = "{\"f:\xff\\n\xff\":{}}";
  EXPECT_THAT(DecodeFieldsV1(json), IsOkAndHolds(FieldSet{{Field("\xff\n\xff")}}));
  EXPECT_THAT(Again(json), IsOkAndHolds(std::string(json)));
  EXPECT_THAT(Again("{\"v:\\\"\xff\\\"\":{}}"), IsOkAndHolds(R"({"v:\"\\ufffd\"":{}})"));
}

TEST(FieldsV1Test, Decode_AnyForm_BecomesTheNormalOne) {
  struct Case {
    absl::string_view name;
    absl::string_view json;
    absl::string_view normal;
  };
  for (const Case& c : {
           Case{"empty", "{}", "{}"},
           Case{"null", "null", "{}"},
           Case{"white space", " { \"f:a\" : { } ,\r\n\t\"f:b\": {} } ", R"({"f:a":{},"f:b":{}})"},
           Case{"what follows", R"({"f:a":{}} rest)", R"({"f:a":{}})"},
           Case{"a null child", R"({"f:a":null})", R"({"f:a":{}})"},
           Case{"only itself", R"({"f:a":{".":{}}})", R"({"f:a":{}})"},
           Case{"itself with any value", R"({"f:a":{"f:b":{},".":[1,{"x":"}"}]}})",
                R"({"f:a":{".":{},"f:b":{}}})"},
           Case{"itself at the root", R"({".":{},"f:a":{}})", R"({"f:a":{}})"},
           Case{"out of order",
                R"({"i:1":{},"v:true":{},"v:\"a\"":{},"k:{}":{},"f:b":{},"f:a":{}})",
                R"({"f:a":{},"f:b":{},"k:{}":{},"v:\"a\"":{},"v:true":{},"i:1":{}})"},
           Case{"escaped names", R"({"\u0066:\u0061\/":{}})", R"({"f:a/":{}})"},
           Case{"other forms of elements", R"({"k:{ \"b\":1.0,\"a\":2}":{},"v: 3":{},"i:07":{}})",
                R"({"k:{\"a\":2,\"b\":1}":{},"v:3":{},"i:7":{}})"},
           Case{"unknown elements", R"({"f:a":{"f:b":{},"r:x":{"bad":[{}]}},"::":1})",
                R"({"f:a":{"f:b":{}}})"},
           Case{"only unknown elements below", R"({"f:a":{"r:x":{}}})", R"({"f:a":{}})"},
           Case{"a member twice", R"({"f:a":{},"f:a":{}})", R"({"f:a":{}})"},
           Case{"a member and a parent", R"({"f:a":{},"f:a":{"f:b":{}}})",
                R"({"f:a":{".":{},"f:b":{}}})"},
           Case{"a parent and a member", R"({"f:a":{"f:b":{}},"f:a":{}})",
                R"({"f:a":{".":{},"f:b":{}}})"},
           Case{"two parents", R"({"f:a":{"f:b":{}},"f:a":{"f:c":{}}})", R"({"f:a":{"f:c":{}}})"},
           Case{"equal numbers", R"({"v:1":{},"v:1.0":{"f:a":{}}})",
                R"({"v:1":{".":{},"f:a":{}}})"},
           Case{"twice and out of order",
                R"({"f:b":{"f:x":{}},"f:a":{},"f:b":{"f:y":{}},"f:a":{"f:z":{}},"f:b":{}})",
                R"({"f:a":{".":{},"f:z":{}},"f:b":{".":{},"f:y":{}}})"},
       }) {
    EXPECT_THAT(Again(c.json), IsOkAndHolds(std::string(c.normal))) << c.name;
  }
}

TEST(FieldsV1Test, Decode_NoSet_IsInvalidArgumentWithThePlace) {
  struct Case {
    absl::string_view json;
    absl::string_view message;
  };
  for (const Case& c : {
           Case{"", "expected { or null, error found at byte 0"},
           Case{"[]", "expected { or null"},
           Case{"nil", "expected null"},
           Case{"{", "end of input, error found at byte 1"},
           Case{R"({"f:a":{})", "expected , or } after a member, error found at byte 9"},
           Case{R"({"f:a":{},})", "expected a string, error found at byte 10"},
           Case{R"({"f:a"})", "expected : after a key"},
           Case{R"({"f:a":1})", "expected { or null, error found at byte 7"},
           Case{R"({"f:a":{}"f:b":{}})", "expected , or }"},
           Case{R"({"f:a\x":{}})", "escape"},
           Case{"{\"f:a\n\":{}}", "control character"},
           Case{R"({f:a:{}})", "expected a string"},
           Case{R"({"f:a":{"abc":{}}})",
                "parsing key as path element: missing colon: abc, error found at byte 8"},
           Case{R"({"":{}})", "parsing key as path element: key must be 2 characters long:"},
           Case{R"({"i:x":{}})", R"(strconv.Atoi: parsing "x": invalid syntax)"},
           Case{R"({"k:{\"a\":x}":{}})", R"(expected a number: {"a":x})"},
           Case{R"({"r:x":{"a" 1}})", "expected a value, error found at byte 12"},
           Case{R"({".":x})", "expected a value, error found at byte 5"},
       }) {
    EXPECT_THAT(DecodeFieldsV1(c.json),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(std::string(c.message))))
        << c.json;
  }
}

TEST(FieldsV1Test, Decode_EveryPrefixOfASet_IsAnError) {
  constexpr absl::string_view kJson =
      R"({"f:a":{".":{},"k:{\"n\":\"\u0061\"}":null},"r:x":[1,"a",true],"v:\"b\"":{}})";
  EXPECT_TRUE(DecodeFieldsV1(kJson).ok());
  for (size_t size = 0; size < kJson.size(); ++size) {
    EXPECT_FALSE(DecodeFieldsV1(kJson.substr(0, size)).ok()) << kJson.substr(0, size);
  }
}

TEST(FieldsV1Test, Decode_Nesting_EndsAt1000) {
  const auto nested = [](int objects) {
    return absl::StrCat(Repeated(R"({"f:a":)", objects - 1), "{}", Repeated("}", objects - 1));
  };
  EXPECT_THAT(Again(nested(1000)), IsOkAndHolds(nested(1000)));
  for (const std::string& json :
       {nested(1001), Repeated(R"({"f:a":)", 1000) + "null" + Repeated("}", 1000),
        Repeated(R"({"f:a":)", 100'000)}) {
    EXPECT_THAT(DecodeFieldsV1(json),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("exceeded max depth")));
  }
  EXPECT_THAT(DecodeFieldsV1(absl::StrCat(R"({"r:x":)", Repeated("[", 100'000))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected a value")));
}

// Nothing is timed: time that grows with the square of the input exceeds the limit of the test.
TEST(FieldsV1Test, Decode_ManyElementsInDescendingOrder_TakesLittleTime) {
  constexpr int kCount = 200'000;
  std::string json = "{";
  std::string key = R"({"k:{)";
  for (int i = kCount; i-- > 0;) {
    absl::StrAppend(&json, "\"f:", 1'000'000 + i, "\":{}", i == 0 ? "}" : ",");
    absl::StrAppend(&key, R"(\")", 1'000'000 + i, R"(\":1)", i == 0 ? R"(}":{}})" : ",");
  }
  const absl::StatusOr<FieldSet> set = DecodeFieldsV1(json);
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(set->size(), kCount);
  EXPECT_EQ(set->nodes().front().element, Field("1000000"));
  EXPECT_TRUE(set->Has({Field("1123456")}));
  const absl::StatusOr<FieldSet> keyed = DecodeFieldsV1(key);
  ASSERT_TRUE(keyed.ok()) << keyed.status();
  EXPECT_EQ(keyed->nodes().front().element.key()->size(), kCount);
}

}  // namespace
}  // namespace kube::managedfields
