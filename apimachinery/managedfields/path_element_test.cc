#include "apimachinery/managedfields/path_element.h"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;
using unstructured::Value;

PathElement Parsed(absl::string_view text) {
  absl::StatusOr<PathElement> element = PathElement::Parse(text);
  EXPECT_TRUE(element.ok()) << text << ": " << element.status();
  return element.ok() ? *std::move(element) : PathElement();
}

TEST(PathElementTest, Types_HaveTheirOwnContent) {
  const PathElement field = PathElement::Field("replicas");
  EXPECT_EQ(field.type(), PathElement::Type::kField);
  EXPECT_EQ(field.field_name(), "replicas");
  EXPECT_EQ(field.key(), nullptr);
  EXPECT_TRUE(field.item().is_null());
  EXPECT_EQ(field.index(), 0);
  EXPECT_EQ(PathElement(), PathElement::Field(""));

  const PathElement key = PathElement::Key(Map<Value>{{"name", "web"}});
  EXPECT_EQ(key.type(), PathElement::Type::kKey);
  ASSERT_NE(key.key(), nullptr);
  EXPECT_EQ(*key.key(), (Map<Value>{{"name", "web"}}));
  EXPECT_EQ(key.field_name(), "");
  EXPECT_TRUE(key.item().is_null());

  const PathElement item = PathElement::Item("a");
  EXPECT_EQ(item.type(), PathElement::Type::kValue);
  EXPECT_EQ(item.item(), "a");
  EXPECT_EQ(item.key(), nullptr);

  const PathElement index = PathElement::Index(3);
  EXPECT_EQ(index.type(), PathElement::Type::kIndex);
  EXPECT_EQ(index.index(), 3);
  EXPECT_TRUE(index.item().is_null());
}

TEST(PathElementTest, Serialize_Element_IsWhatUpstreamWrites) {
  for (const auto& [element, text] : {
           std::pair<PathElement, absl::string_view>{PathElement::Field("replicas"), "f:replicas"},
           {PathElement::Field(""), "f:"},
           {PathElement::Field("a.b/<c>\n\"\xff"), "f:a.b/<c>\n\"\xff"},
           {PathElement::Key(Map<Value>{{"protocol", "TCP"}, {"containerPort", 80}}),
            R"(k:{"containerPort":80,"protocol":"TCP"})"},
           {PathElement::Key(Map<Value>{{"<a>\"", "<b>\""}}), R"(k:{"<a>\"":"\u003cb\u003e\""})"},
           {PathElement::Key(Map<Value>()), "k:{}"},
           {PathElement::Item("a&b"), R"(v:"a\u0026b")"},
           {PathElement::Item(1e-7), "v:1e-07"},
           {PathElement::Item(true), "v:true"},
           {PathElement::Item(nullptr), "v:null"},
           {PathElement::Index(-3), "i:-3"},
       }) {
    EXPECT_EQ(element.Serialize(), text);
  }
}

TEST(PathElementTest, Parse_WrittenElement_SerializesToTheSameText) {
  for (const absl::string_view text : {
           R"(i:0)",
           R"(i:1234)",
           R"(i:-9223372036854775808)",
           R"(f:)",
           R"(f:spec)",
           R"(f:f:a:b)",
           R"(f: string with spaces )",
           R"(k:{})",
           R"(k:{"name":"my-container"})",
           R"(k:{"port":8080,"protocol":"TCP"})",
           R"(k:{"optionalField":null})",
           R"(k:{"jsonField":{"A":1,"B":null,"C":"D","E":{"F":["G",1.5]}}})",
           R"(k:{"name":"👋 नमस्ते"})",
           R"(v:null)",
           R"(v:"some-string")",
           R"(v:"a\"\\\u003c\u2028")",
           R"(v:1234)",
           R"(v:-1.5)",
           R"(v:1e-07)",
           R"(v:1e+21)",
           R"(v:false)",
           R"(v:{"some":"json"})",
       }) {
    EXPECT_EQ(Parsed(text).Serialize(), text);
  }
}

