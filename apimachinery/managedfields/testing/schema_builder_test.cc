#include "apimachinery/managedfields/testing/schema_builder.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/schema_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::IsOk;
using base::StatusIs;
using ::testing::HasSubstr;

struct TextCase {
  std::string name;
  std::string yaml;
  std::string want;
};

class ParseSchemaTest : public ::testing::TestWithParam<TextCase> {};

TEST_P(ParseSchemaTest, ReadsTheTypeNamedRoot) {
  const absl::StatusOr<BuiltSchema> built = ParseSchema(GetParam().yaml, "root");
  ASSERT_THAT(built, IsOk());
  EXPECT_EQ(SchemaText(*built->schema), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    Atoms, ParseSchemaTest,
    ::testing::Values(
        TextCase{"Scalars", R"(
types:
- name: root
  map:
    fields:
    - {name: s, type: {scalar: string}}
    - {name: b, type: {scalar: boolean}}
    - {name: i, type: {scalar: numeric}}
    - {name: u, type: {scalar: untyped}}
)",
                 "{b: boolean, i: numeric, s: string, u: untyped}"},
        TextCase{"SeveralForms", R"(
types:
- name: root
  scalar: untyped
  list: {elementRelationship: associative, elementType: {namedType: root}}
  map: {elementRelationship: separable, elementType: {namedType: root}}
)",
                 "untyped|set[...]|{*: ...}"},
        TextCase{"AListWithoutRelationshipIsAtomic",
                 "types: [{name: root, list: {elementType: {scalar: string}}}]", "atomic[string]"},
        TextCase{"AMapWithFieldsAndAnElement", R"(
types:
- name: root
  map:
    elementRelationship: atomic
    fields: [{name: a, type: {scalar: string}}]
    elementType: {scalar: numeric}
)",
                 "atomic{a: string, *: numeric}"},
        TextCase{"Nulls", "types: [{name: root, scalar: null, list: null, map: {}}]", "{}"},
        TextCase{"EmptyReferences", R"(
types:
- name: root
  list: {elementRelationship: atomic}
  map: {fields: [{name: a}], elementType: {}}
)",
                 "atomic[NOTHING]|{a: NOTHING}"},
        TextCase{"AnEmptyType", "types: [{name: root}]", "NOTHING"},
        TextCase{"UnionsAreSkipped",
                 "types: [{name: root, map: {unions: [{fields: [{fieldName: a}]}]}}]", "{}"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    References, ParseSchemaTest,
    ::testing::Values(
        TextCase{"ToALaterType", R"(
types:
- name: root
  map: {fields: [{name: a, type: {namedType: later}}]}
- name: later
  map: {fields: [{name: b, type: {scalar: string}}, {name: c, type: {namedType: root}}]}
)",
                 "{a: {b: string, c: ...}}"},
        TextCase{"ToTheUntypedTypes", R"(
types:
- name: root
  map:
    fields: [{name: a, type: {namedType: __untyped_atomic_}}]
    elementType: {namedType: __untyped_deduced_}
- name: __untyped_atomic_
  scalar: untyped
)",
                 "{a: ATOMIC, *: DEDUCED}"},
        TextCase{"WithAnotherRelationship", R"(
types:
- name: root
  map:
    fields:
    - {name: atomicMap, type: {namedType: map, elementRelationship: atomic}}
    - {name: map, type: {namedType: map}}
    - {name: separable, type: {namedType: atomic, elementRelationship: separable}}
    - {name: list, type: {namedType: list, elementRelationship: atomic}}
    - name: inlined
      type:
        list: {elementRelationship: atomic, elementType: {scalar: numeric}}
        elementRelationship: associative
- {name: map, map: {fields: [{name: a, type: {scalar: string}}]}}
- {name: atomic, map: {elementRelationship: atomic, elementType: {scalar: string}}}
- {name: list, list: {elementRelationship: associative, elementType: {scalar: string}}}
)",
                 "{atomicMap: atomic{a: string}, inlined: set[numeric], list: atomic[string], "
                 "map: {a: string}, separable: {*: string}}"},
        TextCase{"OnlyTheMapOfSeveralFormsChanges", R"(
types:
- name: root
  map: {fields: [{name: a, type: {namedType: both, elementRelationship: atomic}}]}
- name: both
  list: {elementRelationship: associative, elementType: {scalar: string}}
  map: {elementType: {scalar: string}}
)",
                 "{a: set[string]|atomic{*: string}}"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Keys, ParseSchemaTest,
    ::testing::Values(TextCase{"TakeDefaultsOfATypeThatIsDefinedLater", R"(
types:
- name: root
  list: {elementRelationship: associative, keys: [port, protocol], elementType: {namedType: port}}
- name: port
  map:
    fields:
    - {name: protocol, type: {scalar: string}, default: TCP}
    - {name: port, type: {scalar: numeric}, default: null}
    - {name: other, type: {scalar: numeric}, default: 1}
)",
                               "map(port, protocol=\"TCP\")"
                               "[{other: numeric, port: numeric, protocol: string}]"},
                      TextCase{"TakeDefaultsThroughAnotherRelationship", R"(
types:
- name: root
  list:
    elementRelationship: associative
    keys: [a]
    elementType: {namedType: item, elementRelationship: atomic}
- {name: item, map: {fields: [{name: a, type: {scalar: numeric}, default: 3}]}}
)",
                               "map(a=3)[atomic{a: numeric}]"},
                      TextCase{"OfAnotherListHaveTheDefaults", R"(
types:
- name: root
  map: {fields: [{name: l, type: {namedType: list, elementRelationship: atomic}}]}
- name: list
  list:
    elementRelationship: associative
    keys: [a]
    elementType: {map: {fields: [{name: a, type: {scalar: boolean}, default: false}]}}
)",
                               "{l: atomic(a=false)[{a: boolean}]}"}),
    [](const auto& test) { return test.param.name; });