TEST(PathElementTest, Parse_OtherForms_AreReadAsUpstreamReadsThem) {
  for (const auto& [text, normal] : {
           std::pair<absl::string_view, absl::string_view>{R"(k: { "b" : 1 , "a" : 2 })",
                                                           R"(k:{"a":2,"b":1})"},
           {"k:null", "k:{}"},
           {R"(k:{"a":1.0} rest)", R"(k:{"a":1})"},
           {"v: 3", "v:3"},
           {"v:1e2", "v:100"},
           {"v:9007199254740993", "v:9007199254740992"},
           {"v:-0", "v:-0"},
           {"v:1 rest", "v:1"},
           {R"(v:"\u00e9<")", "v:\"\u00e9\\u003c\""},
           {"i:+007", "i:7"},
       }) {
    EXPECT_EQ(Parsed(text).Serialize(), normal) << text;
  }
}

TEST(PathElementTest, Parse_NoElement_IsInvalidArgument) {
  for (const auto& [text, message] : {
           std::pair<absl::string_view, absl::string_view>{"", "key must be 2 characters long:"},
           {"f", "key must be 2 characters long:"},
           {"no-colon", "missing colon: no-colon"},
           {"i:1.23", R"(strconv.Atoi: parsing "1.23": invalid syntax)"},
           {"i:", R"(strconv.Atoi: parsing "": invalid syntax)"},
           {"i:9223372036854775808",
            R"(strconv.Atoi: parsing "9223372036854775808": value out of range)"},
           {"v:", "end of input"},
           {"v:invalid", "invalid"},
           {"v:1.5.5", "number"},
           {R"(v:{"some":"\x41"})", "escape"},
           {"k:", "end of input"},
           {"k:[]", "expected an object: []"},
           {R"(k:"a")", "expected an object"},
           {R"(k:{"name":invalid})", "invalid"},
           {R"(k:{"name":"a")", "expected , or }"},
       }) {
    EXPECT_THAT(PathElement::Parse(text),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(std::string(message))))
        << text;
  }
}

TEST(PathElementTest, Parse_UnknownPrefix_IsNotFound) {
  for (const absl::string_view text : {"r:Hello", "F:spec", "::", "\xff:"}) {
    EXPECT_THAT(PathElement::Parse(text),
                StatusIs(absl::StatusCode::kNotFound, "unknown path element type"));
  }
}

TEST(PathElementTest, ToString_Element_IsWhatMessagesShow) {
  for (const auto& [element, text] : {
           std::pair<PathElement, absl::string_view>{PathElement::Field("a.b"), ".a.b"},
           {PathElement::Key(Map<Value>{{"protocol", "TCP"}, {"containerPort", 80}}),
            R"([containerPort=80,protocol="TCP"])"},
           {Parsed(R"(k:{"port":65535})"), "[port=65535]"},
           {Parsed(R"(k:{"port":1000000})"), "[port=1e+06]"},
           {PathElement::Key(Map<Value>{{"port", 1000000}}), "[port=1000000]"},
           {PathElement::Key(Map<Value>()), "[]"},
           {PathElement::Item("a\n\"<\u00e9"), "[=\"a\\n\\\"<\u00e9\"]"},
           {PathElement::Item(true), "[=true]"},
           {PathElement::Item(nullptr), "[=null]"},
           {PathElement::Item(List<Value>{1, "a"}), R"([=[1,"a"]])"},
           {PathElement::Item(List<Value>()), "[=[]]"},
           {PathElement::Item(Map<Value>{{"a", 1}, {"b", 2}}), "[=a=1b=2]"},
           {PathElement::Index(3), "[3]"},
       }) {
    EXPECT_EQ(element.ToString(), text);
    std::ostringstream out;
    out << element;
    EXPECT_EQ(out.str(), text);
  }
}

TEST(PathElementTest, PathText_Path_IsTheTextOfItsElements) {
  const Path path = {PathElement::Field("spec"), PathElement::Field("containers"),
                     PathElement::Key(Map<Value>{{"name", "web"}}), PathElement::Field("image")};
  EXPECT_EQ(PathText(path), R"(.spec.containers[name="web"].image)");
  EXPECT_EQ(PathText({}), "");
}

TEST(PathElementTest, Compare_ElementsInUpstreamsOrder_Ascend) {
  const std::vector<absl::string_view> ascending = {
      "f:",           "f:B",
      "f:a",          "f:ab",
      "f:\u00e9",     "k:{}",
      R"(k:{"a":1})", R"(k:{"a":1,"b":1})",
      R"(k:{"a":2})", R"(k:{"a":"1"})",
      R"(k:{"b":1})", "v:-1",
      "v:2",          "v:10",
      R"(v:"")",      R"(v:"1")",
      R"(v:"a")",     "v:false",
      "v:true",       "v:[]",
      "v:[1]",        "v:[1,1]",
      "v:[2]",        "v:{}",
      R"(v:{"a":2})", R"(v:{"a":2,"b":1})",
      R"(v:{"b":1})", "v:null",
      "i:-1",         "i:2",
      "i:10",
  };
  for (size_t i = 0; i < ascending.size(); ++i) {
    for (size_t k = 0; k < ascending.size(); ++k) {
      const PathElement a = Parsed(ascending[i]);
      const PathElement b = Parsed(ascending[k]);
      EXPECT_EQ(a < b, i < k) << a << " " << b;
      EXPECT_EQ(a == b, i == k) << a << " " << b;
      EXPECT_EQ(a > b, i > k) << a << " " << b;
    }
  }
}

TEST(PathElementTest, Compare_IntegerAndDouble_AreComparedByValue) {
  EXPECT_EQ(Parsed(R"(k:{"port":80})"), PathElement::Key(Map<Value>{{"port", 80}}));
  EXPECT_EQ(PathElement::Item(80), PathElement::Item(80.0));
  EXPECT_LT(PathElement::Item(80), PathElement::Item(80.5));
  EXPECT_LT(PathElement::Item(79.5), PathElement::Item(80));
  EXPECT_NE(PathElement::Item(INT64_MAX), PathElement::Item(INT64_MAX - 1));
}

TEST(PathElementTest, Copy_OfAnElement_IsIndependentOfIt) {
  PathElement original = PathElement::Key(Map<Value>{{"name", "a name of more than 15 bytes"}});
  const PathElement copy = original;
  original = PathElement::Field("another name of more than 15 bytes");
  EXPECT_EQ(copy.ToString(), R"([name="a name of more than 15 bytes"])");
  EXPECT_EQ(original.ToString(), ".another name of more than 15 bytes");
}

TEST(EqualValuesTest, Values_AreEqualByValue) {
  struct Case {
    absl::string_view name;
    Value a;
    Value b;
    bool equal;
  };
  const Map<Value> map = {{"a", 1}, {"b", List<Value>{1, "x"}}};
  for (const Case& c : {
           Case{"nulls", nullptr, nullptr, true},
           Case{"integer and double", 1, 1.0, true},
           Case{"integer and other double", 1, 1.5, false},
           Case{"number and string", 1.0, "1", false},
           Case{"number and bool", 1, true, false},
           Case{"strings", "a", "a", true},
           Case{"other strings", "a", "b", false},
           Case{"null and empty map", nullptr, Map<Value>(), false},
           Case{"empty list and empty map", List<Value>(), Map<Value>(), false},
           Case{"lists", List<Value>{1, 2}, List<Value>{1.0, 2.0}, true},
           Case{"lists in another order", List<Value>{1, 2}, List<Value>{2, 1}, false},
           Case{"a longer list", List<Value>{1, 2}, List<Value>{1, 2, 3}, false},
           Case{"maps", map, Map<Value>{{"b", List<Value>{1.0, "x"}}, {"a", 1.0}}, true},
           Case{"maps with another value", map, Map<Value>{{"a", 1}, {"b", nullptr}}, false},
           Case{"maps with another key", map, Map<Value>{{"a", 1}, {"c", nullptr}}, false},
           Case{"a smaller map", map, Map<Value>{{"a", 1}}, false},
       }) {
    EXPECT_EQ(EqualValues(c.a, c.b), c.equal) << c.name;
    EXPECT_EQ(EqualValues(c.b, c.a), c.equal) << c.name;
    EXPECT_EQ(CompareValues(c.a, c.b) == 0, c.equal) << c.name;
  }
}

}  // namespace
}  // namespace kube::managedfields