TEST(BuiltSchemaTest, OwnsTheSchema) {
  BuiltSchema built;
  {
    absl::StatusOr<BuiltSchema> parsed = ParseSchema("types: [{name: a, scalar: string}]", "a");
    ASSERT_THAT(parsed, IsOk());
    built = *parsed;
  }
  EXPECT_EQ(built.schema->scalar, ScalarType::kString);
  EXPECT_EQ(built.arena.use_count(), 1);
}

struct ErrorCase {
  std::string name;
  std::string yaml;
  std::string message;
};

class ParseSchemaErrorTest : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(ParseSchemaErrorTest, NamesTheMistake) {
  EXPECT_THAT(ParseSchema(GetParam().yaml, "root"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    All, ParseSchemaErrorTest,
    ::testing::Values(
        ErrorCase{"NoObject", "[]", "expected an object"},
        ErrorCase{"NoTypes", "{}", "types is not a list"},
        ErrorCase{"NoName", "types: [{scalar: string}]", "name of a type is not a string"},
        ErrorCase{"NoRoot", "types: [{name: other, scalar: string}]", "no type \"root\""},
        ErrorCase{"TypeTwice", "types: [{name: root}, {name: root}]",
                  "type \"root\" is defined twice"},
        ErrorCase{"FieldTwice", "types: [{name: root, map: {fields: [{name: a}, {name: a}]}}]",
                  "type \"root\": field \"a\" is defined twice"},
        ErrorCase{"UnknownType", "types: [{name: root, map: {elementType: {namedType: x}}}]",
                  "no type \"x\""},
        ErrorCase{"UnknownScalar", "types: [{name: root, scalar: number}]",
                  "unknown scalar \"number\""},
        ErrorCase{"UnknownRelationship",
                  "types: [{name: root, list: {elementRelationship: granular}}]",
                  "unknown elementRelationship \"granular\""},
        ErrorCase{"UnknownMember", "types: [{name: root, apple: 1}]", "unknown member \"apple\""},
        ErrorCase{"UnknownMemberOfAList", "types: [{name: root, list: {element: {}}}]",
                  "unknown member \"element\""},
        ErrorCase{"KeyIsNoString", "types: [{name: root, list: {keys: [1]}}]",
                  "key is not a string"},
        ErrorCase{"RelationshipOfAScalar", R"(
types:
- name: root
  map: {fields: [{name: a, type: {scalar: string, elementRelationship: atomic}}]}
)",
                  "elementRelationship of a type that is neither a map nor a list"}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace kube::managedfields
